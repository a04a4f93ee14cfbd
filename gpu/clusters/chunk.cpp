#include "gpu/clusters/chunk.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace ks::gpu::clusters {
namespace {

std::uint64_t bytes_of(const Chunk& chunk, const ScratchNeeds& needs, std::uint64_t once) {
    return once + chunk.rows * needs.per_row + chunk.slots * needs.per_slot;
}

}  // namespace

std::uint64_t DigiShape::bytes_of_row() const {
    return sizeof(cl_uint) + 2 * sizeof(cl_ushort) + (charges ? sizeof(cl_uint) : 0) +
           labels * sizeof(cl_int);
}

std::vector<Chunk> chunks_of(const ClusterProblem& problem, const ScratchNeeds& needs, std::uint64_t once,
                             std::size_t max_rows, const LaunchContext& context) {
    const std::span blocks = problem.blocks();
    std::vector<Chunk> chunks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const ModuleDigis::Block& block = blocks[i];
        const auto with = [&](Chunk chunk) {
            chunk.rows += block.rows;
            chunk.slots += block.slots;
            return chunk;
        };
        if (!chunks.empty() && chunks.back().rows + block.rows <= max_rows &&
            bytes_of(with(chunks.back()), needs, once) <= context.budget()) {
            const std::size_t first = i - chunks.back().blocks.size();
            chunks.back() = with(chunks.back());
            chunks.back().blocks = blocks.subspan(first, i - first + 1);
            continue;
        }
        chunks.push_back({block.first_row, block.rows, block.first_slot, block.slots, blocks.subspan(i, 1)});
        if (const std::uint64_t bytes = bytes_of(chunks.back(), needs, once); bytes > context.budget())
            throw Error(
                ErrorKind::input,
                fmt::format(
                    "{} needs {} bytes on the device for {} digis at once, but only {} bytes are available",
                    context.variant().id, bytes, block.rows, context.budget()),
                problem.shared()->name(),
                blocks.size() == 1 ? "allow more memory, or sort the digis by event" : "allow more memory");
    }
    return chunks;
}

DigisOnDevice::DigisOnDevice(const ClusterProblem& problem, const std::vector<Chunk>& chunks,
                             const DigiShape& shape, LaunchContext& context)
    : problem_(problem), shape_(shape) {
    std::size_t rows = 1;
    for (const Chunk& chunk : chunks) rows = std::max(rows, chunk.rows);
    slot_ = context.buffer(rows * sizeof(cl_uint));
    x_ = context.buffer(rows * sizeof(cl_ushort));
    y_ = context.buffer(rows * sizeof(cl_ushort));
    for (std::size_t i = 0; i < shape.labels; ++i) labels_.push_back(context.buffer(rows * sizeof(cl_int)));
    adc_ = context.buffer((shape.charges ? rows : 1) * sizeof(cl_uint));
    const std::vector<std::uint32_t> none{0},
        &cuts = problem.cuts_charge() ? problem.settings().charge_cuts : none;
    cut_count_ = static_cast<cl_uint>(cuts.size());
    cuts_ = context.uploaded<std::uint32_t>("upload_cuts", cuts);
}

void DigisOnDevice::upload(const Chunk& chunk, LaunchContext& context) {
    const auto put = [&](const Buffer& to, auto column) {
        context.upload("upload_digis", to, std::as_bytes(column.subspan(chunk.first_row, chunk.rows)));
    };
    put(slot_, problem_.slot());
    put(x_, problem_.x());
    put(y_, problem_.y());
    if (shape_.charges) put(adc_, problem_.adc());
}

std::map<std::string, std::string> problem_defines(const ClusterProblem& problem) {
    return {{"CONNECTIVITY", std::to_string(problem.connectivity())},
            {"DROP", std::to_string(problem.drops_duplicates() ? 1 : 0)},
            {"CUT", std::to_string(problem.cuts_charge() ? 1 : 0)}};
}

}  // namespace ks::gpu::clusters
