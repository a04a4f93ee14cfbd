#include "core/clusters/labelling/union_find.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/clusters/result.h"

namespace ks::clusters {
namespace {

constexpr std::size_t largest_grid = std::size_t{1} << 21;  // cells: two grids fit in an L2 cache
constexpr std::uint16_t empty = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint32_t dropped = 0xffffffff;

}  // namespace

BlockLabeller::BlockLabeller(const ClusterProblem& problem)
    : problem_(problem), find_neighbours_(nullptr), parent_(std::size_t{empty} + 1) {
    // Differences of coordinates must not wrap around to those of neighbours.
    const std::vector<FindNeighbours> usable = find_neighbours_here();
    if (problem.extent_x() < empty && problem.extent_y() < empty && !usable.empty())
        find_neighbours_ = usable.front();
    // A column of empty cells before each row also terminates the previous row; an empty row at each end.
    const std::size_t width = std::size_t{problem.extent_x()} + 1,
                      height = std::size_t{problem.extent_y()} + 2;
    if (width * height + 2 > largest_grid) return;
    stride_ = width;
    for (Grid& grid : grids_) grid.cells.assign(width * height + 2, empty);
}

void BlockLabeller::label(const ModuleDigis::Block& block, std::span<std::int32_t> labels) {
    sort_by_slot(block, labels);
    const bool corners = problem_.connectivity() == 8;
    for (std::size_t next = 0; next < block.slots + 1; ++next) {
        if (next < block.slots && in_grid(next)) put(grids_[next % 2], digis_of(next));
        if (next == 0) continue;
        const std::size_t slot = next - 1;
        const auto digis = digis_of(slot);
        if (in_masks(slot))
            connect_few(digis);
        else if (!in_grid(slot))
            connect_in_order(digis);
        else if (corners)
            connect<true>(grids_[slot % 2], digis);
        else
            connect<false>(grids_[slot % 2], digis);
        write_labels(block.first_slot + slot, digis, labels);
    }
}

std::span<const BlockLabeller::Digi> BlockLabeller::digis_of(std::size_t slot) const {
    return std::span(digis_).subspan(starts_[slot], starts_[slot + 1] - starts_[slot]);
}

bool BlockLabeller::in_masks(std::size_t slot) const {
    return find_neighbours_ != nullptr && starts_[slot + 1] - starts_[slot] <= max_in_masks;
}

bool BlockLabeller::in_grid(std::size_t slot) const {
    return stride_ != 0 && !in_masks(slot) && starts_[slot + 1] - starts_[slot] < empty;
}

void BlockLabeller::sort_by_slot(const ModuleDigis::Block& block, std::span<std::int32_t> labels) {
    const auto slots = problem_.slot().subspan(block.first_row, block.rows);
    const std::uint16_t* const xs = problem_.x().data() + block.first_row;
    const std::uint16_t* const ys = problem_.y().data() + block.first_row;
    const auto first_slot = static_cast<std::uint32_t>(block.first_slot);
    starts_.assign(block.slots + 2, 0);
    // Counted with an offset of two, so that placing the digis advances the starts to their final values.
    for (const std::uint32_t slot : slots)
        if (slot != ModuleDigis::no_slot) ++starts_[slot - first_slot + 2];
    for (std::size_t slot = 0; slot < block.slots; ++slot) starts_[slot + 2] += starts_[slot + 1];
    digis_.resize(starts_[block.slots + 1]);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i] == ModuleDigis::no_slot) {
            labels[block.first_row + i] = label_invalid;
            continue;
        }
        digis_[starts_[slots[i] - first_slot + 1]++] = {xs[i], ys[i],
                                                        static_cast<std::int32_t>(block.first_row + i)};
    }
}

void BlockLabeller::put(Grid& grid, std::span<const Digi> digis) {
    if (grid.copies.size() < digis.size() + 1) grid.copies.resize(2 * digis.size() + 1);
    grid.n_copies = 0;
    for (std::uint32_t i = 0; i < digis.size(); ++i) {
        std::uint16_t& cell = grid.cells[cell_of(digis[i])];
        // Written unconditionally, but kept only if there was a digi.
        grid.copies[grid.n_copies] = {i, cell};
        grid.n_copies += cell != empty ? 1U : 0U;
        cell = static_cast<std::uint16_t>(i);
    }
}

/// Removes all copies of a pixel from the grid.
void BlockLabeller::drop_copies(Grid& grid, std::span<const Digi> digis) {
    std::fill_n(parent_.begin(), digis.size(), 0U);
    for (std::size_t k = 0; k < grid.n_copies; ++k) {
        const auto [one, other] = grid.copies[k];
        parent_[one] = parent_[other] = dropped;
        grid.cells[cell_of(digis[one])] = empty;
    }
}

