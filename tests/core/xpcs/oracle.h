#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/error.h"
#include "core/data/frame_source.h"
#include "core/run/host_backend.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/problem.h"

/// Frames in memory with labels, and the definition of g2 written down once more in long double.
template <class T>
struct Case {
    std::size_t frames, height, width;
    std::vector<T> counts;             ///< [frame][y][x]
    std::vector<std::int32_t> labels;  ///< [y][x]
    std::size_t two_time_bin = 0;
    std::optional<double> saturation = {};
    std::vector<std::size_t> left_out = {};  ///< frames, ascending

    bool uses(std::size_t frame) const { return std::ranges::find(left_out, frame) == left_out.end(); }
    /// @param keep_bytes 0: the frames are read anew when they are needed
    std::shared_ptr<ks::xpcs::CorrelationProblem> problem(std::uint64_t keep_bytes = 0) const {
        ks::Progress progress;
        auto source =
            std::make_shared<ks::MemoryFrames>("case", ks::Array::of<T>({frames, height, width}, counts));
        auto scan = std::make_shared<ks::xpcs::FrameScan>(source, ks::io::FrameRange{0, frames, left_out},
                                                          keep_bytes, progress);
        return std::make_shared<ks::xpcs::CorrelationProblem>(scan, ks::QPartition(height, width, labels),
                                                              two_time_bin, saturation, progress);
    }
};

struct Expected {
    std::vector<double> g2, g2_err;  ///< [bin][delay]
    std::vector<double> two_time;    ///< [t1][t2]
};

template <class T>
Expected direct(const Case<T>& given) {
    const std::size_t pixels = given.height * given.width, frames = given.frames;
    std::int32_t bins = 0;
    for (const std::int32_t label : given.labels) bins = std::max(bins, label);
    std::vector<bool> valid(pixels, true);
    for (std::size_t i = 0; i < given.counts.size(); ++i) {
        const auto value = static_cast<double>(given.counts[i]);
        const double limit = given.saturation.value_or(std::numeric_limits<double>::infinity());
        if (!given.uses(i / pixels)) continue;
        const bool negative = std::is_integral_v<T> && value < 0;
        if (!std::isfinite(value) || negative || value >= limit) valid[i % pixels] = false;
    }
    const double undefined = std::nan("");
    Expected out;
    if (given.two_time_bin > 0) out.two_time.assign(frames * frames, undefined);
    for (std::int32_t label = 1; label <= bins; ++label)
        for (std::size_t delay = 0; delay < frames; ++delay) {
            long double sum_g = 0, sum_ss = 0, n = 0;
            for (std::size_t p = 0; p < pixels; ++p)
                if (given.labels[p] == label && valid[p]) n += 1;
            std::vector<long double> ratios;
            for (std::size_t t = 0; n > 0 && t + delay < frames; ++t) {
                if (!given.uses(t) || !given.uses(t + delay)) continue;
                long double g = 0, s1 = 0, s2 = 0;
                for (std::size_t p = 0; p < pixels; ++p) {
                    if (given.labels[p] != label || !valid[p]) continue;
                    const long double a = given.counts[t * pixels + p],
                                      b = given.counts[(t + delay) * pixels + p];
                    g += a * b;
                    s1 += a;
                    s2 += b;
                }
                sum_g += g;
                sum_ss += s1 * s2 / n;
                if (s1 * s2 != 0) ratios.push_back(n * g / (s1 * s2));
                if (given.two_time_bin == static_cast<std::size_t>(label) && s1 * s2 != 0)
                    out.two_time[t * frames + t + delay] = out.two_time[(t + delay) * frames + t] =
                        static_cast<double>(ratios.back());
            }
            long double mean = 0, variance = 0;
            for (const long double c : ratios) mean += c / static_cast<long double>(ratios.size());
            for (const long double c : ratios) variance += (c - mean) * (c - mean);
            out.g2.push_back(sum_ss != 0 ? static_cast<double>(sum_g / sum_ss) : undefined);
            out.g2_err.push_back(
                ratios.empty()
                    ? undefined
                    : static_cast<double>(std::sqrt(variance) / static_cast<long double>(ratios.size())));
        }
    return out;
}

inline ks::Result run_host(const ks::HostVariant& variant, const ks::xpcs::CorrelationProblem& problem,
                           unsigned threads = 2) {
    ks::Request request;
    ks::Progress progress;
    std::vector<ks::Timing> timings;
    ks::HostContext context{request, progress, timings, threads, std::uint64_t{1} << 40};
    return variant.launch(problem, context);
}

inline const ks::HostVariant& host_variant(const std::string& id) {
    static const std::vector<ks::HostVariant> all = ks::xpcs::host_variants();
    for (const ks::HostVariant& variant : all)
        if (variant.info.id == id) return variant;
    throw std::runtime_error("no variant " + id);
}

/// The expected values of a dataset, or NaN where the variant does not compute it.
inline std::vector<double> as_computed(const ks::Variant& variant, const std::string& dataset,
                                       const std::vector<double>& expected) {
    if (variant.computes(dataset)) return expected;
    return std::vector<double>(expected.size(), std::nan(""));
}

/// Whether the variant is for such counts.
inline bool takes(const ks::Variant& variant, const ks::xpcs::CorrelationProblem& problem) {
    return ks::why_not(variant, ks::xpcs::traits_of(problem), true).empty();
}

/// Whether the values are those of sums of frames, which have a definition of their own.
inline bool is_averaged(const ks::Result& result) {
    return result.facts.contains("averaging");
}

inline double tolerance(const ks::Variant& variant, const std::string& dataset, double standard) {
    for (const auto& [name, value] : variant.tolerances)
        if (name == dataset) return value;
    return standard;
}
