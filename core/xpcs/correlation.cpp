#include "core/xpcs/correlation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/data/frame_ranges.h"
#include "core/input/frame_mask.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/derived_frames.h"
#include "core/xpcs/pairs/kept_pairs.h"
#include "core/xpcs/pairs/reduced_frames.h"
#include "core/xpcs/series/corrected_frames.h"

namespace ks::xpcs {
namespace {

/// "5 of 15 bins are empty: 4, 7 to 10"; a long list is shortened.
std::string empty_bins_text(const std::vector<std::size_t>& empty, std::size_t bins) {
    constexpr std::size_t shown = 20;
    std::string text =
        fmt::format("{} of {} bins {} empty: ", empty.size(), bins, empty.size() == 1 ? "is" : "are");
    std::size_t listed = 0;
    for (std::size_t i = 0; i < empty.size(); ++listed) {
        if (listed == shown) return text + ", ...";
        std::size_t last = i;
        while (last + 1 < empty.size() && empty[last + 1] == empty[last] + 1) ++last;
        text += fmt::format("{}{}", listed > 0 ? ", " : "", empty[i]);
        if (last > i) text += fmt::format("{}{}", last > i + 1 ? " to " : ", ", empty[last]);
        i = last + 1;
    }
    return text;
}

/// Extracts delays [0, delays) from [bin][frame].
Array cut(std::vector<double> values, std::size_t bins, std::size_t frames, std::size_t delays) {
    if (delays == frames) return Array::taken<double>({bins, frames}, std::move(values));
    std::vector<double> kept(bins * delays);
    for (std::size_t bin = 0; bin < bins; ++bin)
        std::copy_n(values.data() + bin * frames, delays, kept.data() + bin * delays);
    return Array::taken<double>({bins, delays}, std::move(kept));
}

/// The band of a two-time map with the requested delays.
Array band(std::vector<double> map, std::size_t frames, std::size_t delays) {
    for (std::size_t t1 = 0; t1 < frames && delays < frames; ++t1)
        for (std::size_t t2 = 0; t2 < frames; ++t2)
            if (std::max(t1, t2) - std::min(t1, t2) >= delays) map[t1 * frames + t2] = nan_value;
    return Array::taken<double>({frames, frames}, std::move(map));
}

/// Means over the delays of each point, of [bin][delay].
Array rebinned(const Array& dense, const Rebinning& rebinning, const std::vector<std::size_t>& pairs) {
    const std::size_t bins = dense.shape()[0], delays = dense.shape()[1];
    std::vector<double> all;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const std::vector<double> means =
            rebinning.means(dense.as<double>().subspan(bin * delays, delays), pairs);
        all.insert(all.end(), means.begin(), means.end());
    }
    return Array::of<double>({bins, all.size() / bins}, all);
}

/// Delays in frames: whole numbers, unless they are means.
Array delay_axis(const std::vector<double>& delay) {
    const bool whole = std::ranges::all_of(delay, [](double one) { return one == std::floor(one); });
    if (!whole) return Array::of<double>({delay.size()}, delay);
    return Array::of<std::int32_t>({delay.size()}, std::vector<std::int32_t>(delay.begin(), delay.end()));
}

/// @param delay in frames
void add_axes(Result& result, const CorrelationProblem& problem, std::size_t bins,
              const std::vector<double>& delay) {
    const std::size_t delays = delay.size();
    std::vector<std::int32_t> label(bins);
    std::iota(label.begin(), label.end(), 1);
    result.datasets.push_back({"label", "bin", "", DataKind::axis, Array::of<std::int32_t>({bins}, label)});
    result.datasets.push_back({"delay", "delay", "frames", DataKind::axis, delay_axis(delay)});
    if (problem.frame_time) {
        std::vector<double> seconds(delays);
        for (std::size_t i = 0; i < delays; ++i) seconds[i] = delay[i] * *problem.frame_time;
        result.datasets.push_back(
            {"delay_time", "delay", "s", DataKind::axis, Array::of<double>({delays}, seconds)});
    }
    std::vector<double> q(bins, nan_value), phi(bins, nan_value);
    for (std::size_t bin = 0; problem.has_meanings() && bin < bins; ++bin) {
        q[bin] = problem.meanings()[bin].q;
        phi[bin] = problem.meanings()[bin].phi;
    }
    result.datasets.push_back(
        {"q", "q", "1/angstrom", DataKind::axis, Array::of<double>({bins}, q), {"label"}});
    result.datasets.push_back(
        {"phi", "azimuth", "deg", DataKind::axis, Array::of<double>({bins}, phi), {"label"}});
}

const char* pixels_word(std::size_t n) {
    return n == 1 ? "pixel" : "pixels";
}

/// "--leave-out 36": the option that leaves out these frames in addition to those already left out.
std::string leave_out(const CorrelationProblem& problem, const FrameFaults& faults) {
    return io::leave_out_option(problem.scan()->all_out(faults.frames));
}

/// Whether leaving out the frames loses fewer counts than leaving out the pixels.
bool frames_are_fewer(const CorrelationProblem& problem, const FrameFaults& faults) {
    const auto pixels = static_cast<double>(problem.partition().selected() + problem.invalid_pixels());
    return static_cast<double>(faults.in_these_alone) / pixels >
           static_cast<double>(faults.frames.size()) / static_cast<double>(problem.scan()->used_frames());
}

/// "1200 pixels are invalid only in frame 36; use --leave-out 36 to keep these pixels"
void add_invalid_warnings(Result& result, const CorrelationProblem& problem) {
    const std::size_t n = problem.invalid_pixels();
    if (n == 0) return;
    const FrameFaults& some = problem.invalid_in_some();
    std::string text = fmt::format("{} invalid {} removed from {} ({})", n,
                                   n == 1 ? "pixel was" : "pixels were", n == 1 ? "its bin" : "their bins",
                                   io::invalid_words(type_of_counts(problem.scan()->source())));
    if (some.pixels == n)
        text += n == 1 ? "; it is invalid only in some frames" : "; they are invalid only in some frames";
    else if (some.pixels > 0)
        text += fmt::format("; {} of them {} invalid only in some frames", some.pixels,
                            some.pixels == 1 ? "is" : "are");
    result.warnings.push_back(text);
    const std::size_t alone = some.in_these_alone;
    if (alone == 0) return;
    text = fmt::format("{} {} {} invalid only in {}", alone, pixels_word(alone), alone == 1 ? "is" : "are",
                       ranges_in_words(problem.scan()->in_file(some.frames)));
    if (frames_are_fewer(problem, some))
        text += fmt::format("; use {} to keep {}", leave_out(problem, some),
                            alone == 1 ? "this pixel" : "these pixels");
    result.warnings.push_back(text);
}

void add_marked_warnings(Result& result, const CorrelationProblem& problem) {
    const std::size_t n = problem.marked_pixels();
    if (n == 0) return;
    const ElementType type = problem.source_type();
    result.warnings.push_back(io::marking_warning(
        fmt::format("{} {} in bins {} a count", n, pixels_word(n), n == 1 ? "has" : "have"), type));
    const FrameFaults& some = problem.marked_in_some();
    if (const std::size_t alone = some.in_these_alone; alone > 0)
        result.warnings.push_back(fmt::format(
            "{} {} {} the value {:.0f} only in {}; if {} bad, use {}", alone, pixels_word(alone),
            alone == 1 ? "has" : "have", io::marking_value(type).value_or(0),
            ranges_in_words(problem.scan()->in_file(some.frames)),
            some.frames.size() == 1 ? "this frame is" : "these frames are", leave_out(problem, some)));
}

/// Warns about requested delays without any pair.
void add_delay_warning(Result& result, const CorrelationProblem& problem) {
    if (problem.scan()->used_frames() == problem.frames()) return;
    const std::vector<std::size_t> pairs = problem.pairs();
    std::vector<std::size_t> lost;
    for (std::size_t delay = 0; delay < problem.delays(); ++delay)
        if (pairs[delay] == 0) lost.push_back(delay);
    if (!lost.empty())
        result.warnings.push_back(fmt::format("no pairs of frames are left at {}, so g2 is NaN there",
                                              ranges_in_words(lost, "delay")));
}

std::string error_title(ErrorMethod errors) {
    if (errors == ErrorMethod::published) return "standard error of g2";
    return fmt::format("standard error of g2 ({})", name_of(errors));
}

void add_facts(Result& result, const CorrelationProblem& problem) {
    const QPartition& partition = problem.partition();
    std::vector<std::size_t> empty;
    for (std::size_t bin = 0; bin < partition.bins(); ++bin)
        if (partition.bin_size(bin) == 0 && !std::ranges::binary_search(problem.unused_bins, bin + 1))
            empty.push_back(bin + 1);
    const std::size_t used = partition.bins() - problem.unused_bins.size();
    result.facts["frames"] = problem.frames();
    if (const std::size_t n = problem.frames() - problem.scan()->used_frames(); n > 0) {
        result.facts["left_out_frames"] = n;
        result.facts["left_out_of_series"] = frame_ranges(problem.left_out());
        result.facts["left_out_of_file"] = frame_ranges(problem.scan()->left_out_in_file());
    }
    result.facts["estimator"] = name_of(problem.estimate.estimator);
    result.facts["errors"] = name_of(problem.estimate.errors);
    if (!problem.reduction.none()) {
        result.facts["stride"] = problem.reduction.stride;
        result.facts["average"] = problem.reduction.average;
    }
    if (!problem.normalised_by.empty()) result.facts["normalised"] = problem.normalised_by;
    if (problem.correction) {
        if (problem.correction->dark) result.facts["dark"] = problem.correction->dark->name;
        if (problem.correction->flat) result.facts["flat"] = problem.correction->flat->name;
        result.facts["masked_by_dark"] = problem.correction->without_dark;
        result.facts["masked_by_flat"] = problem.correction->without_flat;
    }
    result.facts["bins"] = partition.bins();
    result.facts["empty_bins"] = empty.size();
    result.facts["pixels"] = partition.selected();
    if (problem.ignored) {
        result.facts["masked_pixels"] = problem.ignored->masked;
        result.facts["masked_by_file"] = problem.ignored->of_file;
        result.facts["masked_by_input"] = problem.ignored->of_given;
        result.facts["masked_in_bins"] = problem.masked_in_bins;
    }
    result.facts["invalid_pixels"] = problem.invalid_pixels();
    if (const std::size_t n = problem.invalid_in_some().pixels; n > 0)
        result.facts["invalid_in_some_frames"] = n;
    result.facts["saturated_pixels"] = problem.saturated_pixels();
    result.facts["max_count"] = problem.max_count();
    result.facts["compact_type"] = name_of(problem.compact());
    if (problem.frame_time) result.facts["frame_time"] = *problem.frame_time;
    if (problem.two_time_bin() > 0) result.facts["two_time_bin"] = problem.two_time_bin();
    if (!empty.empty()) result.warnings.push_back(empty_bins_text(empty, used));
    if (problem.scan()->used_frames() == 1)
        result.warnings.emplace_back("a single frame has g2 at delay 0 only, without an error");
    add_invalid_warnings(result, problem);
    add_marked_warnings(result, problem);
}

}  // namespace

