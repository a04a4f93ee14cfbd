#include "core/run/verdict.h"

#include "core/base/error.h"

namespace ks {

const char* name_of(Verdict::State state) {
    switch (state) {
        case Verdict::State::unchecked:
            return "unchecked";
        case Verdict::State::pass:
            return "pass";
        case Verdict::State::fail:
            return "fail";
        case Verdict::State::sampled:
            break;
    }
    return "sampled";
}

Verdict::State verdict_state_from(const std::string& name) {
    using enum Verdict::State;
    for (const Verdict::State state : {unchecked, pass, fail, sampled})
        if (name == name_of(state)) return state;
    throw Error(ErrorKind::run, "expected unchecked, pass, fail or sampled, found \"" + name + "\"",
                "verdict");
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
