#include "core/clusters/cluster_sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/clusters/result.h"
#include "core/run/errors/wrong_result.h"

namespace ks::clusters {
namespace {

constexpr std::uint32_t none = 0xffffffff;

/// "label: the value 5 of digi 0 is not a valid label"
[[noreturn]] void refuse(std::size_t row, std::int32_t label, const char* why) {
    throw WrongResult(fmt::format("the value {} of digi {} {}", label, row, why), "label");
}

/// Refuses the first invalid label of the block.
void require_labels(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                    const ModuleDigis::Block& block) {
    for (std::size_t row = block.first_row; row < block.first_row + block.rows; ++row) {
        const std::int32_t label = labels[row];
        const std::uint32_t slot = problem.slot()[row];
        if ((label == label_invalid) != (slot == ModuleDigis::no_slot))
            refuse(row, label,
                   label == label_invalid ? "means an invalid module, but the digi's module is valid"
                                          : "should be -1, because the digi's module is invalid");
        if (label < label_cut) refuse(row, label, "is not a valid label");
        if (label < 0) continue;
        const auto name = static_cast<std::size_t>(label);
        if (name < block.first_row || name > row || labels[name] != label)
            refuse(row, label, "is not the smallest row number in its cluster");
        if (problem.slot()[name] != slot) refuse(row, label, "belongs to another module");
    }
}

}  // namespace

std::size_t BlockSums::count(std::span<const std::int32_t> labels, const ModuleDigis::Block& block) {
    std::size_t clusters = 0;
    const auto first = static_cast<std::int32_t>(block.first_row);
    const std::int32_t* const own = labels.data() + block.first_row;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(block.rows); ++i)
        clusters += own[i] == first + i ? 1U : 0U;
    return clusters;
}

void BlockSums::add(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                    const ModuleDigis::Block& block) {
    if (index_.size() < block.rows) {
        index_.resize(block.rows);
        rows_.resize(block.rows);
    }
    invalid_ = duplicates_ = cut_ = 0;
    const std::int32_t* const label = labels.data() + block.first_row;
    const std::uint32_t* const slot = problem.slot().data() + block.first_row;
    const std::uint16_t *const x = problem.x().data() + block.first_row, *const y = problem.y().data() +
                                                                                    block.first_row;
    const std::uint32_t* const adc = problem.adc().data() + block.first_row;
    const auto first = static_cast<std::int32_t>(block.first_row);
    const auto rows = static_cast<std::uint32_t>(block.rows);

    bool wrong = false;
    // Branch-free: which rows name clusters is unpredictable.
    std::uint32_t clusters = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
        const bool names = label[i] == first + static_cast<std::int32_t>(i);
        index_[i] = clusters | (std::uint32_t{names} - 1);  // none if it names no cluster
        rows_[clusters] = i;
        clusters += names ? 1U : 0U;
    }
    clusters_.resize(clusters);
    for (std::uint32_t k = 0; k < clusters; ++k) {
        const std::uint32_t i = rows_[k];
        clusters_[k] = {0, slot[i], 0, 0, 0, x[i], x[i], y[i], y[i], label[i]};
        wrong |= slot[i] == ModuleDigis::no_slot;
    }
    for (std::uint32_t i = 0; i < rows; ++i) {
        if (label[i] < 0) {
            invalid_ += label[i] == label_invalid ? 1U : 0U;
            duplicates_ += label[i] == label_duplicate ? 1U : 0U;
            cut_ += label[i] == label_cut ? 1U : 0U;
            wrong |= (label[i] == label_invalid) != (slot[i] == ModuleDigis::no_slot) || label[i] < label_cut;
            continue;
        }
        const auto name = static_cast<std::uint32_t>(label[i] - first);
        if (name > i || index_[name] == none) {
            wrong = true;
            break;
        }
        ClusterSum& sum = clusters_[index_[name]];
        wrong |= sum.slot != slot[i];
        const double charge = adc[i];
        ++sum.size;
        sum.charge += adc[i];
        sum.x += charge * x[i];
        sum.y += charge * y[i];
        sum.xmin = std::min(sum.xmin, x[i]);
        sum.xmax = std::max(sum.xmax, x[i]);
        sum.ymin = std::min(sum.ymin, y[i]);
        sum.ymax = std::max(sum.ymax, y[i]);
    }
    if (wrong) refuse_labels(problem, labels, {&block, 1});
    constexpr unsigned exact_bits = 53;  // of double: sums of integers this size are exact in any order
    if (problem.shared()->moment_bits() > exact_bits) weigh_exactly(problem, labels, block);
    if (std::ranges::any_of(clusters_, [](const ClusterSum& sum) { return sum.charge == 0; }))
        weigh_alike(problem, labels, block);
}

/// Clusters without charge get sums of pixel indices, to be divided by their size.
void BlockSums::weigh_alike(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                            const ModuleDigis::Block& block) {
    for (std::size_t row = block.first_row; row < block.first_row + block.rows; ++row) {
        if (labels[row] < 0) continue;
        ClusterSum& sum = clusters_[index_[static_cast<std::size_t>(labels[row]) - block.first_row]];
        if (sum.charge != 0) continue;
        sum.x += problem.x()[row];
        sum.y += problem.y()[row];
    }
}

/// Sums that double would round during summation are computed in integers: products of 48 bits
/// of up to 2^31 digis.
void BlockSums::weigh_exactly(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                              const ModuleDigis::Block& block) {
    __extension__ using Moment = unsigned __int128;
    struct Moments {
        Moment x = 0, y = 0;
    };
    std::vector<Moments> moments(clusters_.size());
    for (std::size_t row = block.first_row; row < block.first_row + block.rows; ++row) {
        if (labels[row] < 0) continue;
        Moments& sum = moments[index_[static_cast<std::size_t>(labels[row]) - block.first_row]];
        const std::uint64_t charge = problem.adc()[row];
        sum.x += charge * problem.x()[row];
        sum.y += charge * problem.y()[row];
    }
    for (std::size_t k = 0; k < moments.size(); ++k) {
        clusters_[k].x = static_cast<double>(moments[k].x);
        clusters_[k].y = static_cast<double>(moments[k].y);
    }
}

void refuse_labels(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                   std::span<const ModuleDigis::Block> blocks) {
    for (const ModuleDigis::Block& block : blocks) require_labels(problem, labels, block);
    throw WrongResult("the device reported a wrong label, but the host finds all labels correct", "label");
}

}  // namespace ks::clusters
