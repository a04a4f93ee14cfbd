#include "core/clusters/cluster_sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/clusters/result.h"
#include "core/run/error.h"

namespace ks::clusters {
namespace {

[[noreturn]] void refuse(std::size_t row, std::int32_t label, const char* why) {
    throw Error(ErrorKind::run, fmt::format("the label {} of digi {} {}", label, row, why), "label");
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
    clusters_.clear();
    if (index_.size() < block.rows) index_.resize(block.rows);
    invalid_ = duplicates_ = cut_ = 0;
    const auto slots = problem.slot();
    const auto xs = problem.x(), ys = problem.y();
    const auto adcs = problem.adc();
    const auto first = static_cast<std::int32_t>(block.first_row);
    for (std::size_t row = block.first_row; row < block.first_row + block.rows; ++row) {
        const std::int32_t label = labels[row];
        const std::uint32_t slot = slots[row];
        if ((label == label_invalid) != (slot == ModuleDigis::no_slot))
            refuse(row, label, "does not tell whether its module is valid");
        if (label < 0) {
            invalid_ += label == label_invalid ? 1U : 0U;
            duplicates_ += label == label_duplicate ? 1U : 0U;
            cut_ += label == label_cut ? 1U : 0U;
            if (label < label_cut) refuse(row, label, "is none");
            continue;
        }
        const std::uint16_t x = xs[row], y = ys[row];
        const std::uint32_t adc = adcs[row];
        const double charge = adc;
        if (label == static_cast<std::int32_t>(row)) {
            index_[row - block.first_row] = static_cast<std::uint32_t>(clusters_.size());
            clusters_.push_back({1, slot, adc, charge * x, charge * y, x, x, y, y, label});
            continue;
        }
        if (label < first || label > static_cast<std::int32_t>(row) ||
            labels[static_cast<std::size_t>(label)] != label)
            refuse(row, label, "is not the smallest row of its cluster");
        ClusterSum& sum = clusters_[index_[static_cast<std::size_t>(label - first)]];
        if (sum.slot != slot) refuse(row, label, "is of another module");
        ++sum.size;
        sum.charge += adc;
        sum.x += charge * x;
        sum.y += charge * y;
        sum.xmin = std::min(sum.xmin, x);
        sum.xmax = std::max(sum.xmax, x);
        sum.ymin = std::min(sum.ymin, y);
        sum.ymax = std::max(sum.ymax, y);
    }
    if (std::ranges::any_of(clusters_, [](const ClusterSum& sum) { return sum.charge == 0; }))
        weigh_alike(problem, labels, block);
}

/// Clusters without charge get sums of pixel indices, to be divided by the size.
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

}  // namespace ks::clusters
