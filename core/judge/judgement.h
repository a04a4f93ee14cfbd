#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/fields.h"
#include "core/judge/judged_launch.h"
#include "core/kernels/resolved_source.h"
#include "core/run/build_log.h"
#include "core/run/verdict.h"

namespace ks {

/// The answer to one question about a kernel.
struct Finding {
    enum class State { yes, no, unknown };
    std::string id;                ///< one of questions() (core/judge/questions.h)
    State state = State::unknown;  ///< yes: nothing is wrong
    std::string text;              ///< what is wrong and where, or why it is unknown
    std::string details = {};      ///< the compiler's log
    /// Lines named in the text; for a data race those of both work-items.
    std::vector<SourcePlace> places = {};
    /// For a finding that summarises several runs: the titles of the runs to which it applies; empty: all.
    std::vector<std::string> at = {};
    /// Number of equal findings of a run that this one stands for.
    std::size_t count = 1;
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
    visit.added("count", finding.count);
}

/// One run of a kernel in a separate process, which it may have crashed.
struct Attempt {
    std::optional<Error> error = {};
    std::optional<Verdict> verdict = {};  ///< result of a full check
    /// What it wrote outside its buffers or into an input, as a guarded run found; empty: nothing.
    std::string damage = {};
    /// The verdict is that no result could be made of its values: later kernels did not run.
    bool ended_early = false;
    std::vector<BuildLog> builds = {};
    std::string stage = {};                            ///< last one reported: "kernel correlate"
    std::map<std::string, std::uint64_t> groups = {};  ///< work-groups per kernel, in its largest launch
    std::string how_it_ended = {};                     ///< signal_text() of the process; empty: still running
    bool was_too_long = false;                         ///< stopped at the time limit
    JudgedLaunch launch = {};                          ///< of a run with a result
};

/// The finding "values" of a full check: unknown if the host has no reference.
Finding finding_of(const Verdict& verdict);

/// Findings from a guarded and an ordinary run of the same kernel: whether it builds, stays within its
/// buffers, ends, does not crash the process, and gives correct values.
/// @param limit time without progress after which a kernel is stopped
std::vector<Finding> findings_of(const Attempt& guarded, const Attempt& ordinary,
                                 std::chrono::milliseconds limit);

/// The findings for a kernel that does not build: nothing else is known.
std::vector<Finding> findings_that_do_not_build(const Finding& why);

/// "the kernel correlate crashed its process: an illegal access to memory (signal 11, ...)"
std::string ended_its_process(const std::string& stage, const std::string& how);

/// "the kernel correlate did not finish within 10 s"
std::string did_not_end(const std::string& stage, std::chrono::milliseconds limit);
/// Whether the message is that of did_not_end().
bool says_that_it_did_not_end(const Error& error);

}  // namespace ks
