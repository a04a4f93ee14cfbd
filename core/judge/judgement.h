#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/fields.h"
#include "core/kernels/resolved_source.h"
#include "core/run/build_log.h"
#include "core/run/verdict.h"

namespace ks {

/// One question to a kernel, and what was found.
struct Finding {
    enum class State { yes, no, unknown };
    std::string id;                ///< one of questions() (core/judge/questions.h)
    State state = State::unknown;  ///< yes: nothing is wrong
    std::string text;              ///< where it is wrong and how, or why it is not known
    std::string details = {};      ///< the compiler's log
    /// Lines that the text names; of a data race those of both work-items.
    std::vector<SourcePlace> places = {};
    /// Of a finding that sums up several runs: those that it is of, by their titles; empty: all.
    std::vector<std::string> at = {};
};

const char* name_of(Finding::State state);
Finding::State finding_state_from(const std::string& name);

void fields(auto& visit, ConstOr<Finding> auto& finding) {
    visit("id", finding.id);
    visit.name("state", finding.state, finding_state_from);
    visit("text", finding.text);
    visit("details", finding.details);
    visit.added("places", finding.places);
    visit.added("at", finding.at);
}

/// One run of a kernel in a process of its own, which it may have ended.
struct Attempt {
    std::optional<Error> error = {};
    std::optional<Verdict> verdict = {};  ///< of a full check
    std::vector<BuildLog> builds = {};
    std::string stage = {};                            ///< told last: "kernel correlate"
    std::map<std::string, std::uint64_t> groups = {};  ///< work-groups of each kernel, of its largest launch
    std::string how_it_ended = {};  ///< the process, as signal_text() says it; empty: it lives
    bool was_too_long = false;      ///< it was ended at the limit
};

/// The finding "values" of a full check: not known where the host has nothing to compare with.
Finding finding_of(const Verdict& verdict);

/// What a guarded run and an ordinary one of the same kernel tell: whether it builds, stays within its
/// buffers, ends, lets the process live, and gives the right values.
/// @param limit of a kernel that says nothing
std::vector<Finding> findings_of(const Attempt& guarded, const Attempt& ordinary,
                                 std::chrono::milliseconds limit);

/// Where a kernel does not build nothing else is known.
std::vector<Finding> findings_that_do_not_build(const Finding& why);

/// "the kernel correlate ended its process: an illegal access to memory (signal 11, ...)"
std::string ended_its_process(const std::string& stage, const std::string& how);

/// "the kernel correlate did not end within 10 s"
std::string did_not_end(const std::string& stage, std::chrono::milliseconds limit);

}  // namespace ks
