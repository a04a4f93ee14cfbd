#include "core/xpcs/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ks::xpcs {

Comparison::Comparison(const Variant& variant)
    : variant_(variant),
      g2_tolerance_(tolerance_of("g2", 1e-6)),
      err_tolerance_(tolerance_of("g2_err", 1e-5)),
      two_time_tolerance_(tolerance_of("two_time", 1e-6)) {}

double Comparison::tolerance_of(const std::string& dataset, double standard) const {
    for (const auto& [name, tolerance] : variant_.tolerances)
        if (name == dataset) return tolerance;
    return standard;
}

void Comparison::g2(double found, double expected, std::size_t label, std::size_t delay) {
    compare(found, expected, g2_tolerance_, 1e-12, {.dataset = "g2", .label = label, .delay = delay});
}

void Comparison::g2_err(double found, double expected, double expected_g2, std::size_t terms,
                        std::size_t label, std::size_t delay) {
    // The terms C of the deviation are only accurate to the tolerance of g2, and sums of (C-1)^2 are rounded.
    const double spread = 0.01 + 0.1 * std::abs(expected_g2 - 1.0);
    const double floor =
        1e-12 + (terms > 1 ? g2_tolerance_ * spread / std::sqrt(static_cast<double>(terms)) : 0.0);
    compare(found, expected, err_tolerance_, floor, {.dataset = "g2_err", .label = label, .delay = delay});
}

void Comparison::two_time(double found, double expected, std::size_t label, std::size_t t1, std::size_t t2) {
    compare(found, expected, two_time_tolerance_, 1e-12,
            {.dataset = "two_time", .label = label, .frames = std::pair(t1, t2)});
}

std::string Comparison::Place::text() const {
    return frames ? fmt::format("frames {} and {}", frames->first, frames->second)
                  : fmt::format("bin {}, delay {}", label, delay);
}

VerdictPlace Comparison::Place::numbers() const {
    if (frames) return {{"bin", label}, {"frame_1", frames->first}, {"frame_2", frames->second}};
    return {{"bin", label}, {"delay", delay}};
}

void Comparison::broken(const std::string& what) {
    if (failure_.empty()) failure_ = what;
}

void Comparison::compare(double found, double expected, double tolerance, double floor, const Place& place) {
    ++values_;
    if (std::isnan(expected) && std::isnan(found)) return;
    if (!std::isfinite(found) || std::isnan(expected)) {
        broken(fmt::format("{} is {}, but the reference is {} (at {})", place.dataset, found, expected,
                           place.text()));
        if (!undefined_) undefined_ = place;
        return;
    }
    // Within `floor` a difference is taken relative to a reference of floor / tolerance.
    const double error = std::abs(found - expected) / std::max(std::abs(expected), floor / tolerance);
    if (error / tolerance <= worst_ratio_) return;
    worst_ratio_ = error / tolerance;
    worst_error_ = error;
    worst_tolerance_ = tolerance;
    worst_ = place;
}

Verdict Comparison::verdict(bool sampled) const {
    Verdict verdict;
    verdict.samples = values_;
    verdict.worst_error = worst_error_;
    verdict.tolerance = worst_tolerance_;
    if (const std::optional<Place>& place = undefined_ ? undefined_ : worst_) {
        verdict.where = std::string(place->dataset) + ", " + place->text();
        verdict.place = place->numbers();
    }
    if (!failure_.empty()) {
        verdict.state = Verdict::State::fail;
        verdict.text = failure_;
    } else if (worst_ratio_ > 1) {
        verdict.state = Verdict::State::fail;
        verdict.text =
            fmt::format("{} deviates by {:.2g} from the double-precision reference (tolerance {:.2g}) at {}",
                        worst_->dataset, worst_error_, worst_tolerance_, worst_->text());
    } else if (values_ == 0) {
        verdict.state = Verdict::State::unchecked;
        verdict.text = "no value could be recomputed within the time for a sample";
    } else {
        verdict.state = sampled ? Verdict::State::sampled : Verdict::State::pass;
        const std::string kind = sampled ? fmt::format("pass on {} sampled values", values_) : "pass";
        verdict.text =
            !worst_ ? kind + ": every value is undefined, as in the double-precision reference"
                    : fmt::format("{}: {} is within {:.2g} of the double-precision reference (worst at {})",
                                  kind, worst_->dataset, worst_error_, worst_->text());
    }
    return verdict;
}

}  // namespace ks::xpcs
