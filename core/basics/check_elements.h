#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/base/element_type.h"
#include "core/base/progress.h"
#include "core/data/count_text.h"
#include "core/data/not_numbers.h"
#include "core/data/sample.h"
#include "core/run/request.h"
#include "core/run/result.h"
#include "core/run/run.h"
#include "core/run/verdict.h"

namespace ks::basics {

/// Compares each dataset of `expected` with the one of the same name in `found`, value by value; texts are
/// compared but not counted.
Verdict same_values(const Result& found, const Result& expected);

/// Singular of the values of an exercise, and the predicate for one and for all being correct: "sum", "equals
/// the reference", "equal the reference".
struct ElementWords {
    const char *what, *one, *pass;
};

/// |found - right| / |right|; infinite if one of them is NaN or only `right` is 0.
template <class T>
double relative_error(T found, T right) {
    if (found == right) return 0;
    const double error = std::abs(static_cast<double>(found) - static_cast<double>(right)) /
                         std::abs(static_cast<double>(right));
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// Compares the dataset "c", of `size` values of type T, with the correct values: all,
/// or 100,000 of them.
/// @param error (value, element) -> its relative error, never NaN
/// @param tolerance largest relative error of a correct value
template <class T, class Error>
Verdict check_elements(const Run& run, std::size_t size, CheckMode mode, Progress& progress,
                       const ElementWords& words, const Error& error, double tolerance = 0) {
    constexpr std::size_t sampled = 100'000;
    Verdict verdict;
    verdict.tolerance = tolerance;
    const Dataset* const found = run.result.find("c");
    if (found == nullptr || found->values.type() != element_type_of<T>() || found->values.size() != size) {
        verdict.state = Verdict::State::fail;
        verdict.where = "c";
        verdict.text = fmt::format("fail: expected {} in c", count_text(size, words.what));
        return verdict;
    }
    const auto values = found->values.as<T>();
    const Sample sample(size, mode == CheckMode::full ? size : sampled);
    const std::string what = words.what;
    std::size_t wrong = 0, first = 0;
    double worst = 0;
    for (std::size_t i = 0; i < sample.places(); ++i) {
        if (i % (std::size_t{1} << 20) == 0) progress.check();
        const std::size_t at = sample[i];
        const double now = error(values[at], at);
        worst = std::max(worst, now);
        if (now > tolerance && wrong++ == 0) first = at;
    }
    verdict.samples = sample.places();
    verdict.worst_error = worst;
    verdict.where = fmt::format("c, element {}", first);
    verdict.state = wrong > 0         ? Verdict::State::fail
                    : sample.is_all() ? Verdict::State::pass
                                      : Verdict::State::sampled;
    verdict.text =
        wrong == 0
            ? fmt::format("pass: {} of {} {}", verdict.samples, count_text(size, words.what),
                          verdict.samples == 1 ? words.one : words.pass)
            : fmt::format("fail: {} of {} {} from the reference, first at element {}", wrong,
                          count_text(verdict.samples, ((sample.is_all() ? "" : "sampled ") + what).c_str()),
                          wrong == 1 ? "differs" : "differ", first);
    // No correct value is NaN, whether it was sampled or not.
    if (const std::string nan = nan_text(std::span<const T>(values), progress); !nan.empty()) {
        verdict.text = wrong == 0 ? "fail: " + nan : verdict.text + "; " + nan;
        verdict.state = Verdict::State::fail;
    }
    return verdict;
}

}  // namespace ks::basics
