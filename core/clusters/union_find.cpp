#include "core/clusters/union_find.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "core/clusters/result.h"
#include "core/run/stopwatch.h"

namespace ks::clusters {
namespace {

constexpr std::size_t largest_grid = std::size_t{1}
                                     << 21;  // cells: two of them fit in a cache of the second level
constexpr std::uint32_t most_in_grid = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint32_t dropped = 0xffffffff;

}  // namespace

BlockLabeller::BlockLabeller(const ClusterProblem& problem) : problem_(problem) {
    // A column of empty cells before each row is also the one behind the row before; a row of them at each
    // end.
    const std::size_t width = std::size_t{problem.extent_x()} + 1,
                      height = std::size_t{problem.extent_y()} + 2;
    if (width * height + 2 > largest_grid) return;
    stride_ = width;
    for (auto& grid : grids_) grid.assign(width * height + 2, 0);
}

void BlockLabeller::label(const ModuleDigis::Block& block, std::span<std::int32_t> labels) {
    sort_by_slot(block, labels);
    parent_.resize(digis_.size());
    std::iota(parent_.begin(), parent_.end(), 0U);
    const auto in_grid = [this](std::size_t slot) {
        return stride_ != 0 && starts_[slot + 1] - starts_[slot] <= most_in_grid;
    };
    for (std::size_t slot = 0; slot < block.slots + 1; ++slot) {
        if (slot < block.slots && in_grid(slot)) put(grids_[slot % 2], slot);
        if (slot == 0) continue;
        if (in_grid(slot - 1))
            connect(grids_[(slot - 1) % 2], slot - 1);
        else
            connect_in_order(slot - 1);
    }
    // Parents are never larger and come earlier: one step leads to the root.
    for (std::uint32_t& parent : parent_)
        if (parent != dropped) parent = parent_[parent];
    if (problem_.cuts_charge()) cut_charges(block.first_slot);
    write_labels(labels);
}

void BlockLabeller::sort_by_slot(const ModuleDigis::Block& block, std::span<std::int32_t> labels) {
    const auto slots = problem_.slot().subspan(block.first_row, block.rows);
    const std::uint16_t* const xs = problem_.x().data() + block.first_row;
    const std::uint16_t* const ys = problem_.y().data() + block.first_row;
    const auto first_slot = static_cast<std::uint32_t>(block.first_slot);
    starts_.assign(block.slots + 2, 0);
    // Counted two places ahead, so that placing the digis moves the starts to where they belong.
    for (const std::uint32_t slot : slots)
        if (slot != ModuleDigis::no_slot) ++starts_[slot - first_slot + 2];
    for (std::size_t slot = 0; slot < block.slots; ++slot) starts_[slot + 2] += starts_[slot + 1];
    digis_.resize(starts_[block.slots + 1]);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i] == ModuleDigis::no_slot) {
            labels[block.first_row + i] = label_invalid;
            continue;
        }
        const std::size_t cell = stride_ != 0 ? (std::size_t{ys[i]} + 1) * stride_ + xs[i] + 1
                                              : (std::size_t{ys[i]} << 16 | xs[i]);
        digis_[starts_[slots[i] - first_slot + 1]++] = {static_cast<std::uint32_t>(cell),
                                                        static_cast<std::int32_t>(block.first_row + i)};
    }
}

void BlockLabeller::put(std::vector<std::uint16_t>& grid, std::size_t slot) {
    const std::uint32_t start = starts_[slot], count = starts_[slot + 1] - start;
    if (copies_.size() < count) copies_.resize(count);
    std::size_t copies = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint16_t& cell = grid[digis_[start + i].cell];
        copies_[copies] = {i, cell};
        copies += cell != 0 ? 1U : 0U;
        cell = static_cast<std::uint16_t>(i + 1);
    }
    for (std::size_t k = 0; k < copies; ++k) {
        const std::uint32_t one = start + copies_[k].first, other = start + copies_[k].second - 1;
        if (!problem_.drops_duplicates()) {
            join(one, other);
            continue;
        }
        parent_[one] = parent_[other] = dropped;
        grid[digis_[one].cell] = 0;
    }
}

