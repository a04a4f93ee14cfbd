#include "core/xpcs/analysis.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/data/partition/label_rows.h"

namespace ks::xpcs {
namespace {

/// The begin of a unit: its first bin, and the first delay in that bin.
struct Begin {
    std::size_t bin = 0, delay = 0;
};

/// Pairs of frames at delays [0, end).
double pairs(std::size_t frames, std::size_t end) {
    const auto delays = static_cast<double>(end);
    return delays * static_cast<double>(frames) - delays * (delays - 1) / 2;
}

/// The number of delay ranges for a bin with this share of the work.
std::size_t ranges_of(double share) {
    constexpr double much = 0.125, of_all = 32;
    return share > much ? static_cast<std::size_t>(share * of_all) : 1;
}

/// Adds the ranges of a bin except the first: of equal work, as far as ranges can begin at tiles.
void add_ranges(const CorrelationProblem& problem, std::size_t bin, std::vector<Begin>& begins) {
    constexpr std::size_t step = 64;  // frames of the largest tile
    const double share = static_cast<double>(problem.partition().bin_size(bin)) /
                         static_cast<double>(problem.partition().selected());
    const std::size_t ranges = bin + 1 == problem.two_time_bin() ? 1 : ranges_of(share);
    const double all = pairs(problem.frames(), problem.delays());
    std::size_t done = 1;
    for (std::size_t delay = step; delay < problem.delays() && done < ranges; delay += step) {
        const double part = pairs(problem.frames(), delay) / all * static_cast<double>(ranges);
        if (part < static_cast<double>(done)) continue;
        begins.push_back({bin, delay});
        done = static_cast<std::size_t>(part) + 1;
    }
}

/// The begin of each unit, and the end of the last one.
std::vector<Begin> begins_of_units(const CorrelationProblem& problem) {
    std::vector<Begin> begins{{}};
    const std::size_t bins = problem.partition().bins();
    for (std::size_t bin = 0; bin < bins; ++bin) {
        if (problem.partition().bin_size(bin) == 0) continue;
        add_ranges(problem, bin, begins);
        begins.push_back({bin + 1, 0});
    }
    if (begins.size() > 1) begins.back() = {bins, 0};
    return begins;
}

/// Number of products from the first bin to the begin of a unit.
double work_before(const CorrelationProblem& problem, const Begin& begin) {
    const std::vector<std::uint32_t>& offsets = problem.partition().offsets();
    const double before = offsets[begin.bin] * pairs(problem.frames(), problem.delays());
    if (begin.delay == 0) return before;
    return before + static_cast<double>(problem.partition().bin_size(begin.bin)) *
                        pairs(problem.frames(), begin.delay);
}

/// The column of a delay among those that are computed, or of the first larger one.
std::size_t column_of(std::size_t delay, const std::vector<std::size_t>& computed) {
    if (computed.empty()) return delay;
    return static_cast<std::size_t>(std::ranges::lower_bound(computed, delay) - computed.begin());
}

/// Copies the rows of a part from `from` to `to` to their destination. As consecutive rows of a part are
/// contiguous, they form one range of [bin][column] of the whole.
/// @param computed the delay of each column; empty: a column per frame
void put_part(const Dataset& rows, const Begin& from, const Begin& to,
              const std::vector<std::size_t>& computed, std::vector<double>& all) {
    const std::size_t columns = rows.values.shape().back(), before = column_of(from.delay, computed),
                      first = from.bin * columns + before,
                      end = to.bin * columns + column_of(to.delay, computed);
    const auto values = rows.values.as<double>();
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(before), end - first,
                all.begin() + static_cast<std::ptrdiff_t>(first));
}

/// The delays that a part computed; empty: all.
std::vector<std::size_t> computed_delays(const Result& part) {
    const Dataset* const axis = part.find("delay");
    if (axis == nullptr) return {};
    const auto delays = axis->values.as<std::int64_t>();
    return {delays.begin(), delays.end()};
}

/// Whether every part reads the frames again.
bool reads_again(const CorrelationProblem& problem) {
    return problem.resident().empty();
}

}  // namespace

