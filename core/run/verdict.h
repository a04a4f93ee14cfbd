#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/base/fields.h"

namespace ks {

/// A place of a result by what its numbers count, as texts and files count them: {"bin", 4}, {"delay", 37}.
/// core/<analysis>/check.h says which ones an analysis has.
using VerdictPlace = std::map<std::string, std::uint64_t>;

/// How far a result is from its reference.
struct Verdict {
    enum class State { unchecked, pass, fail, sampled };  ///< sampled: passed on `samples` values
    State state = State::unchecked;
    std::uint64_t samples = 0;  ///< values compared
    double worst_error = 0;     ///< the largest relative error, in the dataset named by `where`
    double tolerance = 0;       ///< that applied there
    std::string where;          ///< "g2, bin 4, delay 37"
    std::string text;           ///< one sentence for people
    VerdictPlace place =
        {};  ///< `where` for a program; empty: the analysis names none, or a dataset is absent
};

const char* name_of(Verdict::State state);
/// The verdict in a line that begins with what came of it: "pass", "fail", or "not made" and why.
std::string line_of(const Verdict& verdict);
Verdict::State verdict_state_from(const std::string& name);

void fields(auto& visit, ConstOr<Verdict> auto& verdict) {
    visit.name("state", verdict.state, verdict_state_from);
    visit("samples", verdict.samples);
    visit("worst_error", verdict.worst_error);
    visit("tolerance", verdict.tolerance);
    visit("where", verdict.where);
    visit("text", verdict.text);
    visit.added("place", verdict.place);
}

}  // namespace ks
