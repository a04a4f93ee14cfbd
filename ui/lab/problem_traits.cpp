#include "ui/lab/problem_traits.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"

namespace ks::ui::lab {
namespace {

/// Errors of a problem are reported when it is timed.
Traits traitsMade(const Analysis& analysis, const ParameterSet& sizes) {
    try {
        return analysis.traits(*analysis.benchmark_problem(sizes));
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

std::vector<Traits> traitsOf(const Analysis& analysis, const BenchPlan& plan) {
    if (plan.request) return {checked(analysis.info().parameters, plan.request->parameters)};
    std::vector<Traits> all;
    std::vector<ParameterSet> made;  // small enough to take no time
    for (const ParameterSet& sizes : bench_points(analysis, plan)) {
        ParameterSet small = sizes;
        for (const auto& [id, value] : analysis.info().small) small[id] = value;
        if (std::ranges::find(made, small) != made.end()) continue;
        made.push_back(small);
        Traits traits;
        // Without a small version it would be generated at full size.
        if (!analysis.info().small.empty()) traits = traitsMade(analysis, small);
        traits.insert(sizes.begin(), sizes.end());
        all.push_back(std::move(traits));
    }
    return all;
}

void judge(std::vector<Offer>& offers, const std::vector<Traits>& problems, bool deviceHasFp64) {
    for (Offer& offer : offers) {
        if (!offer.why_not.empty()) continue;
        std::string reason;
        for (const Traits& problem : problems) {
            const std::string one = why_not(offer.variant, problem, deviceHasFp64);
            if (one.empty()) {
                reason.clear();
                break;
            }
            if (reason.empty()) reason = one;
        }
        offer.why_not = reason;
    }
}

}  // namespace ks::ui::lab
