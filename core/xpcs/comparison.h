#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/run/variant.h"
#include "core/run/verdict.h"

namespace ks::xpcs {

/// Collects the differences of single values for a verdict.
class Comparison {
  public:
    explicit Comparison(const Variant& variant);

    void g2(double found, double expected, std::size_t label, std::size_t delay);
    /// @param expected_g2 at the same position; @param terms number of pairs of used frames at this delay
    void g2_err(double found, double expected, double expected_g2, std::size_t terms, std::size_t label,
                std::size_t delay);
    /// A value of the map of bin `label`.
    void two_time(double found, double expected, std::size_t label, std::size_t t1, std::size_t t2);
    /// Records a dataset that is missing or has another shape.
    void broken(const std::string& what);

    std::uint64_t values() const { return values_; }
    Verdict verdict(bool sampled) const;

  private:
    /// Position of a value in a dataset: a delay, or two frames.
    struct Place {
        const char* dataset;
        std::size_t label;
        std::size_t delay = 0;
        std::optional<std::pair<std::size_t, std::size_t>> frames = {};

        std::string text() const;
        VerdictPlace numbers() const;
    };
    void compare(double found, double expected, double tolerance, double floor, const Place& place);
    double tolerance_of(const std::string& dataset, double standard) const;

    const Variant& variant_;
    double g2_tolerance_, err_tolerance_, two_time_tolerance_;
    std::uint64_t values_ = 0;
    double worst_ratio_ = -1;                 ///< error over tolerance
    std::optional<Place> worst_, undefined_;  ///< undefined_: the first position with an undefined error
    double worst_error_ = 0, worst_tolerance_ = 0;
    std::string failure_;
};

}  // namespace ks::xpcs
