#include "core/xpcs/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/data/count_text.h"
#include "core/record/made_elsewhere.h"
#include "core/run/repeats/repeats.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/multitau.h"
#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/fit_table.h"
#include "core/xpcs/repeats/average.h"
#include "core/xpcs/stability/stability_table.h"

namespace ks::xpcs {
namespace {

std::string number(double value, const char* undefined = "-") {
    return std::isnan(value) ? undefined : fmt::format("{:.6g}", value);
}

std::string bins_table(const Result& result) {
    constexpr std::size_t shown = 40;
    const Dataset& g2 = result.at("g2");
    const std::size_t bins = g2.values.shape()[0], frames = g2.values.shape()[1];
    const std::size_t delay = std::min<std::size_t>(1, frames - 1);
    const std::vector<double> mean = g2.values.to_doubles(), error = result.at("g2_err").values.to_doubles();
    std::vector<std::size_t> pixels(bins, 0);
    const Dataset* const labels = result.find("labels");
    if (labels != nullptr)
        for (const double label : labels->values.to_doubles())
            if (label >= 1 && label <= static_cast<double>(bins))
                ++pixels[static_cast<std::size_t>(label) - 1];
    const Dataset* q = result.find("q");
    const std::vector<double> q_values =
        q != nullptr ? q->values.to_doubles() : std::vector<double>(bins, NAN);

    std::string text = fmt::format("{:>5} {:>9} {:>12} {:>12} {:>12}\n", "bin", "pixels", "q (1/A)",
                                   fmt::format("g2({})", delays_of(result).at(delay)), "error");
    for (std::size_t bin = 0; bin < std::min(bins, shown); ++bin)
        text += fmt::format("{:>5} {:>9} {:>12} {:>12} {:>12}\n", bin + 1,
                            labels != nullptr ? std::to_string(pixels[bin]) : "-", number(q_values[bin]),
                            number(mean[bin * frames + delay]), number(error[bin * frames + delay]));
    if (bins > shown) text += fmt::format("      ... {}\n", count_text(bins - shown, "more bin"));
    return text;
}

std::string normalisation_text(const nlohmann::json& facts) {
    const auto found = facts.find("normalised");
    return found == facts.end() ? std::string()
                                : fmt::format("counts normalised by {}\n", found->get<std::string>());
}

std::string correction_text(const nlohmann::json& facts) {
    const std::string dark = facts.value("dark", std::string()), flat = facts.value("flat", std::string());
    if (dark.empty() && flat.empty()) return {};
    if (flat.empty()) return fmt::format("counts: frame - dark; dark field {}\n", dark);
    if (dark.empty()) return fmt::format("counts: frame / flat; flat field {}\n", flat);
    return fmt::format("counts: (frame - dark) / flat; dark field {}, flat field {}\n", dark, flat);
}

}  // namespace

std::string summary_of(const Run& run) {
    const nlohmann::json& facts = run.result.facts;
    std::string text = bins_table(run.result);
    if (made_elsewhere(run)) return text + added_text_of(run);
    text += count_text(facts.value("frames", std::uint64_t{0}), "frame") + ", ";
    if (const auto average = facts.value("average", std::size_t{1}); average > 1)
        text += fmt::format("each the sum of {}, ", average);
    if (const auto stride = facts.value("stride", std::size_t{1}); stride > 1)
        text += fmt::format("one of {} in the file, ", stride);
    if (const auto left_out = facts.value("left_out_frames", 0); left_out > 0)
        text += fmt::format("{} left out, ", left_out);
    text +=
        fmt::format("{}, largest count {}, {}\n", count_text(facts.value("bins", std::uint64_t{0}), "bin"),
                    facts.value("max_count", 0.0),
                    count_text(facts.value("invalid_pixels", std::uint64_t{0}), "invalid pixel"));
    if (const auto averaging = MultiTau::of(run.result))
        text += fmt::format("multi-tau: {} of {} channels\n",
                            count_text(std::uint64_t{averaging->levels}, "level"), averaging->channels);
    if (const auto rebinning = Rebinning::of(run.result))
        text += fmt::format(
            "rebinned: {} from {}, {} per decade; each error is the mean of those of its delays\n",
            count_text(std::uint64_t{delays_of(run.result).size()}, "point"),
            count_text(std::uint64_t{rebinning->delays}, "delay"), rebinning->per_decade);
    if (const auto events = facts.find("events"); events != facts.end())
        text += fmt::format("{} other than 0\n", count_text(events->get<std::uint64_t>(), "count"));
    if (!run.variant.computes("g2_err"))
        text += fmt::format("no error: {} computes only the mean\n", run.variant.id);
    if (const auto masked = facts.value("masked_pixels", std::size_t{0}); masked > 0)
        text += fmt::format("{} ({} by the file's mask, {} by the input mask), {} of them in bins\n",
                            count_text(masked, "masked pixel"), facts.value("masked_by_file", 0),
                            facts.value("masked_by_input", 0), facts.value("masked_in_bins", 0));
    if (const auto product = facts.find("product"); product != facts.end())
        text += fmt::format("products of frames by {}\n", product->get<std::string>());
    if (const auto faster = facts.find("faster"); faster != facts.end())
        text += fmt::format("{}\n", faster->get<std::string>());
    return text + added_text_of(run);
}

std::string added_text_of(const Run& run) {
    const nlohmann::json& facts = run.result.facts;
    if (made_elsewhere(run)) return repeats_text(run) + fit_text(run);
    // Runs of earlier versions name neither.
    return fmt::format("estimator of g2: {}, errors: {}\n", facts.value("estimator", name_of(Estimator{})),
                       facts.value("errors", name_of(ErrorMethod{}))) +
           correction_text(facts) + normalisation_text(facts) + repeats_text(run) + fit_text(run) +
           stability_text(run);
}

std::string setup_text_of(const Run& run) {
    const auto bins = run.result.facts.value("bins", std::uint64_t{0});
    if (bins == 0) return {};
    const auto partition = run.request.inputs.find("partition");
    const bool rings = partition != run.request.inputs.end() && partition->second.name.starts_with("rings:");
    std::string text = fmt::format("{} {}{}", bins, rings ? "ring" : "bin", bins == 1 ? "" : "s");
    if (const auto empty = run.result.facts.value("empty_bins", std::uint64_t{0}); empty > 0)
        text += fmt::format(", {} empty", empty);
    const std::string average = average_text(run);
    return average.empty() ? text : average + ", " + text;
}

}  // namespace ks::xpcs
