#include "core/xpcs/pairs/estimate.h"

#include <array>
#include <cstddef>
#include <string>

#include "core/base/error.h"
#include "core/run/parameter_rows.h"

namespace ks::xpcs {
namespace {

constexpr std::array<const char*, 4> estimators{"ratio", "mean-of-ratios", "symmetric", "two-level"};
constexpr std::array<const char*, 4> error_methods{"published", "pixels", "bootstrap", "jackknife"};

template <class Value>
Value chosen(const ParameterSet& set, const char* id, const std::array<const char*, 4>& names) {
    if (!set.contains(id)) return Value{};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (text(set, id) == names[i]) return static_cast<Value>(i);
    throw Error(ErrorKind::run, "unknown choice \"" + text(set, id) + "\"", id);
}

}  // namespace

const char* name_of(Estimator estimator) {
    return estimators.at(static_cast<std::size_t>(estimator));
}

const char* name_of(ErrorMethod errors) {
    return error_methods.at(static_cast<std::size_t>(errors));
}

std::vector<ParameterSpec> estimate_parameters() {
    using parameter::choice;
    return {
        choice("estimator", "Estimator", {estimators.begin(), estimators.end()},
               "How g2 follows from the sums over pairs of frames: ratio of sums, mean of ratios, symmetric "
               "(product of the means of both halves), or two-level (symmetric in static bins, then mean)"),
        choice("errors", "Errors", {error_methods.begin(), error_methods.end()},
               "How the error of g2 is estimated: published (pairs of frames as if independent), pixels "
               "(groups of pixels), bootstrap (blocks in time), jackknife (without each group of pixels)")};
}

ParameterSpec keep_pairs_parameter() {
    ParameterSpec spec = parameter::flag(
        "keep_pairs", "Keep pairs", false,
        "Keep the sums of all pairs of frames of each bin in the result and in the saved run");
    spec.adds_results = true;
    return spec;
}

bool keeps_pairs(const ParameterSet& parameters) {
    return parameters.contains("keep_pairs") && boolean(parameters, "keep_pairs");
}

Estimate estimate_of(const ParameterSet& parameters) {
    return {chosen<Estimator>(parameters, "estimator", estimators),
            chosen<ErrorMethod>(parameters, "errors", error_methods)};
}

bool takes_static_bins(const ParameterSet& parameters) {
    return estimate_of(parameters).estimator == Estimator::two_level;
}

std::vector<Condition> only_published() {
    return {{.trait = "keep_pairs", .what = "the parameter keep_pairs to be", .values = {"false"}},
            {.trait = "estimator", .what = "the estimator", .values = {estimators.front()}},
            {.trait = "errors", .what = "the errors to be", .values = {error_methods.front()}}};
}

}  // namespace ks::xpcs
