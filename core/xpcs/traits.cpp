#include "core/xpcs/traits.h"

#include <string>

namespace ks::xpcs {

Traits traits_of(const CorrelationProblem& problem) {
    return {{"counts", std::string(problem.compact() == ElementType::f32 ? "float" : "whole")}};
}

}  // namespace ks::xpcs
