#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/run/variant.h"
#include "core/run/verdict.h"

namespace ks::xpcs {

/// Collects the differences of single values and makes a verdict of them.
class Comparison {
  public:
    explicit Comparison(const Variant& variant);

    void g2(double found, double expected, std::size_t label, std::size_t delay);
    /// @param expected_g2 of the same place; @param terms the number of pairs of frames that are used at this
    /// delay
    void g2_err(double found, double expected, double expected_g2, std::size_t terms, std::size_t label,
                std::size_t delay);
    /// Of the map of bin `label`.
    void two_time(double found, double expected, std::size_t label, std::size_t t1, std::size_t t2);
    /// A dataset that is absent or of another shape.
    void broken(const std::string& what);

    std::uint64_t values() const { return values_; }
    Verdict verdict(bool sampled) const;

  private:
    /// A value of a dataset: at a delay, or of two frames.
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
    std::optional<Place> worst_, undefined_;  ///< undefined_: the first whose error no number can express
    double worst_error_ = 0, worst_tolerance_ = 0;
    std::string failure_;
};

}  // namespace ks::xpcs
