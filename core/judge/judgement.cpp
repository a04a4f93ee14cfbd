#include "core/judge/judgement.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/judge/kernel_stage.h"
#include "core/run/build_stage.h"

namespace ks {
namespace {

using State = Finding::State;

constexpr std::array finding_states{std::pair{State::yes, "yes"}, std::pair{State::no, "no"},
                                    std::pair{State::unknown, "unknown"}};

/// "the kernel correlate", "the stage load"
std::string subject_of(const std::string& stage) {
    if (stage.starts_with(kernel_stage)) return "the " + stage;
    // Between two kernels the stage is called "run".
    return stage.empty() || stage == "run" ? "the run" : "the stage " + stage;
}

bool has(const Attempt& attempt, ErrorKind kind) {
    return attempt.error && attempt.error->kind() == kind;
}

Finding builds(const Attempt& guarded, const Attempt& ordinary) {
    for (const Attempt* attempt : {&guarded, &ordinary}) {
        if (has(*attempt, ErrorKind::build))
            return {"builds", State::no, attempt->error->what(), attempt->error->details()};
        if (!attempt->how_it_ended.empty() && attempt->stage == build_stage)
            return {"builds", State::no, "the compiler crashed the process: " + attempt->how_it_ended};
    }
    return {"builds", State::yes, {}};
}

Finding guards(const Attempt& guarded) {
    if (!guarded.damage.empty()) return {"guards", State::no, guarded.damage};
    if (guarded.ended_early)
        return {"guards", State::unknown, "the run ended with wrong values before all zones were compared"};
    if (guarded.verdict) return {"guards", State::yes, {}};
    return {"guards", State::unknown, "the run between guard zones gave no result"};
}

Finding ends(const Attempt& guarded, const Attempt& ordinary, std::chrono::milliseconds limit) {
    for (const Attempt* attempt : {&guarded, &ordinary})
        if (attempt->was_too_long) return {"ends", State::no, did_not_end(attempt->stage, limit)};
    return {"ends", State::yes, {}};
}

Finding survives(const Attempt& guarded, const Attempt& ordinary) {
    for (const Attempt* attempt : {&guarded, &ordinary}) {
        if (!attempt->how_it_ended.empty() && !attempt->was_too_long)
            return {
                "survives", State::no,
                fmt::format("{} crashed the process: {}", subject_of(attempt->stage), attempt->how_it_ended)};
        if (has(*attempt, ErrorKind::device)) return {"survives", State::no, attempt->error->what()};
    }
    if (guarded.was_too_long || ordinary.was_too_long)
        return {"survives", State::unknown, "its process was stopped at the time limit"};
    return {"survives", State::yes, {}};
}

Finding values(const Attempt& guarded, const Attempt& ordinary) {
    // Between guard zones buffers are filled with a pattern, so unwritten values show up there first.
    const bool wrong = guarded.verdict && guarded.verdict->state == Verdict::State::fail;
    const Attempt& with = ordinary.verdict && !wrong ? ordinary : guarded;
    if (!with.verdict && with.error && with.error->kind() == ErrorKind::run)
        return {"values", State::unknown, std::string("no run gave a result: ") + with.error->what()};
    if (!with.verdict) return {"values", State::unknown, "no run gave a result"};
    return finding_of(*with.verdict);
}

constexpr const char* too_long = " did not finish within ";

}  // namespace

Finding finding_of(const Verdict& verdict) {
    switch (verdict.state) {
        case Verdict::State::pass:
            return {"values", State::yes, verdict.text};
        case Verdict::State::fail:
            return {"values", State::no, verdict.text};
        case Verdict::State::sampled:
            return {"values", State::unknown, "only a sample was compared; " + verdict.text};
        case Verdict::State::unchecked:
            break;
    }
    return {"values", State::unknown,
            verdict.text.empty() ? "there is nothing to compare this run with" : verdict.text};
}

const char* name_of(Finding::State state) {
    for (const auto& [value, name] : finding_states)
        if (value == state) return name;
    return "unknown";
}

Finding::State finding_state_from(const std::string& name) {
    for (const auto& [value, known] : finding_states)
        if (name == known) return value;
    return State::unknown;
}

std::string ended_its_process(const std::string& stage, const std::string& how) {
    return fmt::format("{} crashed its process: {}", subject_of(stage), how);
}

std::string did_not_end(const std::string& stage, std::chrono::milliseconds limit) {
    return fmt::format("{}{}{:g} s", subject_of(stage), too_long,
                       std::chrono::duration<double>(limit).count());
}

bool says_that_it_did_not_end(const Error& error) {
    return error.kind() == ErrorKind::run && error.message().find(too_long) != std::string::npos;
}

std::vector<Finding> findings_that_do_not_build(const Finding& why) {
    std::vector<Finding> all{why};
    for (const char* id : {"guards", "ends", "survives", "values"})
        all.push_back({id, State::unknown, "it does not build"});
    return all;
}

std::vector<Finding> findings_of(const Attempt& guarded, const Attempt& ordinary,
                                 std::chrono::milliseconds limit) {
    std::vector<Finding> all{builds(guarded, ordinary)};
    if (all.front().state == State::no) return findings_that_do_not_build(all.front());
    all.push_back(guards(guarded));
    all.push_back(ends(guarded, ordinary, limit));
    all.push_back(survives(guarded, ordinary));
    all.push_back(values(guarded, ordinary));
    return all;
}

}  // namespace ks
