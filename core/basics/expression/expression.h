#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/basics/expression/evaluator.h"
#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// A map and a reduction as the user types them.
struct ExpressionProblem : Problem {
    std::vector<float> x, y;  ///< [element], of one length
    std::string map, reduce, neutral, preamble;
};

/// How the reduction goes, in any variant: item i of `groups` x `group_items` takes elements i, i + items and
/// so on; a tree halves the items of each group; a last group does the same with the results of the groups.
inline constexpr std::size_t group_items = 64, most_groups = 64;
std::size_t groups_for(std::size_t elements);

struct Expected {
    std::vector<Bounded> mapped;
    Bounded reduced;           ///< by the tree of a parallel reduction
    Bounded reduced_in_order;  ///< one after the other, from the neutral value on
};
/// What must come out; nothing where the host does not understand an expression, or there is a preamble,
/// which may give names another meaning.
std::optional<Expected> expected(const ExpressionProblem& problem);

std::unique_ptr<Analysis> make_expression();
/// host.reference.
std::vector<HostVariant> expression_on_host();

Result expression_result(const ExpressionProblem& problem, const std::vector<float>& mapped, float reduced);

}  // namespace ks::basics
