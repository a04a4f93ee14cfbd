#include "gpu/xpcs/gram_totals.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace ks::gpu::xpcs {

double PlacedTiles::work(const GramShape& shape) const {
    return static_cast<double>(descriptor.row) * static_cast<double>(shape.side() * shape.side()) *
           static_cast<double>(shape.products());
}

std::vector<PlacedTiles> tiles_of(const ks::xpcs::CorrelationProblem& problem, const GramShape& shape,
                                  const GramPlan& plan, const PairStep& step) {
    const RowSlab &a = plan.slabs[step.a], &b = plan.slabs[step.b];
    const bool same = step.a == step.b;
    std::vector<PlacedTiles> all;
    const std::size_t side = shape.side();
    for (std::size_t i = 0; i < (same ? step.end : a.padded); i += side)
        for (std::size_t bin = 0; bin < a.group.bins(); ++bin) {
            const std::size_t n = problem.partition().bin_size(a.group.bin0 + bin);
            if (n == 0) continue;
            const ks::xpcs::DelayRange wanted = problem.delays_of(a.group.bin0 + bin);
            for (std::size_t j = same ? std::max(i, step.first) : step.first; j < step.end; j += side) {
                const std::size_t t1 = a.frame0 + i, t2 = b.frame0 + j;
                if (t2 - t1 + (side - 1) < wanted.begin) continue;
                if (t2 > t1 && t2 - t1 - (side - 1) >= wanted.end) break;  // and so are all further right
                TileDescriptor d{};
                d.row = a.row_lengths[bin];
                d.pixels = static_cast<cl_uint>(n);
                const std::uint64_t frame = shape.step > 0 ? shape.step : d.row;
                d.a = a.blocks[bin] + i * frame;
                d.b = b.blocks[bin] + j * frame;
                d.step = static_cast<cl_uint>(shape.step * a.padded);
                d.sa = static_cast<cl_uint>(bin * a.padded + i);
                d.sb = static_cast<cl_uint>(bin * b.padded + j);
                d.flush = static_cast<cl_uint>(shape.flush);
                d.t1 = static_cast<cl_uint>(t1);
                d.t2 = static_cast<cl_uint>(t2);
                d.two_time = a.group.bin0 + bin + 1 == problem.two_time_bin() ? 1 : 0;
                all.push_back({d, bin, (t2 - t1) / shape.tile});
            }
        }
    return all;
}

TileBatch make_batch(std::span<const PlacedTiles> some, const GramShape& shape, std::size_t tile_rows) {
    constexpr std::size_t square = 8;  // tiles
    TileBatch batch;
    // A key is computed once: the device waits for this list.
    const std::size_t side = square * shape.side();
    std::vector<std::tuple<cl_uint, std::size_t, std::size_t, std::size_t, std::size_t>> in_launch;
    in_launch.reserve(some.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
        const TileDescriptor& d = some[i].descriptor;
        if (shape.step > 0)
            in_launch.emplace_back(~d.row, some[i].bin, d.t2 / side, d.t1 / side, i);
        else
            in_launch.emplace_back(~d.row, 0, 0, 0, i);
    }
    std::ranges::sort(in_launch);
    std::vector<std::size_t> group(some.size());
    batch.groups.reserve(some.size());
    for (const auto& place : in_launch) {
        const std::size_t i = std::get<4>(place);
        group[i] = batch.groups.size();
        batch.groups.push_back(some[i].descriptor);
        batch.work += some[i].work(shape);
    }
    // f(diagonal of tiles in the totals, place of the tile's results), in the order of t1
    const auto for_each_tile = [&](const auto& f) {
        for (std::size_t i = 0; i < some.size(); ++i) {
            const TileDescriptor& d = some[i].descriptor;
            const std::size_t row = d.t1 / shape.tile, column = d.t2 / shape.tile;
            for (std::size_t down = 0; down < shape.span; ++down)
                for (std::size_t right = 0; right < shape.span; ++right)
                    if (column + right >= row + down && column + right < tile_rows)
                        f(some[i].bin * tile_rows + some[i].diagonal + right - down,
                          static_cast<cl_uint>((group[i] * shape.span + down) * shape.span + right));
        }
    };
    std::size_t targets = 0;
    for_each_tile([&](std::size_t target, cl_uint) { targets = std::max(targets, target + 1); });
    std::vector<cl_uint> first(targets + 1, 0);  // start of each target's places in the order
    for_each_tile([&](std::size_t target, cl_uint) { ++first[target + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    for (std::size_t t = 0; t < targets; ++t)
        if (const cl_uint count = first[t + 1] - first[t]; count > 0)
            batch.runs.push_back({{first[t], count, static_cast<cl_uint>(t), 0}});
    batch.order.resize(first[targets]);
    for_each_tile([&](std::size_t target, cl_uint slot) { batch.order[first[target]++] = slot; });
    return batch;
}

void DiagonalPart::merge(const DiagonalPart& later) {
    g += later.g;
    ss_over_n += later.ss_over_n;
    if (later.terms == 0) return;
    const double delta = later.mean - mean, n = static_cast<double>(terms),
                 more = static_cast<double>(later.terms);
    mean += delta * (more / (n + more));
    m2 += later.m2 + delta * delta * (n * more / (n + more));
    terms += later.terms;
}

double DiagonalPart::g2() const {
    return ss_over_n != 0 ? g / ss_over_n : std::numeric_limits<double>::quiet_NaN();
}

double DiagonalPart::g2_err() const {
    if (terms == 0) return std::numeric_limits<double>::quiet_NaN();
    const double n = static_cast<double>(terms);
    return std::sqrt(std::max(m2, 0.0) / n) / std::sqrt(n);
}

DiagonalPart GramTotals::part(std::size_t bin, std::size_t diagonal, std::size_t k) const {
    const std::size_t width = 2 * tile_, row = bin * tile_rows_ + diagonal, at = row * width + k;
    if (!combined_) return parts_[at];
    // G and the numbers of terms of all, then the three quantities per row.
    constexpr std::size_t quantities = 3;
    const std::uint64_t* const g = combined_->as<std::uint64_t>().data();
    const std::uint64_t* const n = g + values_;
    const std::uint64_t* const f = n + values_ + quantities * row * width + k;
    return {floats_ ? std::bit_cast<double>(g[at]) : static_cast<double>(g[at]), std::bit_cast<double>(f[0]),
            std::bit_cast<double>(f[width]), std::bit_cast<double>(f[2 * width]), n[at]};
}

DiagonalPart GramTotals::delay(std::size_t bin, std::size_t tau) const {
    const std::size_t diagonal = tau / tile_, within = tau % tile_;
    DiagonalPart sum = part(bin, diagonal, within + tile_ - 1);
    if (within > 0 && diagonal + 1 < tile_rows_) sum.merge(part(bin, diagonal + 1, within - 1));
    return sum;
}

}  // namespace ks::gpu::xpcs
