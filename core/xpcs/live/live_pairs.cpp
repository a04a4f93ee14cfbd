#include "core/xpcs/live/live_pairs.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/data/frame_ranges.h"
#include "core/data/missing_value.h"
#include "core/run/timing.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/pairs/curves.h"
#include "core/xpcs/pairs/estimate.h"
#include "core/xpcs/pairs/outliers.h"
#include "core/xpcs/pairs/reduced_frames.h"

namespace ks::xpcs {
namespace {

/// Parameters that select what is made of the pairs, not the pairs. Frames to leave out are named by their
/// numbers in the file, so the pairs are those of single frames, whatever a run averages or skips.
constexpr std::array of_results{
    "estimator", "errors", "correlator", "levels",    "channels",  "stability", "rebin",   "keep_pairs",
    "max_delay", "fit",    "fit_start",  "fit_fixed", "leave_out", "stride",    "average", "two_time_bin"};

std::string left_out_text(const ParameterSet& parameters) {
    return parameters.contains("leave_out") ? text(parameters, "leave_out") : no_frames;
}

std::size_t whole_of(const ParameterSet& parameters, const char* id, std::size_t otherwise) {
    if (!parameters.contains(id)) return otherwise;
    const auto value = optional_integer(parameters, id);
    return value ? static_cast<std::size_t>(*value) : otherwise;
}

/// Whether the curves of a request have every delay.
bool is_dense(const ParameterSet& parameters) {
    if (parameters.contains("rebin") && optional_integer(parameters, "rebin")) return false;
    if (!parameters.contains("correlator")) return true;
    const std::string family = text(parameters, "correlator");
    return family == "any" || family == "gram" || family == "sparse";
}

void replace(Result& result, std::string_view name, Array values) {
    const auto found = std::ranges::find(result.datasets, name, &Dataset::name);
    if (found != result.datasets.end()) found->values = std::move(values);
}

/// The first delays of an axis.
void shorten(Result& result, std::string_view name, std::size_t delays) {
    for (Dataset& one : result.datasets) {
        if (one.name != name || one.values.shape()[0] == delays) continue;
        visit_element(one.values.type(), [&](auto zero) {
            using T = decltype(zero);
            const auto all = one.values.template as<T>();
            one.values = Array::of<T>(
                {delays}, std::vector<T>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(delays)));
        });
    }
}

}  // namespace

std::size_t delays_within(const PairsLimit& limit, std::size_t frames, std::size_t bins, std::size_t pixels) {
    const auto fits = [&](std::size_t delays) {
        const auto pairs = static_cast<double>(BinPairs::pairs_of(frames, delays));
        return pairs * static_cast<double>(bins) * sizeof(std::uint32_t) <=
                   static_cast<double>(limit.bytes) &&
               pairs * static_cast<double>(pixels) <= limit.products;
    };
    std::size_t enough = 1, too_many = frames + 1;
    while (too_many - enough > 1) {
        const std::size_t middle = enough + (too_many - enough) / 2;
        (fits(middle) ? enough : too_many) = middle;
    }
    return enough;
}

bool need_same_pairs(const Request& one, const Request& other) {
    const auto alike = [](ParameterSet set) {
        for (const char* id : of_results) set.erase(id);
        return set;
    };
    return one.analysis == other.analysis && alike(one.parameters) == alike(other.parameters) &&
           one.inputs == other.inputs;
}

Request LivePairs::request_of(const Request& next, std::size_t delays, bool keeps_left_out,
                              std::size_t frames) {
    Request asked;
    asked.analysis = next.analysis;
    asked.variant = "host.pairs";
    asked.device = "host";
    asked.inputs = next.inputs;
    asked.parameters = next.parameters;
    asked.from_file = next.from_file;
    for (const char* id : of_results) asked.parameters.erase(id);
    if (keeps_left_out) {
        std::string out = left_out_text(next.parameters);
        const std::size_t first = whole_of(next.parameters, "first_frame", 0);
        const std::vector<std::size_t> skipped =
            used_range({first, frames}, reduction_of(next.parameters)).left_out;
        if (!skipped.empty() && skipped.size() < frames)
            out = (out == no_frames ? std::string() : out + ",") + frame_ranges(skipped);
        asked.parameters["leave_out"] = out;
    }
    asked.parameters["keep_pairs"] = true;
    asked.parameters["max_delay"] = static_cast<std::int64_t>(delays) - 1;
    return asked;
}

LivePairs::LivePairs(Request asked, const Run& made, std::size_t frames_in_file)
    : asked_(std::move(asked)), base_(made), pairs_(pairs_in(made.result)), frames_in_file_(frames_in_file) {
    if (pairs_.bins.empty()) throw Error(ErrorKind::input, "the run has kept no pairs of frames");
    std::erase_if(base_.result.datasets, [](const Dataset& one) { return one.name.starts_with("pair"); });
    base_.timings.clear();
    const nlohmann::json& facts = base_.result.facts;
    if (const auto time = facts.find("frame_time"); time != facts.end() && time->is_number())
        frame_time_ = time->get<double>();
    pixels_change_ = facts.value("invalid_in_some_frames", 0) > 0;
    first_ = whole_of(asked_.parameters, "first_frame", 0);
    totals_.resize(pairs_.bins.size());
    for (std::size_t bin = 0; bin < pairs_.bins.size(); ++bin) {
        const BinPairs& of = pairs_.bins[bin];
        if (of.frames() == 0) continue;
        delays_ = of.delays();
        totals_[bin].emplace(of, of.delays());
    }
}

