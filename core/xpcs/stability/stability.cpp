#include "core/xpcs/stability/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/run/parameter_rows.h"
#include "core/xpcs/pairs/reduced_frames.h"
#include "core/xpcs/regroup.h"

namespace ks::xpcs {
namespace {

constexpr const char* parameter_id = "stability";
/// With more, a change would have to be larger to be told from scatter.
constexpr std::size_t most_ranges = 2;
/// How long deviations of g2 stay correlated, as a share of the time in which g2 decays: as (g2 - 1)^2 if
/// fields are Gaussian, and less because of photon noise. With this share, alarms are as rare as stated
/// (docs/dev/numerics.md).
constexpr double share_of_decay = 0.25;

/// Delays [first, end) whose g2 is averaged for the test.
struct DelayPart {
    std::size_t first, end;
};

/// Up to `count` ranges that divide the delays 1 .. longest evenly on a logarithmic axis.
std::vector<DelayPart> delay_parts(std::size_t longest, std::size_t count) {
    std::vector<DelayPart> parts;
    std::size_t next = 1;
    for (std::size_t part = 1; part <= count; ++part) {
        const double end =
            std::pow(static_cast<double>(longest), static_cast<double>(part) / static_cast<double>(count));
        const auto last = part == count ? longest : static_cast<std::size_t>(std::lround(end));
        if (last < next) continue;
        parts.push_back({next, last + 1});
        next = last + 1;
    }
    return parts;
}

/// The mean of g2 over delays; NaN if it is not defined at one of them.
double mean_over(const Curve& curve, const DelayPart& part) {
    double sum = 0;
    for (std::size_t delay = part.first; delay < part.end; ++delay) sum += curve.g2[delay];
    return sum / static_cast<double>(part.end - part.first);
}

/// Frames after which g2 - 1 has fallen to 1 / e of its value at delay 1, extrapolated where it has not;
/// nothing if g2 does not exceed 1 at delay 1.
std::optional<double> decay_time(const std::vector<const Curve*>& segments, std::size_t longest) {
    const auto excess = [&](std::size_t delay) {
        double sum = 0;
        for (const Curve* const one : segments) sum += one->g2[delay] - 1;
        return sum / static_cast<double>(segments.size());
    };
    const double whole = excess(1);
    if (!(whole > 0)) return std::nullopt;
    for (std::size_t delay = 2; delay <= longest; ++delay)
        if (excess(delay) < whole / std::exp(1)) return static_cast<double>(delay);
    const double share = std::min(excess(longest) / whole, 0.9999);
    return longest > 1 ? -static_cast<double>(longest - 1) / std::log(share) : 1.0;
}

/// All counts of some frames as T, which BinPairs takes.
template <class T>
class SegmentRows {
  public:
    SegmentRows(const CorrelationProblem& problem, std::size_t length)
        : problem_(problem), length_(length), counts_(problem.partition().selected() * length) {}
    void read(std::size_t first) {
        problem_.gather<T>(0, problem_.partition().bins(), first, length_, 1, counts_.data());
    }
    BinCounts<T> bin(std::size_t bin) const {
        const std::size_t n = problem_.partition().bin_size(bin);
        return {counts_.data() + problem_.partition().offsets()[bin] * length_, length_, n, n};
    }