double DiagonalSums::g2() const {
    return ss_over_n == 0 ? nan_value : g / ss_over_n;
}

double DiagonalSums::g2_err() const {
    if (terms == 0) return nan_value;
    if (terms == 1) return 0;
    const auto n = static_cast<double>(terms);
    const double mean = c1 / n;
    // Rounding can give a variance slightly below 0 where all terms are equal.
    return std::sqrt(std::max(c1_squared / n - mean * mean, 0.0) / n);
}

std::vector<double> delays_of(const Result& result) {
    if (const Dataset* axis = result.find("delay")) return axis->values.to_doubles();
    std::vector<double> all(result.at("g2").values.shape().back());
    std::iota(all.begin(), all.end(), 0.0);
    return all;
}

double frames_per_delay(const Run& run) {
    return static_cast<double>(reduction_of(run.request.parameters).step());
}

Result to_result(Correlation correlation, const CorrelationProblem& problem) {
    if (!(correlation.made == problem.estimate))
        throw Error(ErrorKind::run,
                    fmt::format("the variant computes the estimator {} with {} errors, but {} with {} errors "
                                "were requested",
                                name_of(correlation.made.estimator), name_of(correlation.made.errors),
                                name_of(problem.estimate.estimator), name_of(problem.estimate.errors)));
    if (problem.keep_pairs && correlation.pairs.empty())
        throw Error(ErrorKind::run, "the variant keeps no pairs of frames, but they were requested");
    if (problem.is_part()) return part_result(std::move(correlation));
    const bool dense = correlation.delays.empty();
    std::vector<double> axis(correlation.delays.begin(), correlation.delays.end());
    if (dense) {
        axis.resize(problem.delays());
        std::iota(axis.begin(), axis.end(), 0.0);
    }
    const std::size_t bins = correlation.bins, frames = correlation.frames, delays = axis.size(),
                      computed = dense ? frames : delays;
    Array g2 = cut(std::move(correlation.g2), bins, computed, delays),
          g2_err = cut(std::move(correlation.g2_err), bins, computed, delays);
    Result result;
    if (problem.rebin && dense) {
        const Rebinning rebinning{*problem.rebin, delays};
        const std::vector<std::size_t> pairs = problem.pairs();
        g2 = rebinned(g2, rebinning, pairs);
        g2_err = rebinned(g2_err, rebinning, pairs);
        axis = rebinning.mean_delays(pairs);
        result.facts["rebin"] = {{"points_per_decade", rebinning.per_decade}, {"delays", delays}};
    }
    result.datasets.push_back(
        {"g2", "g2(q, tau)", "", DataKind::curves, std::move(g2), {"label", "delay"}, "g2_err"});
    result.datasets.push_back({"g2_err",
                               error_title(problem.estimate.errors),
                               "",
                               DataKind::curves,
                               std::move(g2_err),
                               {"label", "delay"}});
    add_axes(result, problem, bins, axis);
    if (problem.two_time_bin() > 0 && correlation.two_time.empty())
        result.warnings.push_back(
            fmt::format("there is no two-time map of bin {}, because this variant does not support it; use "
                        "the default variant",
                        problem.two_time_bin()));
    if (!correlation.two_time.empty())
        result.datasets.push_back({"two_time",
                                   fmt::format("C(t1, t2) of bin {}", problem.two_time_bin()),
                                   "",
                                   DataKind::image,
                                   band(std::move(correlation.two_time), frames, problem.delays()),
                                   {"", ""}});
    result.datasets.push_back(
        {"labels", "bins", "", DataKind::overlay,
         Array::of<std::int32_t>({problem.height(), problem.width()}, problem.partition().labels())});
    if (!problem.monitor.empty())
        result.datasets.push_back({"monitor", "monitor relative to its mean", "", DataKind::axis,
                                   Array::of<double>({problem.monitor.size()}, problem.monitor)});
    if (!correlation.pairs.empty()) {
        KeptPairs kept{std::move(correlation.pairs), std::vector<bool>(frames)};
        for (std::size_t t = 0; t < frames; ++t) kept.used[t] = problem.used(t);
        add_pairs(result, std::move(kept), delays);
    }
    add_facts(result, problem);
    if (!correlation.events.empty())
        result.facts["events"] =
            std::accumulate(correlation.events.begin(), correlation.events.end(), std::uint64_t{0});
    if (dense) add_delay_warning(result, problem);
    return result;
}

}  // namespace ks::xpcs
