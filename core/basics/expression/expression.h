#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/basics/expression/evaluator.h"
#include "core/run/analysis.h"

namespace ks::basics {

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
};
/// Expected results; empty if the host cannot evaluate an expression, or if there is a
/// preamble, which may redefine names.
std::optional<Expected> expected(const ExpressionProblem& problem);

Result expression_result(const ExpressionProblem& problem, const std::vector<float>& mapped, float reduced);

}  // namespace ks::basics
