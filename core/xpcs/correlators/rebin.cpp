#include "core/xpcs/correlators/rebin.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/run/parameter_rows.h"
#include "core/xpcs/correlation.h"

namespace ks::xpcs {
namespace {

constexpr std::size_t most_per_decade = 1000;

}  // namespace

std::vector<DelayRange> Rebinning::points() const {
    std::vector<DelayRange> all{{0, 1}};
    const auto place = [this](std::size_t delay) {
        return std::floor(static_cast<double>(per_decade) * std::log10(static_cast<double>(delay)));
    };
    for (std::size_t delay = 1; delay < delays; ++delay)
        if (delay > 1 && place(delay) == place(all.back().begin))
            all.back().end = delay + 1;
        else
            all.push_back({delay, delay + 1});
    return all;
}

std::vector<double> Rebinning::means(std::span<const double> values,
                                     std::span<const std::size_t> pairs) const {
    std::vector<double> all;
    for (const DelayRange& point : points()) {
        double sum = 0, weights = 0;
        for (std::size_t delay = point.begin; delay < point.end; ++delay) {
            if (std::isnan(values[delay])) continue;
            const auto weight = static_cast<double>(pairs[delay]);
            sum += weight * values[delay];
            weights += weight;
        }
        // A single delay keeps its bits.
        const bool single = point.end == point.begin + 1;
        all.push_back(single ? values[point.begin] : weights > 0 ? sum / weights : nan_value);
    }
    return all;
}

std::vector<double> Rebinning::mean_delays(std::span<const std::size_t> pairs) const {
    std::vector<double> all;
    for (const DelayRange& point : points()) {
        double sum = 0, weights = 0;
        for (std::size_t delay = point.begin; delay < point.end; ++delay) {
            sum += static_cast<double>(pairs[delay]) * static_cast<double>(delay);
            weights += static_cast<double>(pairs[delay]);
        }
        // Without any pair, the middle.
        const double middle = 0.5 * static_cast<double>(point.begin + point.end - 1);
        const bool single = point.end == point.begin + 1;
        all.push_back(single || weights == 0 ? middle : sum / weights);
    }
    return all;
}

std::optional<Rebinning> Rebinning::of(const Result& result) {
    const auto found = result.facts.find("rebin");
    if (found == result.facts.end()) return std::nullopt;
    const auto number = [&](const char* name, std::size_t largest) {
        const auto at = found->find(name);
        if (at == found->end() || !at->is_number_unsigned() || *at == 0 || *at > largest)
            throw Error(ErrorKind::input, "the result does not say how its delays were rebinned", "rebin");
        return at->get<std::size_t>();
    };
    return Rebinning{number("points_per_decade", most_per_decade), number("delays", std::size_t{1} << 32)};
}

ParameterSpec rebin_parameter() {
    return parameter::optional_whole("rebin", "Rebin", "points per decade", "every delay", 1, most_per_decade,
                                     "Average g2 over ranges of delays that are evenly spaced on a "
                                     "logarithmic axis, this many per decade");
}

std::optional<std::size_t> rebin_of(const ParameterSet& parameters) {
    if (!parameters.contains("rebin")) return std::nullopt;
    if (const auto wanted = optional_integer(parameters, "rebin")) return static_cast<std::size_t>(*wanted);
    return std::nullopt;
}

}  // namespace ks::xpcs