  private:
    const CorrelationProblem& problem_;
    std::size_t length_;
    std::vector<T> counts_;
};

template <class T>
void add_curves(const CorrelationProblem& problem, std::size_t segments, std::uint64_t memory,
                const Workers& workers, std::vector<BinStability>& bins) {
    const std::size_t length = problem.frames() / segments, delays = std::min(length, problem.delays());
    require_within(memory,
                   host_bytes(problem) + std::uint64_t{problem.partition().selected()} * length * sizeof(T) +
                       std::uint64_t{BinPairs::pairs_of(length, delays)} * sizeof(std::uint64_t),
                   "the counts of a segment on the host", parameter_id);
    const Estimate estimate = estimate_of_segments(problem.estimate);
    SegmentRows<T> rows(problem, length);
    std::vector<bool> used(length);
    for (std::size_t segment = 0; segment < segments; ++segment) {
        const std::size_t first = segment * length;
        workers.progress.report(static_cast<double>(segment) / static_cast<double>(segments), "stability");
        rows.read(first);
        for (std::size_t t = 0; t < length; ++t) used[t] = problem.used(first + t);
        for (std::size_t bin = 0; bin < bins.size(); ++bin) {
            if (problem.partition().bin_size(bin) == 0) continue;
            const BinPairs pairs(rows.bin(bin), delays, problem.max_count(), workers.threads,
                                 workers.progress);
            bins[bin].segments.push_back(curve_of({&pairs, 1}, estimate, used, delays, workers));
        }
    }
}

void find_changes(std::vector<BinStability>& bins, std::size_t length, const Workers& workers) {
    parallel_for(bins.size(), workers.threads, workers.progress,
                 [&](std::size_t bin) { find_change(bins[bin], length); });
}

}  // namespace

ParameterSpec stability_parameter() {
    ParameterSpec spec = parameter::optional_whole(
        parameter_id, "Stability", "segments", "none", fewest_segments, most_segments,
        "Number of equal segments of the series whose g2 is computed and tested for a change");
    spec.adds_results = true;
    return spec;
}

std::optional<std::int64_t> segments_asked_for(const ParameterSet& parameters) {
    return parameters.contains(parameter_id) ? optional_integer(parameters, parameter_id) : std::nullopt;
}

Segments segments_of_series(std::size_t count, std::size_t frames) {
    const Segments segments{.count = count, .length = frames / std::max<std::size_t>(count, 1)};
    if (count < fewest_segments || count > most_segments)
        throw Error(
            ErrorKind::input,
            fmt::format("expected {} to {} segments, found {}", fewest_segments, most_segments, count),
            parameter_id);
    if (segments.length < 2)
        throw Error(ErrorKind::input,
                    fmt::format("{} segments of at least 2 frames need {} frames, found {}", count, 2 * count,
                                frames),
                    parameter_id, "use fewer segments");
    return segments;
}

std::optional<Segments> segments_of(const ParameterSet& parameters, std::size_t frames) {
    const auto count = segments_asked_for(parameters);
    if (!count) return std::nullopt;
    estimate_of_segments(estimate_of(parameters));
    Segments segments = segments_of_series(static_cast<std::size_t>(*count), frames);
    segments.first = static_cast<std::size_t>(integer(parameters, "first_frame"));
    segments.reduction = reduction_of(parameters);
    return segments;
}

ErrorMethod errors_of_segments(ErrorMethod of_series) {
    return of_series == ErrorMethod::bootstrap ? ErrorMethod::bootstrap : ErrorMethod::published;
}

Estimate estimate_of_segments(Estimate estimate) {
    if (estimate.estimator == Estimator::two_level)
        throw Error(ErrorKind::input,
                    "g2 of segments is computed from all pixels of a bin, but the estimator two-level takes "
                    "the static bins inside it",
                    parameter_id, "use another estimator");
    estimate.errors = errors_of_segments(estimate.errors);
    return estimate;
}

std::vector<BinStability> stability_of(const std::vector<BinPairs>& bins, const std::vector<bool>& used,
                                       const Estimate& estimate, std::size_t segments,
                                       const Workers& workers) {
    const std::size_t length = segments_of_series(segments, used.size()).length;
    const Estimate of_segments = estimate_of_segments(estimate);
    std::vector<BinStability> found(bins.size());
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
        if (bins[bin].frames() > 0)
            found[bin].segments = curves_of_parts(bins[bin], of_segments, used, segments, workers);
    find_changes(found, length, workers);
    return found;
}

std::vector<BinStability> stability_of(const CorrelationProblem& problem, std::size_t segments,
                                       std::uint64_t memory, const Workers& workers) {
    const std::size_t length = segments_of_series(segments, problem.frames()).length;
    std::vector<BinStability> found(problem.partition().bins());
    if (problem.compact() == ElementType::f32)
        add_curves<float>(problem, segments, memory, workers, found);
    else if (problem.compact() == ElementType::u32)
        add_curves<std::uint32_t>(problem, segments, memory, workers, found);
    else
        add_curves<std::uint16_t>(problem, segments, memory, workers, found);
    find_changes(found, length, workers);
    return found;
}

void find_change(BinStability& bin, std::size_t length) {
    if (bin.segments.empty()) {
        bin.why_not = "the bin has no pixels";
        return;
    }
    // At least half of the frames of a segment are the first of a pair.
    const std::size_t longest =
        std::min(bin.segments.front().g2.size() - 1, std::max<std::size_t>(length / 2, 1));
    std::vector<const Curve*> defined;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < bin.segments.size(); ++i)
        if (std::isfinite(mean_over(bin.segments[i], {1, longest + 1}))) {
            defined.push_back(&bin.segments[i]);
            indices.push_back(i);
        }
    if (longest == 0 || defined.size() < fewest_segments) {
        bin.why_not = longest == 0 ? std::string("there are no delays above 0")
                                   : fmt::format(
                                         "only {} segments have g2 at delays 1 to {}, and the test "
                                         "needs {}",
                                         defined.size(), longest, fewest_segments);
        return;
    }
    const std::vector<DelayPart> parts =
        delay_parts(longest, std::min({most_ranges, longest, defined.size() - 3}));
    std::vector<std::vector<double>> means;
    for (const Curve* const one : defined) {
        std::vector<double>& of_segment = means.emplace_back();
        for (const DelayPart& part : parts) of_segment.push_back(mean_over(*one, part));
    }
    const std::optional<double> decay = decay_time(defined, longest);
    const std::vector<double> all =
        correlation_of_means(bin.segments.size(), static_cast<double>(length),
                             decay ? share_of_decay * *decay : 1 / static_cast<double>(length));
    std::vector<double> correlation;
    for (const std::size_t i : indices)
        for (const std::size_t j : indices) correlation.push_back(all[i * bin.segments.size() + j]);
    bin.strongest = strongest_change(means, correlation);
    if (bin.strongest)
        bin.strongest->first = indices[bin.strongest->first];
    else
        bin.why_not = "g2 of the segments does not scatter";
}

std::string change_text(const BinStability& bin, const Segments& segments) {
    if (!bin.strongest) return "not tested: " + bin.why_not;
    const double p = bin.strongest->p;
    if (!bin.changes()) return fmt::format("no change found (p = {:.2g})", p);
    constexpr double smallest = 1e-9;  // the tail of a distribution that real data do not follow so far
    return fmt::format("from frame {} on: another sample, p {}", segments.first_of(bin.strongest->first),
                       p < smallest ? fmt::format("< {:.0e}", smallest) : fmt::format("= {:.2g}", p));
}

}  // namespace ks::xpcs
