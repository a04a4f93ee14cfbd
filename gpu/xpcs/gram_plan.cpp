#include "gpu/xpcs/gram_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/runtime/resident_data.h"

namespace ks::gpu::xpcs {
namespace {

using ks::xpcs::CorrelationProblem;

constexpr std::size_t descriptor_bytes = 64;  ///< a tile's description and its place in the order
constexpr std::size_t max_tiles = 1 << 16;

RowSlab make_slab(const CorrelationProblem& problem, const GramShape& shape, BinGroup group,
                  std::size_t frame0, std::size_t frames) {
    RowSlab slab{group, frame0, frames, rounded_up(frames, shape.tile), {}, {}, 0};
    for (std::size_t bin = group.bin0; bin < group.bin1; ++bin) {
        const std::size_t row = GramShape::row_length(problem.partition().bin_size(bin));
        slab.blocks.push_back(slab.elements);
        slab.row_lengths.push_back(static_cast<std::uint32_t>(row));
        slab.elements += std::uint64_t{row} * slab.padded;
    }
    return slab;
}

/// Rows, their sums (8 bytes a row), and the tables of one slab.
std::uint64_t bytes_of(const RowSlab& slab, const GramShape& shape) {
    return slab.elements * size_of(shape.row_type) + slab.group.bins() * (slab.padded * 8 + 16);
}

class Cutter {
  public:
    Cutter(const CorrelationProblem& problem, const GramShape& shape, std::uint64_t slab_limit)
        : problem_(problem), shape_(shape), slab_limit_(slab_limit) {}

    /// Groups of bins, and slabs within each.
    void cut(GramPlan& plan) const {
        const std::size_t bins = problem_.partition().bins();
        for (std::size_t bin0 = 0; bin0 < bins;) {
            std::size_t bin1 = bin0 + 1;
            while (bin1 < bins && whole({bin0, bin1 + 1}) <= slab_limit_) ++bin1;
            add_group(plan, {bin0, bin1});
            bin0 = bin1;
        }
    }

  private:
    std::uint64_t whole(BinGroup group) const {
        return bytes_of(make_slab(problem_, shape_, group, 0, problem_.frames()), shape_);
    }

    void add_group(GramPlan& plan, BinGroup group) const {
        std::size_t frames = problem_.frames();
        if (whole(group) > slab_limit_) {  // one bin, too large for all frames at once
            const std::uint64_t row_of_tiles =
                bytes_of(make_slab(problem_, shape_, group, 0, shape_.tile), shape_);
            frames = std::max<std::size_t>(1, slab_limit_ / row_of_tiles) * shape_.tile;
        }
        const std::size_t first = plan.slabs.size();
        for (std::size_t t = 0; t < problem_.frames(); t += frames)
            plan.slabs.push_back(
                make_slab(problem_, shape_, group, t, std::min(frames, problem_.frames() - t)));
        for (std::size_t a = first; a < plan.slabs.size(); ++a)
            for (std::size_t b = a; b < plan.slabs.size(); ++b) {
                const std::size_t end = plan.slabs[a].frame0 + plan.slabs[a].padded - 1;
                if (b > a && plan.slabs[b].frame0 - end >= problem_.delays()) break;
                plan.steps.push_back({a, b});
            }
        plan.largest_group = std::max(plan.largest_group, group.bins());
    }

    const CorrelationProblem& problem_;
    const GramShape& shape_;
    std::uint64_t slab_limit_;
};

std::uint64_t two_time_bytes(const CorrelationProblem& problem) {
    return problem.two_time_bin() > 0 ? std::uint64_t{problem.frames()} * problem.frames() * 8 : 0;
}

std::size_t all_tiles(const CorrelationProblem& problem, std::size_t tile_rows) {
    return problem.partition().bins() * (tile_rows * (tile_rows + 1) / 2);
}

void fill_stream(GramPlan& plan, const GramShape& shape, std::uint64_t fixed) {
    plan.stream.fixed_bytes = fixed;
    for (const RowSlab& slab : plan.slabs) {
        const std::uint64_t rows = slab.elements * size_of(shape.row_type);
        plan.stream.slabs.push_back({bytes_of(slab, shape), plan.resident ? 0 : rows});
    }
    for (const PairStep& step : plan.steps) {
        std::vector<std::size_t> needed{step.a};
        if (step.b != step.a) needed.push_back(step.b);
        const auto work = static_cast<double>(plan.slabs[step.a].elements) *
                          static_cast<double>(plan.slabs[step.b].padded) * (step.a == step.b ? 0.5 : 1.0);
        plan.stream.steps.push_back({needed, std::max(work, 1.0)});
    }
}

}  // namespace

std::uint64_t tile_bytes(const GramShape& shape) {
    const std::uint64_t left =
        shape.fp64 ? 2 * shape.tile * (8 + 3 * 8 + 4) : shape.tile * shape.tile * shape.g_bytes();
    return left + descriptor_bytes;
}

std::uint64_t total_bytes(const GramShape& shape, std::size_t tile_rows) {
    return tile_rows * 2 * shape.tile * (8 + 3 * 8 + 8);
}

GramPlan make_plan(const LaunchContext& context, const CorrelationProblem& problem, const GramShape& shape) {
    GramPlan plan;
    const std::uint64_t budget = context.budget();
    plan.tile_rows = (problem.frames() + shape.tile - 1) / shape.tile;
    plan.tiles_per_launch = std::clamp<std::size_t>(budget / 8 / tile_bytes(shape), 1, max_tiles);
    plan.tiles_per_launch =
        std::min(plan.tiles_per_launch, std::max<std::size_t>(1, all_tiles(problem, plan.tile_rows)));
    const std::size_t bins = problem.partition().bins();
    const std::uint64_t tables = (problem.partition().selected() + 2 * bins + 2) * 8;
    const std::uint64_t launch_bytes =
        plan.tiles_per_launch * tile_bytes(shape) + two_time_bytes(problem) + tables;

    const RowSlab everything = make_slab(problem, shape, {0, bins}, 0, problem.frames());
    const std::uint64_t whole =
        bytes_of(everything, shape) + launch_bytes + bins * total_bytes(shape, plan.tile_rows);
    if (fits_resident(context, problem.frames_bytes(), whole) &&
        bytes_of(everything, shape) <= context.info().largest_allocation) {
        plan.resident = true;
        plan.largest_group = bins;
        plan.slabs.push_back(everything);
        plan.steps.push_back({0, 0});
        fill_stream(plan, shape, whole - bytes_of(everything, shape));
        return plan;
    }
    // Two slabs are needed at a time and one more lets uploads run ahead of the pair in work.
    const std::uint64_t slab_limit = std::min(budget / 4, context.info().largest_allocation);
    Cutter(problem, shape, slab_limit).cut(plan);
    fill_stream(plan, shape, launch_bytes + plan.largest_group * total_bytes(shape, plan.tile_rows));
    if (const std::uint64_t smallest = smallest_budget(plan.stream); smallest > budget)
        throw Error(
            ErrorKind::input,
            fmt::format("a limit of {} bytes is too small: these bins and frames need at least {} bytes",
                        budget, smallest),
            "memory limit", "give a larger --memory-limit, or fewer frames");
    return plan;
}

}  // namespace ks::gpu::xpcs
