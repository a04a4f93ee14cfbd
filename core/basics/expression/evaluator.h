#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks::basics {

/// A value with how far one in float arithmetic may be from it.
struct Bounded {
    double value = 0, error = 0;
};

/// An expression that the host understands: + - * / and parentheses, numbers, x[i], y[i], a, b, min, max,
/// fmin and fmax, as OpenCL C takes them (whole numbers are divided as such).
class Expression {
  public:
    /// Nothing where there is more in it.
    /// @param names that it may use: "xy", "ab" or ""
    static std::optional<Expression> parsed(const std::string& text, std::string_view names);

    /// Each operation adds the rounding of a float, of a division 2.5 units in the last place, to the errors
    /// of what goes in. The error is infinite where a divisor may be 0 or a float too large.
    Bounded at(Bounded x, Bounded y, Bounded a, Bounded b) const;

  private:
    friend class ExpressionParser;
    enum class Step { number, x, y, a, b, add, subtract, multiply, divide, divide_whole, negate, min, max };
    struct Operation {
        Step step;
        double number = 0;
        bool whole = false;
    };
    std::vector<Operation> operations_;  ///< operands first
};

}  // namespace ks::basics
