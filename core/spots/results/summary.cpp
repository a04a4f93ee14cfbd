#include "core/spots/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/data/count_text.h"
#include "core/spots/results/frame_columns.h"
#include "core/spots/spot.h"

namespace ks::spots {
namespace {

std::string angstrom(double d) {
    return std::isfinite(d) ? fmt::format("{:.2f}", d) : "-";
}

std::string frames_table(const Result& result) {
    constexpr std::size_t shown = 20;
    const auto column = [&result](const char* name) { return result.at(name).values.to_doubles(); };
    const auto number = column("frame"), missing = column("frame_missing"), signal = column("frame_signal"),
               spots = column("frame_spots"), sum = column("frame_sum"), d = column("frame_d");
    std::string text =
        fmt::format("{:>7} {:>9} {:>7} {:>12} {:>9}\n", "frame", "signal", "spots", "counts", "d (A)");
    for (std::size_t i = 0; i < std::min(number.size(), shown); ++i) {
        if (missing[i] != 0)
            text += fmt::format("{:>7} {}\n", number[i], name_of(static_cast<FrameState>(missing[i])));
        else
            text += fmt::format("{:>7} {:>9} {:>7} {:>12.6g} {:>9}\n", number[i], signal[i], spots[i], sum[i],
                                angstrom(d[i]));
    }
    if (number.size() > shown)
        text += fmt::format("    ... {}\n", count_text(number.size() - shown, "more frame"));
    return text;
}

/// "12 too small, 3 far peak": non-zero counts, in the order of the reasons.
std::string dropped_text(const Result& result) {
    std::array<std::size_t, 6> counts{};
    for (const double why : result.at("dropped").values.to_doubles())
        if (why >= 0 && why < static_cast<double>(counts.size())) ++counts[static_cast<std::size_t>(why)];
    std::string text;
    for (std::size_t why = 1; why < counts.size(); ++why)
        if (counts[why] > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[why],
                                name_of(static_cast<Dropped>(why)));
    return text;
}

/// The smallest known d of all frames.
double best_resolution(const Result& result) {
    double best = INFINITY;
    for (const double d : result.at("frame_d").values.to_doubles())
        if (std::isfinite(d)) best = std::min(best, d);
    return best;
}

/// "1 pixel is signal in all 5 frames (x 20, y 60): it is probably hot; if so, mask it"
std::string hot_text(const nlohmann::json& facts) {
    constexpr std::size_t named = 10;
    const nlohmann::json hot = facts.value("hot_pixels", nlohmann::json::array());
    if (hot.empty()) return {};
    std::string places;
    for (std::size_t i = 0; i < std::min(hot.size(), named); ++i)
        places += fmt::format("{}x {}, y {}", i == 0 ? "" : "; ", hot[i].at(0).get<std::size_t>(),
                              hot[i].at(1).get<std::size_t>());
    const auto frames = facts.value("hot_in_frames", std::size_t{0});
    return fmt::format(
        "{} {} signal in all {} frames ({}{}): {}\n", hot.size(), hot.size() == 1 ? "pixel is" : "pixels are",
        frames, places, hot.size() > named ? ", ..." : "",
        hot.size() == 1 ? "it is probably hot; if so, mask it" : "they are probably hot; if so, mask them");
}

}  // namespace

std::string summary_of(const Run& run) {
    const Result& result = run.result;
    const nlohmann::json& facts = result.facts;
    const auto fact = [&facts](const char* name) { return facts.value(name, 0.0); };
    const auto count = [&facts](const char* name, const char* one) {
        return count_text(facts.value(name, std::uint64_t{0}), one);
    };
    std::string text = frames_table(result);
    text += fmt::format("{} of {} x {}, {} missing", count("frames", "frame"), fact("height"), fact("width"),
                        fact("missing_frames"));
    if (fact("left_out_frames") > 0) text += fmt::format(", {} left out", fact("left_out_frames"));
    if (fact("frames_without_valid") > 0)
        text += fmt::format(", {} without a valid pixel", fact("frames_without_valid"));
    if (fact("damaged_frames") > 0) text += fmt::format(", {} damaged", fact("damaged_frames"));
    text += ", " + count("masked_pixels", "masked pixel");
    if (facts.contains("frames_per_second"))
        text += fmt::format(", {:.4g} frames/s", fact("frames_per_second"));
    text += fmt::format("\n{}, {}, {} kept", count("signal_pixels", "signal pixel"), count("spots", "spot"),
                        fact("kept"));
    if (const std::string why = dropped_text(result); !why.empty()) text += " (dropped: " + why + ")";
    text += '\n';
    if (const auto n = facts.value("spots_with_saturated", std::size_t{0}); n > 0)
        text += fmt::format("{} {} saturated pixels in or next to {}; see the column saturated\n", n,
                            n == 1 ? "spot has" : "spots have", n == 1 ? "it" : "them");
    text += hot_text(facts);
    if (const double d = best_resolution(result); std::isfinite(d))
        text += fmt::format("best estimated resolution {:.2f} angstrom\n", d);
    return text;
}

std::string setup_text_of(const Run& run) {
    const ParameterSet& set = run.request.parameters;
    if (!set.contains("gain") || !set.contains("sigma_b") || !set.contains("sigma_s")) return {};
    std::string parts = fmt::format("gain {:g}, sigma {:g}/{:g}", real(set, "gain"), real(set, "sigma_b"),
                                    real(set, "sigma_s"));
    if (set.contains("kernel") && text(set, "kernel") != "3,3")
        parts += fmt::format(", window {}", text(set, "kernel"));
    if (set.contains("threshold") && real(set, "threshold") != 0)
        parts += fmt::format(", above {:g}", real(set, "threshold"));
    if (set.contains("algorithm") && text(set, "algorithm") == "dispersion_extended" &&
        set.contains("extended_rule") && text(set, "extended_rule") != "newer")
        parts += ", " + text(set, "extended_rule") + " rule";
    return parts;
}

}  // namespace ks::spots
