#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/analysis.h"

namespace ks::basics {

/// A value and the largest error it may have in float arithmetic.
struct Bounded {
    double value = 0, error = 0;
};

/// An expression that the host can evaluate: + - * / and parentheses, numbers, x[i], y[i], a, b, min, max,
/// fmin and fmax, with the semantics of OpenCL C (including integer division).
class Expression {
  public:
    /// Empty if the text contains anything else.
    /// @param names allowed variables: "xy", "ab" or ""
    static std::optional<Expression> parsed(const std::string& text, std::string_view names);

    /// Each operation adds the rounding error of a float (for a division 2.5 units in the last place) to the
    /// propagated errors of its operands. The error is infinite if a divisor may be 0, a float or an int
    /// overflows, or a long exceeds 2^53, up to which double is exact.
    Bounded at(Bounded x, Bounded y, Bounded a, Bounded b) const;

    /// The first division of whole numbers that has a remainder, which C drops: "1 / 2 = 0"; empty: none has.
    std::string dropped_remainder() const;

  private:
    friend class ExpressionParser;
    /// As in OpenCL C: int, long or float.
    enum class Type { whole, large, real };
    enum class Step { number, x, y, a, b, add, subtract, multiply, divide, divide_whole, negate, min, max };
    struct Operation {
        Step step;
        double number = 0;
        Type type = Type::real;
    };
    std::vector<Operation> operations_;  ///< operands first
};

/// A map and a reduction as typed by the user.
struct ExpressionProblem : Problem {
    std::vector<float> x, y;  ///< [element], of the same length
    std::string map, reduce, neutral, preamble;
};

/// Order of the reduction in all variants: item i of `groups` x `group_items` takes elements i, i + items and
/// so on; a tree reduces the items of each group; a last group does the same with the results of the groups.
inline constexpr std::size_t group_items = 64, most_groups = 64;
std::size_t groups_for(std::size_t elements);

struct Expected {
    std::vector<Bounded> mapped;
    Bounded reduced;           ///< by the tree of a parallel reduction
    Bounded reduced_in_order;  ///< in sequence, starting from the neutral value
    Bounded reduced_alone;     ///< in sequence, without the neutral value; 0 if there are no values
};
/// Expected results; empty if the host cannot evaluate an expression, or if there is a
/// preamble, which may redefine names.
std::optional<Expected> expected(const ExpressionProblem& problem);

Result expression_result(const ExpressionProblem& problem, const std::vector<float>& mapped, float reduced);

}  // namespace ks::basics
