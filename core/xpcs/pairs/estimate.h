#pragma once

#include <vector>

#include "core/run/parameter_spec.h"
#include "core/run/variant.h"

namespace ks::xpcs {

/// How g2 of a delay follows from the sums G(t, t + delay) and S(t) of a bin of N pixels over its pairs of
/// used frames.
enum class Estimator {
    ratio,           ///< sum of G / sum of S(t) S(t + delay) / N
    mean_of_ratios,  ///< mean of C = N G / (S(t) S(t + delay)) over the pairs with a denominator
    symmetric,       ///< N <G> / (<S(t)> <S(t + delay)>), each mean over all pairs
    two_level        ///< mean of `symmetric` over the static bins inside the bin
};

/// How the standard error of g2 is estimated.
enum class ErrorMethod {
    published,  ///< standard deviation of C over the pairs / root of their number
    pixels,     ///< standard error of the mean of g2 over groups of pixels
    bootstrap,  ///< moving blocks of pairs that follow each other in time
    jackknife   ///< g2 without each group of pixels in turn
};

struct Estimate {
    Estimator estimator = Estimator::ratio;
    ErrorMethod errors = ErrorMethod::published;
    bool operator==(const Estimate&) const = default;
};

/// "ratio", "mean-of-ratios", "symmetric", "two-level".
const char* name_of(Estimator estimator);
/// "published", "pixels", "bootstrap", "jackknife".
const char* name_of(ErrorMethod errors);

/// estimator, errors.
std::vector<ParameterSpec> estimate_parameters();
/// keep_pairs.
ParameterSpec keep_pairs_parameter();
bool keeps_pairs(const ParameterSet& parameters);
/// Saved runs of earlier versions have no such parameters: then as published.
Estimate estimate_of(const ParameterSet& parameters);
/// Whether the estimator needs static bins inside the bins.
bool takes_static_bins(const ParameterSet& parameters);
/// What variants take that compute only the ratio of sums with its published error, and keep no pairs.
std::vector<Condition> only_published();

}  // namespace ks::xpcs