std::vector<double> LivePairs::mean_counts(std::optional<std::size_t> bin) const {
    std::vector<double> counts(frames(), 0);
    double pixels = 0;
    for (std::size_t b = 0; b < pairs_.bins.size(); ++b) {
        const BinPairs& of = pairs_.bins[b];
        if ((bin && b != *bin) || of.frames() == 0) continue;
        pixels += static_cast<double>(of.pixels());
        for (std::size_t t = 0; t < counts.size(); ++t) counts[t] += of.sum(t);
    }
    for (std::size_t t = 0; t < counts.size(); ++t)
        counts[t] = pairs_.used[t] && pixels > 0 ? counts[t] / pixels : missing_value;
    return counts;
}

std::vector<double> LivePairs::monitor() const {
    const Dataset* const found = base_.result.find("monitor");
    std::vector<double> values = found != nullptr ? found->values.to_doubles() : std::vector<double>();
    for (std::size_t t = 0; t < std::min(values.size(), pairs_.used.size()); ++t)
        if (!pairs_.used[t]) values[t] = missing_value;
    return values;
}

std::optional<std::vector<std::size_t>> LivePairs::named_frames(const Request& next) const {
    const std::string named = left_out_text(next.parameters);
    if (names_auto(named)) return std::nullopt;
    try {
        return frames_named(named, frames_in_file_, "leave_out");
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<std::vector<bool>> LivePairs::left_out(const Request& next) const {
    const auto named = named_frames(next);
    if (!named) return std::nullopt;
    std::vector<bool> out(frames(), false);
    for (const std::size_t frame : *named)
        if (frame >= first_ && frame - first_ < out.size()) out[frame - first_] = true;
    return out;
}

std::vector<std::size_t> LivePairs::left_out_elsewhere(const Request& next) const {
    std::vector<std::size_t> elsewhere = named_frames(next).value_or(std::vector<std::size_t>());
    std::erase_if(elsewhere, [&](std::size_t frame) { return frame >= first_ && frame - first_ < frames(); });
    return elsewhere;
}

std::optional<std::vector<bool>> LivePairs::used_by(const Request& next) const {
    if (!is_of(next) || !is_dense(next.parameters) || !reduction_of(next.parameters).none())
        return std::nullopt;
    std::optional<std::vector<bool>> out = left_out(next);
    if (!out) return std::nullopt;
    std::vector<bool> used(frames());
    for (std::size_t t = 0; t < used.size(); ++t) {
        used[t] = !(*out)[t];
        if (used[t] && !pairs_.used[t]) return std::nullopt;
        if (!used[t] && pairs_.used[t] && pixels_change_) return std::nullopt;
    }
    if (std::ranges::find(used, true) == used.end()) return std::nullopt;
    return used;
}

std::optional<Run> LivePairs::preview(const Request& next) {
    const Estimate estimate = estimate_of(next.parameters);
    const bool over_pixels =
        estimate.errors == ErrorMethod::pixels || estimate.errors == ErrorMethod::jackknife;
    if (estimate.estimator == Estimator::two_level || over_pixels) return std::nullopt;
    const std::optional<std::vector<bool>> used = used_by(next);
    const std::size_t delays = std::min(frames(), whole_of(next.parameters, "max_delay", frames() - 1) + 1);
    if (!used || delays > delays_) return std::nullopt;
    Stopwatch watch;
    std::vector<double> g2(bins().size() * delays, nan_value), errors = g2;
    Progress progress;
    const bool fast = estimate == Estimate{};
    parallel_for(bins().size(), compute_threads(), progress, [&](std::size_t bin) {
        if (!totals_[bin]) return;
        Curve curve;
        if (fast) {
            totals_[bin]->use(*used);
            curve = totals_[bin]->curve();
        } else {
            curve = curve_of({&bins()[bin], 1}, estimate, *used, delays, {1, progress});
        }
        std::copy_n(curve.g2.begin(), delays, g2.begin() + static_cast<std::ptrdiff_t>(bin * delays));
        std::copy_n(curve.error.begin(), delays, errors.begin() + static_cast<std::ptrdiff_t>(bin * delays));
    });
    Run run = base_;
    run.request = next;
    Result& result = run.result;
    const std::vector<std::size_t> shape{bins().size(), delays};
    replace(result, "g2", Array::taken<double>(shape, std::move(g2)));
    replace(result, "g2_err", Array::taken<double>(shape, std::move(errors)));
    for (const char* axis : {"delay", "delay_time"}) shorten(result, axis, delays);
    std::vector<std::size_t> out, in_file;
    for (std::size_t t = 0; t < used->size(); ++t) {
        if ((*used)[t]) continue;
        out.push_back(t);
        in_file.push_back(first_ + t);
    }
    for (const char* fact : {"left_out_frames", "left_out_of_series", "left_out_of_file"})
        result.facts.erase(fact);
    if (!out.empty()) {
        result.facts["left_out_frames"] = out.size();
        result.facts["left_out_of_series"] = frame_ranges(out);
        result.facts["left_out_of_file"] = frame_ranges(in_file);
    }
    result.facts["estimator"] = name_of(estimate.estimator);
    result.facts["errors"] = name_of(estimate.errors);
    run.wall_nanoseconds = watch.lap();
    add(run.timings, {"curves of kept pairs", StageKind::host, run.wall_nanoseconds, 0});
    return run;
}

std::optional<std::vector<double>> LivePairs::two_time(const Request& next, std::size_t bin) const {
    const std::optional<std::vector<bool>> used = used_by(next);
    if (!used || delays_ < frames() || !totals_.at(bin)) return std::nullopt;
    return two_time_of(bins()[bin], *used);
}

}  // namespace ks::xpcs
