#include "core/particles/analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/data/count_text.h"

namespace ks::particles {

namespace {

/// "tolerance 0.0001, reached 3.1e-05 (rms of 200 targets)" for a variant that approximates; else empty.
std::string tolerance_text(const nlohmann::json& facts) {
    if (!facts.contains("tolerance")) return {};
    const auto reached = [&facts](const char* name) {
        return facts.contains(name) ? fmt::format("{:.2g}", facts.at(name).get<double>()) : "not finite";
    };
    std::string text = fmt::format("tolerance {:g}, reached {}", facts.at("tolerance").get<double>(),
                                   reached("reached_error"));
    if (facts.contains("reached_gradient_error"))
        text += fmt::format(", gradients {}", reached("reached_gradient_error"));
    return text + fmt::format(" (rms of {})\n",
                              count_text(facts.value("error_targets", std::uint64_t{0}), "target"));
}

}  // namespace

std::string summary_of(const Run& run) {
    std::string text = fmt::format("{:<18} {:>22} {:>14} {:>14}\n", "", "sum", "minimum", "maximum");
    for (const Dataset& dataset : run.result.datasets) {
        if (dataset.kind == DataKind::axis || dataset.values.size() == 0) continue;
        const std::vector<double> values = dataset.values.to_doubles();
        double sum = 0;
        for (const double value : values) sum += value;
        const auto [minimum, maximum] = std::ranges::minmax(values);
        text += fmt::format("{:<18} {:>22.16g} {:>14.6g} {:>14.6g}\n", dataset.name, sum, minimum, maximum);
    }
    const nlohmann::json& facts = run.result.facts;
    text += fmt::format(
        "{} x {}, {:.4g} pairs/s", count_text(facts.value("targets", std::uint64_t{0}), "target"),
        count_text(facts.value("sources", std::uint64_t{0}), "source"), facts.value("pairs_per_second", 0.0));
    if (const auto skipped = facts.value("skipped_pairs", std::uint64_t{0}); skipped > 0)
        text += fmt::format(", {} at r = 0 skipped", count_text(skipped, "pair"));
    return text + "\n" + tolerance_text(facts);
}

std::string setup_text_of(const Run& run) {
    const ParameterSet& set = run.request.parameters;
    if (!set.contains("kernel")) return {};
    std::string setup = text(set, "kernel");
    if (setup == "rbf" && set.contains("sigma"))
        setup += fmt::format(", width {:g}", real(set, "sigma"));
    else if (setup == "helmholtz" && set.contains("wavenumber"))
        setup += fmt::format(", k {:g}", real(set, "wavenumber"));
    if (is_approximate(run.variant) && set.contains("tolerance"))
        setup += fmt::format(", to {:g}", real(set, "tolerance"));
    return setup;
}

}  // namespace ks::particles
