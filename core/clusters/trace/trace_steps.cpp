#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/clusters/trace/trace.h"

namespace ks::clusters {
namespace {

/// A state by rank: state[r] is the label or parent, itself a rank, of the digi with rank r.
using State = std::vector<std::int32_t>;

std::int32_t root(const State& state, std::int32_t of) {
    while (state[static_cast<std::size_t>(of)] != of) of = state[static_cast<std::size_t>(of)];
    return of;
}

State followed(const State& old) {
    State now(old.size());
    for (std::size_t i = 0; i < old.size(); ++i) now[i] = root(old, static_cast<std::int32_t>(i));
    return now;
}

void lower(std::int32_t& value, std::int32_t to) {
    value = std::min(value, to);
}

/// Calls take(a, b) for the ranks of all pairs of neighbours.
template <class Take>
void each_pair(const TracedModule& module, const Take& take) {
    for (std::size_t place = 0; place < module.size(); ++place)
        for (std::size_t k = 0; k < module.width; ++k) {
            const std::int32_t other = module.neighbours[place * module.width + k];
            if (other < 0) break;
            take(module.rank[place], module.rank[static_cast<std::size_t>(other)]);
        }
}

State spread(const TracedModule& module, const State& old) {
    State now = old;
    each_pair(module, [&](std::int32_t a, std::int32_t b) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        lower(now[i], old[j]);
        lower(now[j], old[i]);
    });
    return now;
}

State hung(const TracedModule& module, const State& old) {
    State now = old;
    each_pair(module, [&](std::int32_t a, std::int32_t b) {
        const auto [low, high] = std::minmax({root(old, a), root(old, b)});
        lower(now[static_cast<std::size_t>(high)], low);
    });
    return now;
}

std::vector<std::int32_t> by_place(const TracedModule& module, const State& state) {
    std::vector<std::int32_t> out(state.size());
    for (std::size_t place = 0; place < out.size(); ++place)
        out[place] = state[static_cast<std::size_t>(module.rank[place])];
    return out;
}

}  // namespace

TraceSteps steps_in_turn(const TracedModule& module, const TraceStep& odd, const TraceStep& even) {
    State state(module.size());
    for (std::size_t i = 0; i < state.size(); ++i) state[i] = static_cast<std::int32_t>(i);
    TraceSteps steps{by_place(module, state)};
    for (bool more = true; more;) {
        State now = odd(state);
        more = now != state;
        steps.push_back(by_place(module, now));
        if (more) steps.push_back(by_place(module, now = even(now)));
        state = std::move(now);
        if (steps.size() * state.size() > max_trace_bytes / sizeof(std::int32_t))
            throw Error(ErrorKind::input, "the module needs too many steps to be recorded", "record",
                        "choose a smaller module");
    }
    return steps;
}

TraceSteps propagation_rounds(const TracedModule& module) {
    return steps_in_turn(
        module, [&module](const State& old) { return spread(module, old); }, followed);
}

TraceSteps union_steps(const TracedModule& module) {
    return steps_in_turn(
        module, [&module](const State& old) { return hung(module, old); }, followed);
}

}  // namespace ks::clusters
