#include "core/clusters/labelling/flood_fill.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/clusters/result.h"

namespace ks::clusters {
namespace {

/// Finds the digis at a pixel of a module.
class PixelMap {
  public:
    /// Digis are indices into `rows`; those at the same pixel are linked from `first` along `next`.
    PixelMap(const ClusterProblem& problem, std::span<const std::int32_t> rows) : next_(rows.size(), -1) {
        x_.reserve(rows.size());
        y_.reserve(rows.size());
        for (const std::int32_t row : rows) {
            x_.push_back(problem.x()[static_cast<std::size_t>(row)]);
            y_.push_back(problem.y()[static_cast<std::size_t>(row)]);
        }
        if (rows.empty()) return;
        width_ = *std::ranges::max_element(x_) + 1;
        height_ = *std::ranges::max_element(y_) + 1;
        const std::size_t cells = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
        if (cells <= 64 * rows.size() + 4096) grid_.assign(cells, -1);
        for (std::size_t i = rows.size(); i-- > 0;) {
            std::int32_t& first = cell(x_[i], y_[i]);
            next_[i] = first;
            first = static_cast<std::int32_t>(i);
        }
    }

    std::int32_t x(std::int32_t digi) const { return x_[static_cast<std::size_t>(digi)]; }
    std::int32_t y(std::int32_t digi) const { return y_[static_cast<std::size_t>(digi)]; }
    std::int32_t next(std::int32_t digi) const { return next_[static_cast<std::size_t>(digi)]; }
    /// The first digi at a pixel, -1 if there is none.
    std::int32_t first(std::int32_t x, std::int32_t y) const {
        if (x < 0 || y < 0 || x >= width_ || y >= height_) return -1;
        if (!grid_.empty()) return grid_[place(x, y)];
        const auto found = sparse_.find(place(x, y));
        return found == sparse_.end() ? -1 : found->second;
    }

  private:
    std::size_t place(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }
    std::int32_t& cell(std::int32_t x, std::int32_t y) {
        return grid_.empty() ? sparse_.try_emplace(place(x, y), -1).first->second : grid_[place(x, y)];
    }

    std::vector<std::int32_t> x_, y_, next_, grid_;
    std::unordered_map<std::size_t, std::int32_t> sparse_;  ///< used if a grid would be mostly empty
    std::int32_t width_ = 0, height_ = 0;
};

/// All digis that can be reached from `seed` by steps between neighbours, including itself; they are marked.
void fill(const PixelMap& pixels, int connectivity, std::int32_t seed, std::vector<bool>& reached,
          std::vector<std::int32_t>& members) {
    members.assign(1, seed);
    reached[static_cast<std::size_t>(seed)] = true;
    for (std::size_t at = 0; at < members.size(); ++at) {
        const std::int32_t x = pixels.x(members[at]), y = pixels.y(members[at]);
        for (std::int32_t dy = -1; dy <= 1; ++dy)
            for (std::int32_t dx = -1; dx <= 1; ++dx) {
                if (connectivity == 4 && dx != 0 && dy != 0) continue;
                for (std::int32_t other = pixels.first(x + dx, y + dy); other >= 0;
                     other = pixels.next(other)) {
                    if (reached[static_cast<std::size_t>(other)]) continue;
                    reached[static_cast<std::size_t>(other)] = true;
                    members.push_back(other);
                }
            }
    }
}

}  // namespace

SlotRows::SlotRows(const ClusterProblem& problem)
    : first_(problem.first_slot()), offsets_(problem.slots() + 1, 0) {
    for (const std::uint32_t slot : problem.slot())
        if (slot != ModuleDigis::no_slot) ++offsets_[slot - first_ + 1];
    for (std::size_t slot = 0; slot < problem.slots(); ++slot) offsets_[slot + 1] += offsets_[slot];
    rows_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::size_t row = 0; row < problem.digis(); ++row)
        if (const std::uint32_t slot = problem.slot()[row]; slot != ModuleDigis::no_slot)
            rows_[next[slot - first_]++] = static_cast<std::int32_t>(row);
}

std::vector<std::int32_t> flood_fill(const ClusterProblem& problem, std::size_t slot,
                                     std::span<const std::int32_t> rows) {
    const PixelMap pixels(problem, rows);
    std::vector<std::int32_t> labels(rows.size(), label_duplicate);
    std::vector<bool> reached(rows.size(), false);
    if (problem.drops_duplicates())
        for (std::int32_t digi = 0; digi < static_cast<std::int32_t>(rows.size()); ++digi) {
            const std::int32_t first = pixels.first(pixels.x(digi), pixels.y(digi));
            reached[static_cast<std::size_t>(digi)] = first != digi || pixels.next(digi) >= 0;
        }
    std::vector<std::int32_t> members;
    for (std::size_t seed = 0; seed < rows.size(); ++seed) {
        if (reached[seed]) continue;
        fill(pixels, problem.connectivity(), static_cast<std::int32_t>(seed), reached, members);
        std::uint64_t charge = 0;
        for (const std::int32_t digi : members)
            charge += problem.adc()[static_cast<std::size_t>(rows[static_cast<std::size_t>(digi)])];
        // Rows ascend, so the seed is the smallest of them.
        const bool kept = !problem.cuts_charge() || charge >= problem.charge_cut(slot);
        for (const std::int32_t digi : members)
            labels[static_cast<std::size_t>(digi)] = kept ? rows[seed] : label_cut;
    }
    return labels;
}

Result run_reference(const ClusterProblem& problem, HostContext& context) {
    Stopwatch watch;
    const SlotRows rows(problem);
    Array made = make_labels(problem);
    const std::span<std::int32_t> labels = made.as<std::int32_t>();
    std::ranges::fill(labels, label_invalid);
    constexpr std::size_t chunk = 256;
    const std::size_t chunks = (problem.slots() + chunk - 1) / chunk;
    parallel_for(chunks, context.threads, context.progress, [&](std::size_t part) {
        for (std::size_t place = part * chunk; place < std::min((part + 1) * chunk, problem.slots());
             ++place) {
            const std::size_t slot = problem.first_slot() + place;
            const auto some = rows.of(slot);
            const auto found = flood_fill(problem, slot, some);
            for (std::size_t i = 0; i < some.size(); ++i)
                labels[static_cast<std::size_t>(some[i])] = found[i];
        }
    });
    add(context.timings, {.stage = "flood fill", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return to_result(problem, std::move(made), context.timings);
}

}  // namespace ks::clusters
