#include "core/xpcs/analysis.h"

namespace ks::xpcs {

Traits traits_of(const CorrelationProblem& problem) {
    return {{"counts", std::string(problem.compact() == ElementType::f32 ? "float" : "whole")},
            {"element", std::string(name_of(problem.compact()))},
            {"max_count", problem.max_count()},
            {"size", static_cast<std::int64_t>(problem.frames() * problem.height() * problem.width())}};
}

}  // namespace ks::xpcs
