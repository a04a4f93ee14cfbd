#pragma once

#include <span>
#include <string>
#include <vector>

namespace ks::fit {

/// A formula of t with named parameters, with its derivatives: + - * / ^ and parentheses, numbers, and the
/// functions exp, log, sqrt, pow, abs, sin and cos. Every name other than t is a parameter.
class Formula {
  public:
    static constexpr std::size_t max_parameters = 12, max_depth = 64;

    /// Throws ks::Error(input) that shows what was expected where; a formula without t or without parameters
    /// is refused.
    explicit Formula(const std::string& text);

    /// In the order in which they first occur.
    const std::vector<std::string>& parameters() const { return parameters_; }
    /// The value, and the derivative with respect to each parameter; NaN or infinite outside the domain of a
    /// function. Safe from any thread.
    double at(double t, std::span<const double> parameters, std::span<double> gradient) const;

  private:
    friend class FormulaParser;
    enum class Step {
        number,
        t,
        parameter,
        add,
        subtract,
        multiply,
        divide,
        power,
        negate,
        exp,
        log,
        sqrt,
        abs,
        sin,
        cos
    };
    struct Operation {
        Step step;
        double number = 0;
        std::size_t parameter = 0;
    };
    std::vector<Operation> operations_;  ///< operands first
    std::vector<std::string> parameters_;
};

}  // namespace ks::fit