template <bool corners>
void BlockLabeller::connect(Grid& grid, std::span<const Digi> digis) {
    const std::size_t s = stride_;
    std::uint32_t* const parent = parent_.data();
    const auto count = static_cast<std::uint32_t>(digis.size());
    const bool drops = grid.n_copies > 0 && problem_.drops_duplicates();
    if (drops) drop_copies(grid, digis);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint16_t* const here = grid.cells.data() + cell_of(digis[i]);
        std::uint32_t first = std::min<std::uint32_t>(
            i, std::min(std::min(here[1], *(here - 1)), std::min(here[s], *(here - s))));
        if constexpr (corners)
            first = std::min<std::uint32_t>(first, std::min(std::min(here[s + 1], here[s - 1]),
                                                            std::min(*(here - s - 1), *(here - s + 1))));
        // Parents come earlier, so their roots are known.
        if (!drops || parent[i] != dropped) parent[i] = first == i ? i : parent[first];
    }
    bool joined = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint16_t* const here = grid.cells.data() + cell_of(digis[i]);
        const std::uint32_t own = parent[i];
        bool differs = false;
        // A digi's own cell may hold a later copy, which no other digi points to.
        const auto look = [&](std::uint16_t other) { differs |= (other != empty) & (parent[other] != own); };
        look(here[0]);
        look(here[1]);
        look(here[s]);
        if constexpr (corners) {
            look(here[s - 1]);
            look(here[s + 1]);
        }
        if (!differs || own == dropped) continue;
        joined = true;
        const auto unite = [&](std::uint16_t other) {
            if (other != empty) join(i, other);
        };
        unite(here[0]);
        unite(here[1]);
        unite(here[s]);
        if constexpr (corners) {
            unite(here[s - 1]);
            unite(here[s + 1]);
        }
    }
    for (const Digi& digi : digis) grid.cells[cell_of(digi)] = empty;
    if (joined) flatten(count);
}

void BlockLabeller::connect_few(std::span<const Digi> digis) {
    for (std::size_t i = 0; i < digis.size(); ++i) {
        x_[i] = digis[i].x;
        y_[i] = digis[i].y;
    }
    find_neighbours_(x_, y_, digis.size(), problem_.connectivity() == 8, masks_);
    const std::uint64_t all =
        digis.size() == max_in_masks ? ~std::uint64_t{0} : (std::uint64_t{1} << digis.size()) - 1;
    const std::uint64_t gone = problem_.drops_duplicates() ? masks_.copies : 0;
    if (gone != 0) {
        for (std::size_t i = 0; i < digis.size(); ++i) {
            masks_.near[i] &= ~gone;
            if ((gone >> i & 1) != 0) parent_[i] = dropped;
        }
        return flood(all & ~gone);
    }
    // For each root: the digis in its tree, and those that they touch.
    std::uint64_t members[max_in_masks], touched[max_in_masks];
    for (std::uint32_t i = 0; i < digis.size(); ++i) {
        members[i] = touched[i] = 0;
        parent_[i] = i;
        const std::uint32_t root = parent_[static_cast<std::size_t>(std::countr_zero(masks_.near[i]))];
        parent_[i] = root;
        members[root] |= std::uint64_t{1} << i;
        touched[root] |= masks_.near[i];
    }
    // Touching is mutual between trees.
    std::uint64_t apart = 0;
    for (std::size_t i = 0; i < digis.size(); ++i)
        apart |= members[i] & (std::uint64_t{members[i] == touched[i]} - 1);
    if (apart != 0) flood(apart);
}

/// Clusters of the digis `left` from their masks.
void BlockLabeller::flood(std::uint64_t left) {
    while (left != 0) {
        const auto root = static_cast<std::uint32_t>(std::countr_zero(left));
        std::uint64_t cluster = 0;
        for (std::uint64_t border = std::uint64_t{1} << root; border != 0;) {
            const auto digi = static_cast<std::size_t>(std::countr_zero(border));
            parent_[digi] = root;
            cluster |= std::uint64_t{1} << digi;
            border = (border | masks_.near[digi]) & ~cluster;
        }
        left &= ~cluster;
    }
}

