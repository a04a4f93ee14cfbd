#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/run/variant.h"
#include "core/run/verdict.h"

namespace ks::xpcs {

/// Collects the differences of single values and makes a verdict of them.
class Comparison {
  public:
    explicit Comparison(const Variant& variant);

    /// @param where "bin 4, delay 37"
    void g2(double found, double expected, std::size_t label, std::size_t delay);
    /// @param expected_g2 of the same place; @param terms the number of frame pairs at this delay
    void g2_err(double found, double expected, double expected_g2, std::size_t terms, std::size_t label,
                std::size_t delay);
    void two_time(double found, double expected, std::size_t t1, std::size_t t2);
    /// A dataset that is absent or of another shape.
    void broken(const std::string& what);

    std::uint64_t values() const { return values_; }
    Verdict verdict(bool sampled) const;

  private:
    void compare(const char* dataset, double found, double expected, double tolerance, double floor,
                 const std::string& place);
    double tolerance_of(const std::string& dataset, double standard) const;

    const Variant& variant_;
    double g2_tolerance_, err_tolerance_, two_time_tolerance_;
    std::uint64_t values_ = 0;
    double worst_ratio_ = -1;  ///< error over tolerance
    std::string worst_dataset_, worst_place_;
    double worst_error_ = 0, worst_tolerance_ = 0;
    std::string failure_;  ///< of a place that no number can express
};

}  // namespace ks::xpcs