void BlockLabeller::connect(std::vector<std::uint16_t>& grid, std::size_t slot) {
    const std::uint32_t start = starts_[slot], count = starts_[slot + 1] - start;
    if (edges_.size() < 4 * std::size_t{count} + 4) edges_.resize(4 * std::size_t{count} + 4);
    // Written whether there is a neighbour or not, and kept only where there is: nothing for the processor to
    // guess.
    Edge* edge = edges_.data();
    const bool corners = problem_.connectivity() == 8;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint16_t* const here = grid.data() + digis_[start + i].cell;
        const auto look = [&edge, i](std::uint16_t neighbour) {
            *edge = {i, neighbour};
            edge += neighbour != 0 ? 1 : 0;
        };
        look(here[1]);
        look(here[stride_]);
        if (!corners) continue;
        look(here[stride_ - 1]);
        look(here[stride_ + 1]);
    }
    for (std::uint32_t i = 0; i < count; ++i) grid[digis_[start + i].cell] = 0;
    for (const Edge* at = edges_.data(); at != edge; ++at)
        if (parent_[start + at->first] != dropped) join(start + at->first, start + at->second - 1);
}

void BlockLabeller::connect_in_order(std::size_t slot) {
    struct Pixel {
        std::uint32_t y, x, digi;
        bool operator<(const Pixel& other) const {
            return y != other.y ? y < other.y : x != other.x ? x < other.x : digi < other.digi;
        }
    };
    std::vector<Pixel> pixels;
    pixels.reserve(starts_[slot + 1] - starts_[slot]);
    for (std::uint32_t i = starts_[slot]; i < starts_[slot + 1]; ++i) {
        const auto row = static_cast<std::size_t>(digis_[i].row);
        pixels.push_back({problem_.y()[row], problem_.x()[row], i});
    }
    std::ranges::sort(pixels, std::less());
    // One digi a pixel; its copies are joined to it, or all of them leave.
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
}

std::uint32_t BlockLabeller::root(std::uint32_t digi) {
    while (parent_[digi] != digi) {
        parent_[digi] = parent_[parent_[digi]];
        digi = parent_[digi];
    }
    return digi;
}

void BlockLabeller::join(std::uint32_t one, std::uint32_t other) {
    one = root(one);
    other = root(other);
    if (one < other)
        parent_[other] = one;
    else
        parent_[one] = other;
}

/// Afterwards charge_ of a root is 1 where its cluster is kept and 0 where it is cut.
void BlockLabeller::cut_charges(std::size_t first_slot) {
    charge_.assign(digis_.size(), 0);
    for (std::size_t i = 0; i < digis_.size(); ++i)
        if (parent_[i] != dropped)
            charge_[parent_[i]] += problem_.adc()[static_cast<std::size_t>(digis_[i].row)];
    for (std::size_t slot = 0; slot + 2 < starts_.size(); ++slot) {
        const std::uint64_t cut = problem_.charge_cut(first_slot + slot);
        for (std::uint32_t i = starts_[slot]; i < starts_[slot + 1]; ++i)
            charge_[i] = charge_[i] >= cut ? 1 : 0;
    }
}

void BlockLabeller::write_labels(std::span<std::int32_t> labels) {
    const bool cuts = problem_.cuts_charge();
    for (std::size_t i = 0; i < digis_.size(); ++i) {
        std::int32_t& label = labels[static_cast<std::size_t>(digis_[i].row)];
        if (parent_[i] == dropped)
            label = label_duplicate;
        else
            label = cuts && charge_[parent_[i]] == 0 ? label_cut : digis_[parent_[i]].row;
    }
}

Result run_union_find(const ClusterProblem& problem, HostContext& context) {
    Stopwatch watch;
    Array made = make_labels(problem);
    const std::span<std::int32_t> labels = made.as<std::int32_t>();
    const auto& blocks = problem.shared()->blocks();
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
