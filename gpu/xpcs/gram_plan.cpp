#include "gpu/xpcs/gram_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/runtime/resident_data.h"

namespace ks::gpu::xpcs {
namespace {

using ks::xpcs::CorrelationProblem;

constexpr std::size_t descriptor_bytes = 64;  ///< a tile's descriptor and its position in the order
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

/// Rows, their sums (8 bytes per row), and the tables of one slab.
std::uint64_t bytes_of(const RowSlab& slab, const GramShape& shape) {
    return slab.elements * size_of(shape.row_type) + slab.group.bins() * (slab.padded * 8 + 16);
}

class Cutter {
  public:
    /// @param budget for rows and totals
    Cutter(const CorrelationProblem& problem, const GramShape& shape, std::uint64_t budget,
           std::uint64_t largest_allocation)
        : problem_(problem),
          shape_(shape),
          budget_(budget),
          slab_limit_(std::min(budget / slabs_in_budget, largest_allocation)) {}

    /// Cuts into groups of bins, and slabs within each.
    void cut(GramPlan& plan) const {
        const std::size_t bins = problem_.partition().bins();
        for (std::size_t bin0 = 0; bin0 < bins;) {
            std::size_t bin1 = bin0 + 1;
            while (bin1 < bins && have_room(plan, {bin0, bin1 + 1})) ++bin1;
            add_group(plan, {bin0, bin1});
            bin0 = bin1;
        }
    }

  private:
    /// More of them take longer in total: each pair of slabs is a launch, which keeps all cores busy except
    /// at its end.
    static constexpr std::uint64_t slabs_in_budget = 16;

    std::uint64_t row_of_tiles(BinGroup group) const {
        return bytes_of(make_slab(problem_, shape_, group, 0, shape_.tile), shape_);
    }

    bool have_room(const GramPlan& plan, BinGroup group) const {
        return group.bins() * total_bytes(shape_, plan.tile_rows) <= budget_ / 4 &&
               row_of_tiles(group) <= slab_limit_;
    }

    void add_group(GramPlan& plan, BinGroup group) const {
        const std::uint64_t band = row_of_tiles(group);
        const std::size_t frames = std::max<std::size_t>(1, slab_limit_ / band) * shape_.tile;
        const std::size_t first = plan.slabs.size();
        for (std::size_t t = 0; t < problem_.frames(); t += frames)
            plan.slabs.push_back(
                make_slab(problem_, shape_, group, t, std::min(frames, problem_.frames() - t)));
        const std::uint64_t rows =
            budget_ - std::min(budget_, group.bins() * total_bytes(shape_, plan.tile_rows));
        const std::size_t resident = rows / bytes_of(plan.slabs[first], shape_);
        add_steps(plan, first, std::max<std::size_t>(resident, 2) - 1);
        plan.largest_group = std::max(plan.largest_group, group.bins());
    }

    /// @param stay slabs that stay while another passes
    void add_steps(GramPlan& plan, std::size_t first, std::size_t stay) const {
        const std::size_t end = plan.slabs.size();
        for (std::size_t a0 = first; a0 < end; a0 += stay)
            for (std::size_t b = a0; b < end; ++b)
                for (std::size_t a = a0; a < std::min(a0 + stay, b + 1); ++a)
                    if (wanted(plan.slabs[a], plan.slabs[b]))
                        plan.steps.push_back({a, b, 0, plan.slabs[b].padded});
    }

    /// Whether the two slabs hold a pair of frames at a wanted delay.
    bool wanted(const RowSlab& a, const RowSlab& b) const {
        return b.frame0 == a.frame0 || b.frame0 - (a.frame0 + a.padded - 1) < problem_.delays();
    }

    const CorrelationProblem& problem_;
    const GramShape& shape_;
    std::uint64_t budget_, slab_limit_;
};

std::uint64_t two_time_bytes(const CorrelationProblem& problem) {
    return problem.two_time_bin() > 0 ? std::uint64_t{problem.frames()} * problem.frames() * 8 : 0;
}

std::size_t all_tiles(const CorrelationProblem& problem, std::size_t tile_rows) {
    return problem.partition().bins() * (tile_rows * (tile_rows + 1) / 2);
}

/// The first band makes room for the whole slab.
void fill_resident(GramPlan& plan, const GramShape& shape) {
    const RowSlab& all = plan.slabs.front();
    const double row = static_cast<double>(all.elements) / static_cast<double>(all.padded);
    std::size_t first = 0;
    for (std::size_t i = 0; i < plan.bands.size(); ++i) {
        const std::size_t end = i + 1 == plan.bands.size() ? all.padded : plan.bands[i];
        const double pairs = static_cast<double>(end - first) * static_cast<double>(end + first) / 2;
        plan.steps.push_back({0, 0, first, end});
        plan.stream.slabs.push_back({i == 0 ? bytes_of(all, shape) : 0, 0});
        plan.stream.steps.push_back({{i}, std::max(row * pairs, 1.0)});
        first = end;
    }
}

void fill_stream(GramPlan& plan, const GramShape& shape) {
    for (const RowSlab& slab : plan.slabs)
        plan.stream.slabs.push_back({bytes_of(slab, shape), slab.elements * size_of(shape.row_type)});
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

GramPlan make_plan(const LaunchContext& context, const CorrelationProblem& problem, const GramShape& shape,
                   const FramesOnDevice& frames) {
    GramPlan plan;
    const std::uint64_t budget = context.budget();
    plan.tile_rows = (problem.frames() + shape.tile - 1) / shape.tile;
    plan.tiles_per_launch = std::clamp<std::size_t>(budget / 16 / tile_bytes(shape), 1, max_tiles);
    plan.tiles_per_launch =
        std::min(plan.tiles_per_launch, std::max<std::size_t>(1, all_tiles(problem, plan.tile_rows)));
    const std::size_t bins = problem.partition().bins();
    const std::uint64_t tables = (problem.partition().pixels_of_whole().size() + 2 * bins + 2) * 8;
    const std::uint64_t launch_bytes =
        plan.tiles_per_launch * tile_bytes(shape) + two_time_bytes(problem) + tables;

    const RowSlab everything = make_slab(problem, shape, {0, bins}, 0, problem.frames());
    const std::uint64_t whole =
        bytes_of(everything, shape) + launch_bytes + bins * total_bytes(shape, plan.tile_rows);
    if (fits_resident(context, frames.bytes(), whole) &&
        bytes_of(everything, shape) <= context.info().largest_allocation) {
        plan.resident = true;
        plan.largest_group = bins;
        plan.slabs.push_back(everything);
        // The host takes the sums of all rows at once.
        plan.bands = shape.fp64 ? frames.bands(shape.tile) : std::vector{problem.frames()};
        plan.stream.fixed_bytes = whole - bytes_of(everything, shape);
        fill_resident(plan, shape);
        return plan;
    }
    const std::uint64_t left = budget - std::min(budget, launch_bytes);
    Cutter(problem, shape, left, context.info().largest_allocation).cut(plan);
    plan.stream.fixed_bytes = launch_bytes + plan.largest_group * total_bytes(shape, plan.tile_rows);
    fill_stream(plan, shape);
    if (const std::uint64_t smallest = smallest_budget(plan.stream); smallest > budget)
        throw Error(
            ErrorKind::input,
            fmt::format("a limit of {} bytes is too small: these bins and frames need at least {} bytes",
                        budget, smallest),
            "memory limit", "set a larger --memory-limit, or select fewer frames");
    return plan;
}

}  // namespace ks::gpu::xpcs
