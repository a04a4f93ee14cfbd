#include "core/run/verdict.h"

#include <optional>
#include <string>

#include "core/run/tables/enum_names.h"

namespace ks {
namespace {

constexpr EnumNames<Verdict::State, 4> verdict_states{{"unchecked", "pass", "fail", "sampled"}};

}  // namespace

const char* name_of(Verdict::State state) {
    return verdict_states.of(state);
}

Verdict::State verdict_state_from(const std::string& name) {
    return verdict_states.from(name, ErrorKind::run, "verdict");
}

std::optional<double> judged_error(const Verdict& verdict) {
    if (verdict.state == Verdict::State::unchecked || verdict.tolerance == 0) return std::nullopt;
    const bool within = verdict.worst_error && *verdict.worst_error <= verdict.tolerance;
    if (within == (verdict.state == Verdict::State::fail)) return std::nullopt;
    return verdict.worst_error;
}

std::string line_of(const Verdict& verdict) {
    const std::string what = verdict.state == Verdict::State::unchecked ? "not made"
                             : verdict.state == Verdict::State::fail    ? "fail"
                                                                        : "pass";
    if (verdict.text.empty())
        return verdict.state == Verdict::State::unchecked
                   ? what + ": there is nothing to compare this run with"
                   : what;
    return verdict.text.starts_with(what) ? verdict.text : what + ": " + verdict.text;
}

}  // namespace ks
