#include "gpu/clusters/table_on_device.h"

#include <algorithm>

#include "gpu/clusters/grouping.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::clusters {
namespace {

constexpr const char* table_kernels = "gpu/clusters/cluster_table.cl";
constexpr unsigned word_bits = 32;

const TuningTable& table_tuning() {
    static const TuningTable rows{{"", "", {{"WG", "256"}, {"PLACE_WG", "1024"}}},
                                  {"CPU", "", {{"WG", "64"}, {"PLACE_WG", "16"}}}};
    return rows;
}

bool is_wide(const ClusterProblem& problem) {
    return std::max(problem.shared()->moment_bits(), problem.shared()->charge_bits()) > word_bits;
}

}  // namespace

/// As in cluster_table.cl.
std::size_t TableOnDevice::sum_words(const ClusterProblem& problem) {
    return is_wide(problem) ? 12 : 8;
}

ScratchNeeds TableOnDevice::needs(const ClusterProblem& problem, std::size_t turns) {
    std::uint64_t row = 0;
    for (const ElementType type : types) row += size_of(type);
    return {turns * row + (sum_words(problem) + 1) * sizeof(cl_uint), turns * sizeof(cl_uint)};
}

TableOnDevice::TableOnDevice(const ClusterProblem& problem, std::size_t rows_of_launch, bool divides,
                             LaunchContext& context)
    : problem_(problem) {
    auto defines = tuned(table_tuning(), context.info(), ElementType::u16);
    for (const char* name : {"WG", "PLACE_WG"})
        defines[name] =
            std::to_string(std::min<std::size_t>(number(defines, name), context.info().largest_work_group));
    group_ = number(defines, "WG");
    place_group_ = number(defines, "PLACE_WG");
    rows_of_launch_ = std::max(rows_of_launch / group_, std::size_t{1}) * group_;
    defines["WIDE"] = std::to_string(is_wide(problem) ? 1 : 0);
    defines["DIVIDE"] = std::to_string(divides ? 1 : 0);
    const auto made = [&](const char* entry) { return context.kernel(table_kernels, entry, defines); };
    start_ = made("start_sums");
    add_ = made("add_digis");
    if (problem.shared()->some_without_charge()) weigh_ = made("weigh_alike");
    place_ = made("place_groups");
    write_ = made("write_table");
}

void TableOnDevice::prepare(LaunchContext& context, const std::vector<Chunk>& chunks, std::size_t turns) {
    const LargestChunk most(chunks);
    sums_ = context.buffer(most.rows * sum_words(problem_) * sizeof(cl_uint));
    group_clusters_ = context.buffer((most.rows / group_ + 1) * sizeof(cl_uint));
    for (std::size_t turn = 0; turn < turns; ++turn) {
        Table& table = turns_.emplace_back();
        table.counts = context.buffer(sizeof(Counts));
        table.module_clusters = context.buffer(most.slots * sizeof(cl_uint));
        for (std::size_t i = 0; i < n_columns; ++i)
            table.columns[i] = context.buffer(most.rows * size_of(types[i]));
    }
}

void TableOnDevice::enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis,
                            std::size_t turn) {
    const Table& table = turns_[turn];
    const auto zero = [&](const Buffer& buffer, std::size_t bytes) {
        context.fill("clear_table_counts", buffer, cl_uint{0}, bytes);
    };
    zero(table.counts, sizeof(Counts));
    if (chunk.slots > 0) zero(table.module_clusters, chunk.slots * sizeof(cl_uint));

    const auto rows = static_cast<cl_uint>(chunk.rows), first_row = static_cast<cl_uint>(chunk.first_row);
    const auto launch = [&](const char* stage, cl::Kernel& kernel, std::size_t bytes,
                            const auto&... further) {
        set_arguments(kernel, digis.slot(), digis.x(), digis.y(), digis.adc(), digis.labels(), sums_,
                      table.counts, rows, first_row, further...);
        launch_rows(context, stage, kernel, chunk.rows, bytes);
    };
    launch("start_sums", start_, 16 + sum_words(problem_) * sizeof(cl_uint), table.module_clusters,
           group_clusters_, static_cast<cl_uint>(chunk.first_slot));
    launch("add_digis", add_, 16);
    if (weigh_() != nullptr) launch("weigh_alike", weigh_, 12);
    const std::size_t groups = rounded_up(chunk.rows, group_) / group_;
    set_arguments(place_, group_clusters_, table.counts, static_cast<cl_uint>(groups));
    context.launch("place_groups", place_, {place_group_}, {place_group_}, {groups * 2 * sizeof(cl_uint), 0});
    const auto& column = table.columns;
    set_arguments(write_, digis.slot(), digis.labels(), sums_, group_clusters_, rows, first_row, column[0],
                  column[1], column[2], column[3], column[4], column[5], column[6], column[7], column[8]);
    launch_rows(context, "write_table", write_, chunk.rows, 8 + 2 * sum_words(problem_) * sizeof(cl_uint));
}

/// @param bytes moved per row
void TableOnDevice::launch_rows(LaunchContext& context, const char* stage, const cl::Kernel& kernel,
                                std::size_t rows, std::size_t bytes) {
    const std::size_t items = rounded_up(rows, group_);
    for (std::size_t at = 0; at < items; at += rows_of_launch_) {
        const std::size_t some = std::min(rows_of_launch_, items - at);
        context.launch(stage, kernel, {some}, {group_}, {some * bytes, 0}, {at});
    }
}

}  // namespace ks::gpu::clusters