ShareUnits units_of(const CorrelationProblem& problem) {
    if (problem.keep_pairs)
        return {.why_not = "it keeps the pairs of all bins, which one device must compute; choose one"};
    ShareUnits units{.name = "bins", .rounded = true, .reads_all = reads_again(problem)};
    const std::vector<Begin> begins = begins_of_units(problem);
    units.count = begins.size() - 1;
    for (std::size_t unit = 0; unit < units.count; ++unit)
        units.work.push_back(work_before(problem, begins[unit + 1]) - work_before(problem, begins[unit]));
    return units;
}

std::shared_ptr<const Problem> part_of(const std::shared_ptr<const CorrelationProblem>& whole,
                                       std::size_t first, std::size_t end) {
    const std::vector<Begin> begins = begins_of_units(*whole);
    const Begin &from = begins[first], &to = begins[end];
    if (to.delay == 0) return whole->part(from.bin, to.bin, from.delay, whole->delays());
    return whole->part(from.bin, to.bin + 1, from.delay, to.delay);
}

Result part_result(Correlation correlation) {
    Result result;
    const auto put = [&](const char* name, std::vector<double>& values, std::size_t rows) {
        const std::size_t columns = values.size() / rows;
        result.datasets.push_back(
            {name, name, "", DataKind::overlay, Array::taken<double>({rows, columns}, std::move(values))});
    };
    put("g2", correlation.g2, correlation.bins);
    put("g2_err", correlation.g2_err, correlation.bins);
    if (!correlation.delays.empty()) {
        const std::vector<std::int64_t> delays(correlation.delays.begin(), correlation.delays.end());
        result.datasets.push_back(
            {"delay", "delay", "frames", DataKind::axis, Array::of<std::int64_t>({delays.size()}, delays)});
    }
    if (!correlation.events.empty())
        result.datasets.push_back({"events", "counts other than 0", "", DataKind::overlay,
                                   Array::of<std::uint64_t>({correlation.bins}, correlation.events)});
    if (!correlation.two_time.empty()) put("two_time", correlation.two_time, correlation.frames);
    return result;
}

Result joined_bins(const CorrelationProblem& whole, std::vector<PartResult> parts, std::vector<Timing>&) {
    if (parts.size() == 1) return std::move(parts.front().result);
    Correlation all{.bins = whole.partition().bins(),
                    .frames = whole.frames(),
                    .g2 = {},
                    .g2_err = {},
                    .two_time = {},
                    .made = whole.estimate};
    all.delays = computed_delays(parts.front().result);
    const std::size_t columns = all.delays.empty() ? all.frames : all.delays.size();
    resize_large(all.g2, all.bins * columns);
    resize_large(all.g2_err, all.bins * columns);
    const std::vector<Begin> begins = begins_of_units(whole);
    for (const PartResult& part : parts) {
        const Begin &from = begins[part.first], &to = begins[part.end];
        put_part(part.result.at("g2"), from, to, all.delays, all.g2);
        put_part(part.result.at("g2_err"), from, to, all.delays, all.g2_err);
        if (const Dataset* const events = part.result.find("events")) {
            all.events.resize(all.bins);
            std::ranges::copy(events->values.as<std::uint64_t>(),
                              all.events.begin() + static_cast<std::ptrdiff_t>(from.bin));
        }
        const Dataset* const map = part.result.find("two_time");
        if (map == nullptr) continue;
        const auto values = map->values.as<double>();
        all.two_time.assign(values.begin(), values.end());
    }
    Result result = to_result(std::move(all), whole);
    for (const char* of_variant : {"product", "averaging"})
        if (const auto fact = parts.front().result.facts.find(of_variant);
            fact != parts.front().result.facts.end())
            result.facts[of_variant] = *fact;
    const auto is_exact = [](const PartResult& part) { return part.result.facts.value("exact_sums", false); };
    if (parts.front().result.facts.contains("exact_sums"))
        result.facts["exact_sums"] = std::ranges::all_of(parts, is_exact);
    if (reads_again(whole))
        result.warnings.push_back(fmt::format(
            "the frames do not fit into memory, so they were read {} times, once per part", parts.size()));
    return result;
}

}  // namespace ks::xpcs