void BlockLabeller::connect_in_order(std::span<const Digi> digis) {
    struct Pixel {
        std::uint32_t y, x, digi;
        bool operator<(const Pixel& other) const {
            return y != other.y ? y < other.y : x != other.x ? x < other.x : digi < other.digi;
        }
    };
    if (parent_.size() < digis.size()) parent_.resize(digis.size());
    std::iota(parent_.begin(), parent_.begin() + static_cast<std::ptrdiff_t>(digis.size()), 0U);
    std::vector<Pixel> pixels;
    pixels.reserve(digis.size());
    for (std::uint32_t i = 0; i < digis.size(); ++i) {
        const auto row = static_cast<std::size_t>(digis[i].row);
        pixels.push_back({problem_.y()[row], problem_.x()[row], i});
    }
    std::ranges::sort(pixels, std::less());
    // One digi per pixel; copies are joined to it, or all of them are dropped.
    std::size_t kept = 0;
    for (std::size_t i = 0, end = 0; i < pixels.size(); i = end) {
        for (end = i + 1; end < pixels.size() && pixels[end].y == pixels[i].y && pixels[end].x == pixels[i].x;
             ++end)
            if (!problem_.drops_duplicates()) join(pixels[i].digi, pixels[end].digi);
        if (problem_.drops_duplicates() && end - i > 1)
            for (std::size_t k = i; k < end; ++k) parent_[pixels[k].digi] = dropped;
        else
            pixels[kept++] = pixels[i];
    }
    const std::uint32_t reach = problem_.connectivity() == 8 ? 1 : 0;
    for (std::size_t i = 1, above = 0; i < kept; ++i) {
        const Pixel& pixel = pixels[i];
        if (pixels[i - 1].y == pixel.y && pixels[i - 1].x + 1 == pixel.x)
            join(pixels[i - 1].digi, pixel.digi);
        const auto before = [&](const Pixel& other) {
            return other.y + 1 < pixel.y || (other.y + 1 == pixel.y && other.x + reach < pixel.x);
        };
        while (above < i && before(pixels[above])) ++above;
        for (std::size_t k = above; k < i && pixels[k].y + 1 == pixel.y && pixels[k].x <= pixel.x + reach;
             ++k)
            join(pixels[k].digi, pixel.digi);
    }
    flatten(digis.size());
}

std::uint32_t BlockLabeller::root_of(std::uint32_t digi) {
    while (parent_[digi] != digi) {
        parent_[digi] = parent_[parent_[digi]];
        digi = parent_[digi];
    }
    return digi;
}

void BlockLabeller::join(std::uint32_t one, std::uint32_t other) {
    one = root_of(one);
    other = root_of(other);
    if (one < other)
        parent_[other] = one;
    else
        parent_[one] = other;
}

/// Parents are never larger and come earlier: one step leads to the root.
void BlockLabeller::flatten(std::size_t digis) {
    for (std::size_t i = 0; i < digis; ++i)
        if (parent_[i] != dropped) parent_[i] = parent_[parent_[i]];
}

void BlockLabeller::write_labels(std::size_t slot, std::span<const Digi> digis,
                                 std::span<std::int32_t> labels) {
    const auto label_of = [&](std::size_t i) -> std::int32_t& {
        return labels[static_cast<std::size_t>(digis[i].row)];
    };
    for (std::size_t i = 0; i < digis.size(); ++i)
        label_of(i) = parent_[i] == dropped ? label_duplicate : digis[parent_[i]].row;
    if (!problem_.cuts_charge()) return;
    charge_.assign(digis.size(), 0);
    for (std::size_t i = 0; i < digis.size(); ++i)
        if (parent_[i] != dropped)
            charge_[parent_[i]] += problem_.adc()[static_cast<std::size_t>(digis[i].row)];
    for (std::size_t i = 0; i < digis.size(); ++i)
        if (parent_[i] != dropped && charge_[parent_[i]] < problem_.charge_cut(slot)) label_of(i) = label_cut;
}

Result run_union_find(const ClusterProblem& problem, HostContext& context) {
    Stopwatch watch;
    Array made = make_labels(problem);
    const std::span<std::int32_t> labels = made.as<std::int32_t>();
    const auto blocks = problem.blocks();
    const std::size_t workers =
        std::clamp<std::size_t>(context.threads, 1, std::max<std::size_t>(1, blocks.size()));
    parallel_for(workers, context.threads, context.progress, [&](std::size_t worker) {
        BlockLabeller labeller(problem);
        for (std::size_t i = worker; i < blocks.size(); i += workers) {
            context.progress.check();
            labeller.label(blocks[i], labels);
        }
    });
    add(context.timings, {.stage = "label", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return to_result(problem, std::move(made), context.timings);
}

}  // namespace ks::clusters
