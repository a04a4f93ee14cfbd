#include "gpu/clusters/grouping.h"

#include <algorithm>

#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::clusters {
namespace {

constexpr const char* grouping_kernels = "gpu/clusters/grouping.cl";

const TuningTable& tuning() {
    static const TuningTable rows{{"", "", {{"WG", "256"}, {"ROWS_WG", "256"}}},
                                  {"CPU", "", {{"WG", "16"}, {"ROWS_WG", "1024"}}}};
    return rows;
}

}  // namespace

LargestChunk::LargestChunk(const std::vector<Chunk>& chunks) {
    for (const Chunk& chunk : chunks) {
        rows = std::max(rows, chunk.rows);
        slots = std::max(slots, chunk.slots);
    }
}

Grouping::Grouping(LaunchContext& context) {
    const auto defines = tuned(tuning(), context.info(), ElementType::u16);
    slot_group_ = number(defines, "WG");
    row_group_ = std::min<std::size_t>(number(defines, "ROWS_WG"), context.info().largest_work_group);
    count_ = context.kernel(grouping_kernels, "count_digis", defines);
    place_ = context.kernel(grouping_kernels, "place_modules", defines);
    group_ = context.kernel(grouping_kernels, "group_digis", defines);
}

ScratchNeeds Grouping::needs() {
    return {sizeof(cl_uint2), 3 * sizeof(cl_uint)};
}

void Grouping::prepare(LaunchContext& context, const std::vector<Chunk>& chunks) {
    const LargestChunk maximum(chunks);
    grouped_ = context.buffer(maximum.rows * sizeof(cl_uint2));
    starts_ = context.buffer(maximum.slots * sizeof(cl_uint));
    counts_ = context.buffer(maximum.slots * sizeof(cl_uint));
    listed_ = context.buffer(maximum.slots * sizeof(cl_uint));
    totals_ = context.buffer(2 * sizeof(cl_uint));
}

void Grouping::enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis,
                       std::size_t small, std::size_t limit) {
    const std::size_t slots = std::max<std::size_t>(chunk.slots, 1);
    context.fill("clear_counts", counts_, cl_uint{0}, slots * sizeof(cl_uint));
    context.fill(totals_, cl_uint{0}, 2 * sizeof(cl_uint));

    const auto rows = static_cast<cl_uint>(chunk.rows), first = static_cast<cl_uint>(chunk.first_slot);
    const cl::NDRange all_rows(rounded_up(chunk.rows, row_group_)), row_group(row_group_);
    set_arguments(count_, digis.slot(), counts_, digis.labels(), rows, first);
    context.launch("count_digis", count_, all_rows, row_group, {chunk.rows * 8, 0});
    set_arguments(place_, counts_, starts_, totals_, listed_, static_cast<cl_uint>(chunk.slots),
                  static_cast<cl_uint>(small), static_cast<cl_uint>(limit));
    context.launch("place_modules", place_, {rounded_up(slots, slot_group_)}, {slot_group_}, {slots * 8, 0});
    set_arguments(group_, digis.slot(), digis.x(), digis.y(), digis.labels(), starts_, grouped_, rows, first);
    context.launch("group_digis", group_, all_rows, row_group, {chunk.rows * 20, 0});
}

}  // namespace ks::gpu::clusters
