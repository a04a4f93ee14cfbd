#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/fields.h"

namespace ks {

/// A position in a result, by named indices as they appear in texts and files: {"bin", 4}, {"delay", 37}.
/// core/<analysis>/check.h lists the names for an analysis.
using VerdictPlace = std::map<std::string, std::uint64_t>;

/// The deviation of a result from its reference.
struct Verdict {
    enum class State { unchecked, pass, fail, sampled };  ///< sampled: passed on `samples` values
    State state = State::unchecked;
    std::uint64_t samples = 0;  ///< values compared
    /// The largest relative error, in the dataset named by `where`; nothing if no errors were computed:
    /// labels, texts and decisions are right or wrong, and a dataset can be missing.
    std::optional<double> worst_error = {};
    double tolerance = 0;  ///< the tolerance applied there; 0: values must equal the reference
    std::string where;     ///< "g2, bin 4, delay 37"
    std::string text;      ///< one sentence for users
    VerdictPlace place =
        {};  ///< `where` in machine-readable form; empty: the analysis has none, or a dataset is missing
};

/// The largest relative error, if the check allows errors and its outcome depends on how large they are;
/// nothing if values must equal the reference, or if something else is wrong.
std::optional<double> judged_error(const Verdict& verdict);

const char* name_of(Verdict::State state);
/// The verdict in one line that starts with its outcome: "pass", "fail", or "not made" and why.
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
