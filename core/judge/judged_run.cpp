#include "core/judge/judged_run.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/printable.h"
#include "core/judge/has_word.h"
#include "core/judge/judged_choices.h"
#include "core/judge/judged_sizes.h"
#include "core/judge/questions.h"
#include "core/kernels/inserted_text.h"
#include "core/run/parameters/whole_number.h"

namespace ks {
namespace {

using State = Finding::State;

/// Sizes and definitions of a run by name.
using Marks = std::map<std::string, std::string>;

/// Definitions that were compiled with other values under the simulator than on the device.
std::set<std::string> otherwise_compiled(const std::vector<JudgedRun>& runs) {
    std::map<std::string, std::set<std::string>> on_device, simulated;
    bool any_simulated = false;
    for (const JudgedRun& run : runs) {
        if (!run.launch.known()) continue;
        any_simulated = any_simulated || run.simulated;
        for (const auto& [name, value] : run.launch.compiled)
            (run.simulated ? simulated : on_device)[name].insert(value);
    }
    std::set<std::string> names;
    if (!any_simulated) return names;
    for (const auto& [name, values] : on_device)
        if (simulated[name] != values) names.insert(name);
    return names;
}

/// Sizes and definitions of each run.
std::vector<Marks> marks_of(const std::vector<JudgedRun>& runs) {
    const std::set<std::string> otherwise = otherwise_compiled(runs);
    std::vector<Marks> all;
    for (const JudgedRun& run : runs) {
        Marks& marks = all.emplace_back(run.defines);
        for (const std::string& name : otherwise)
            if (const auto at = run.launch.compiled.find(name); at != run.launch.compiled.end())
                marks[name] = at->second;
        for (const auto& [id, value] : run.sizes)
            if (const std::string text = to_text(value); !text.empty()) marks[id] = text;
    }
    return all;
}

/// Names of those that differ from run to run.
std::vector<std::string> varied(const std::vector<Marks>& marks) {
    std::map<std::string, std::set<std::string>> values;
    for (const Marks& of_run : marks)
        for (const auto& [name, value] : of_run) values[name].insert(value);
    std::vector<std::string> names;
    for (const auto& mark : values) {
        const bool everywhere =
            std::ranges::all_of(marks, [&](const Marks& of_run) { return of_run.contains(mark.first); });
        if (mark.second.size() > 1 || !everywhere) names.push_back(mark.first);
    }
    return names;
}

/// Definitions that have the same value in all runs that were compiled.
Marks compiled_alike(const std::vector<JudgedRun>& runs) {
    std::map<std::string, std::set<std::string>> values;
    for (const JudgedRun& run : runs)
        for (const auto& [name, value] : run.launch.compiled) values[name].insert(value);
    Marks alike;
    for (const auto& [name, some] : values)
        if (some.size() == 1) alike[name] = *some.begin();
    return alike;
}

/// Whether a choice is named in the report.
bool is_worth_naming(const ParameterSpec& spec, const ParameterValue& value) {
    const auto* const word = std::get_if<std::string>(&value);
    if (word != nullptr) return !word->empty();
    return std::holds_alternative<bool>(value) || is_launch_size(spec.id) || value != spec.default_value;
}

bool is_simulated(const std::string& id) {
    return std::ranges::any_of(
        questions(), [&](const Question& question) { return question.simulated && id == question.id; });
}

/// Whether two answers are the same. Faults found by the simulator are compared by lines, or by text where
/// the lines are unknown. On the device, which finds one fault per run, all faults are the same, and so are
/// all unknown answers.
bool same_finding(const Finding& a, const Finding& b, bool on_device) {
    if (a.state != b.state) return false;
    if (a.state == State::unknown || (a.state == State::no && on_device)) return true;
    return a.places.empty() && b.places.empty() ? a.text == b.text
                                                : std::ranges::is_permutation(a.places, b.places);
}

/// Other wordings of a finding, and the runs that have them.
struct OtherWords {
    std::string text;
    std::vector<std::string> at;
};

std::string lines_of_others(const std::vector<OtherWords>& others) {
    constexpr std::size_t most = 8;
    std::vector<std::string> lines;
    lines.reserve(others.size());
    for (const OtherWords& other : others)
        lines.push_back(fmt::format("{}: {}", fmt::join(other.at, "; "), without_verdict(other.text)));
    return listed(lines, most, "\n");
}

/// Summary of all answers to one question.
std::vector<Finding> summed_up(const std::vector<JudgedRun>& runs, const Question& question) {
    std::vector<Finding> all;
    std::vector<std::vector<OtherWords>> others;  // per finding
    std::size_t asked = 0;
    for (const JudgedRun& run : runs) {
        asked += std::ranges::count(run.findings, question.id, &Finding::id) > 0 ? 1 : 0;
        for (const Finding& finding : run.findings) {
            if (finding.id != question.id) continue;
            const auto known = std::ranges::find_if(
                all, [&](const Finding& one) { return same_finding(one, finding, !question.simulated); });
            if (known == all.end()) {
                all.push_back(finding);
                all.back().at = {run.title};
                others.emplace_back();
                continue;
            }
            if (std::ranges::find(known->at, run.title) == known->at.end()) known->at.push_back(run.title);
            known->count = std::max(known->count, finding.count);
            if (finding.text == known->text || !finding.places.empty()) continue;
            std::vector<OtherWords>& beside = others[static_cast<std::size_t>(known - all.begin())];
            const auto same = std::ranges::find(beside, finding.text, &OtherWords::text);
            if (same == beside.end())
                beside.push_back({finding.text, {run.title}});
            else
                same->at.push_back(run.title);
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].state != State::yes && !others[i].empty()) {
            if (!all[i].details.empty()) all[i].details += '\n';
            all[i].details += lines_of_others(others[i]);
        }
    const auto any = [&](State state) {
        return std::ranges::any_of(all, [&](const Finding& one) { return one.state == state; });
    };
    const auto only = [&](State state) {
        std::erase_if(all, [&](const Finding& one) { return one.state != state; });
    };
    if (any(State::no)) {
        only(State::no);
    } else if (any(State::unknown)) {
        only(State::unknown);
        for (Finding& one : all)
            if (one.at.size() == asked) one.at.clear();  // applies to all
    } else if (!all.empty()) {
        // The values of the first run are shown for all.
        for (std::size_t i = 1; i < all.size(); ++i)
            all.front().at.insert(all.front().at.end(), all[i].at.begin(), all[i].at.end());
        all.resize(1);
    }
    return all;
}

std::string cell(const JudgedRun& run, const std::string& id) {
    if (!run.not_taken.empty()) return "not taken";
    const Finding* worst = nullptr;
    for (const Finding& finding : run.findings) {
        if (finding.id != id) continue;
        const auto is_worse = [](State a, State b) {
            return a == State::no ? b != State::no : a == State::unknown && b == State::yes;
        };
        if (worst == nullptr || is_worse(finding.state, worst->state)) worst = &finding;
    }
    return worst == nullptr ? "-" : word_of(*worst);
}

}  // namespace

void give_titles(std::vector<JudgedRun>& runs, const std::vector<std::string>& always,
                 const ParameterSet& usual) {
    const std::vector<Marks> marks = marks_of(runs);
    std::vector<std::string> names = varied(marks);
    const bool has_sizes = std::ranges::any_of(
        always, [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); });
    if (!has_sizes) names.insert(names.end(), always.begin(), always.end());
    const auto is_usual = [&](const auto& mark) {
        const auto value = usual.find(mark.first);
        return value != usual.end() && to_text(value->second) == mark.second;
    };
    for (std::size_t i = 0; i < runs.size(); ++i) {
        JudgedRun& run = runs[i];
        std::vector<std::string> parts;
        for (const std::string& name : names)
            if (const auto mark = marks[i].find(name); mark != marks[i].end() && !is_usual(*mark))
                parts.push_back(mark->first + " " + mark->second);
        if (run.simulated) parts.emplace_back(run.as_type.empty() ? "simulated" : simulated_as_on_device);
        if (run.in_parts) parts.emplace_back(in_smallest_parts);
        run.title = parts.empty() ? "the device" : fmt::format("{}", fmt::join(parts, ", "));
    }
}

std::string choices_of(const AnalysisInfo& info, const std::vector<JudgedRun>& runs,
                       const ParameterSet& usual) {
    if (runs.empty()) return {};
    std::vector<std::string> choices;
    const std::vector<Marks> marks = marks_of(runs);
    const std::vector<std::string> titled = varied(marks);
    const auto is_titled = [&](const std::string& name) {
        return std::ranges::find(titled, name) != titled.end();
    };
    for (const auto& [id, of_first] : choices_among(info, runs.front().sizes)) {
        const auto spec = std::ranges::find(info.benchmark, id, &ParameterSpec::id);
        const auto usually = usual.find(id);
        const bool is_usual = is_titled(id) && usually != usual.end();
        // Without a mark, such as "left to the driver", it is in no title: it is that of all other runs.
        if (is_titled(id) && !is_usual && marks.front().contains(id)) continue;
        const ParameterValue& value = is_usual ? usually->second : of_first;
        if (is_worth_naming(*spec, value)) choices.push_back(id + " " + to_text(*spec, value));
    }
    Marks defines = compiled_alike(runs);
    for (const auto& [name, value] : runs.front().defines) defines[name] = value;
    for (const auto& [name, value] : defines)
        if (!is_titled(name)) choices.push_back(name + " " + value);
    return fmt::format("{}", fmt::join(choices, ", "));
}

const JudgedRun* run_on_device(const std::vector<JudgedRun>& runs, const JudgedRun& simulated) {
    const JudgedRun* last = nullptr;
    for (const JudgedRun& run : runs) {
        const bool fits = std::ranges::all_of(run.defines, [&](const auto& define) {
            const auto at = simulated.defines.find(define.first);
            return at != simulated.defines.end() && at->second == define.second;
        });
        if (run.simulated || run.in_parts || !run.launch.known() || !fits) continue;
        if (run.sizes == simulated.sizes) return &run;
        last = &run;
    }
    return last;
}

namespace {

/// In what a simulation differs from the run on the device; nothing is known of runs without a launch.
std::vector<LaunchDifference> differences_of(const std::vector<JudgedRun>& runs, const JudgedRun& simulated) {
    const JudgedRun* const device = run_on_device(runs, simulated);
    if (device == nullptr || !simulated.launch.known()) return {};
    return differences(device->launch, simulated.launch, device->sizes == simulated.sizes);
}

}  // namespace

std::vector<JudgedRun> runs_as_on_device(const std::vector<JudgedRun>& runs,
                                         const std::vector<DefineSpec>& defines) {
    const auto may_be_set = [&](const std::string& name, const std::string& value) {
        return std::ranges::any_of(defines, [&](const DefineSpec& define) {
            return define.name == name &&
                   (define.allowed.empty() || std::ranges::count(define.allowed, value) > 0);
        });
    };
    std::vector<JudgedRun> more;
    for (const JudgedRun& run : runs) {
        if (!run.simulated || !run.as_type.empty() || run.in_small_steps) continue;
        const std::vector<LaunchDifference> different = differences_of(runs, run);
        if (different.empty()) continue;
        const JudgedRun& on_device = *run_on_device(runs, run);
        const JudgedLaunch& device = on_device.launch;
        JudgedRun made{.sizes = run.sizes, .defines = run.defines, .simulated = true, .as_type = device.type};
        // What was set to find more faults is left to the tuning for that type of device.
        std::erase_if(made.defines, [&](const auto& define) {
            return !on_device.defines.contains(define.first) && !is_for_simulator_only(define.first);
        });
        for (const LaunchDifference& one : different)
            if (const auto value = device.compiled.find(one.name);
                value != device.compiled.end() && may_be_set(one.name, value->second))
                made.defines[one.name] = value->second;
        if (made.defines != run.defines || device.type != run.launch.type) more.push_back(std::move(made));
    }
    return more;
}

namespace {

/// A simulation of a problem with its usual type, steps and choices that got as far as a launch.
bool is_usual_simulation(const JudgedRun& run) {
    return run.simulated && run.as_type.empty() && !run.in_small_steps && !run.of_choices &&
           run.launch.known();
}

}  // namespace

std::vector<JudgedRun> runs_in_small_steps(const std::vector<JudgedRun>& runs,
                                           const std::map<std::string, std::string>& values,
                                           const std::vector<std::string>& names) {
    const auto work_of = [&](const JudgedRun& run) {
        double work = 1;
        for (const std::string& name : names)
            if (const auto at = run.sizes.find(name); at != run.sizes.end())
                if (const auto* number = std::get_if<std::int64_t>(&at->second))
                    work *= static_cast<double>(*number);
        return work;
    };
    const auto besides_work = [&](const JudgedRun& run) {
        ParameterSet others = run.sizes;
        for (const std::string& name : names) others.erase(name);
        return std::pair(others, run.defines);
    };
    std::vector<const JudgedRun*> largest;  // of each combination
    for (const JudgedRun& run : runs) {
        if (!is_usual_simulation(run)) continue;
        const auto known = std::ranges::find_if(
            largest, [&](const JudgedRun* one) { return besides_work(*one) == besides_work(run); });
        if (known == largest.end())
            largest.push_back(&run);
        else if (work_of(run) >= work_of(**known))
            *known = &run;
    }
    const auto is_less = [](const std::string& a, const std::string& b) {
        const auto x = whole_number(a), y = whole_number(b);
        return x && y && *x < *y;
    };
    std::vector<JudgedRun> more;
    for (const JudgedRun* run : largest) {
        JudgedRun made{
            .sizes = run->sizes, .defines = run->defines, .simulated = true, .in_small_steps = true};
        for (const auto& [name, value] : values) {
            const auto compiled = run->launch.compiled.find(name);
            if (compiled != run->launch.compiled.end() && is_less(value, compiled->second))
                made.defines.try_emplace(name, value);
        }
        if (made.defines != run->defines) more.push_back(std::move(made));
    }
    return more;
}

namespace {

/// A loop over a size that gets `define` elements further per pass.
struct LoopStep {
    const char *analysis, *define, *size;
    std::int64_t most;  ///< of the size: what a simulation gets through within seconds
};
constexpr std::array loop_steps{LoopStep{"particles", "TILE", "points", 1100},
                                LoopStep{"matmul", "STRIP", "size", 140}};

/// Of the simulations that got through the loop in a single pass; nothing if one needed several.
struct SinglePass {
    LoopStep loop;
    std::int64_t step = 0, size = 0;  ///< of the one with the largest problem
};

std::vector<SinglePass> single_passes(const std::vector<JudgedRun>& runs, const std::string& analysis,
                                      const std::map<std::string, std::string>& smallest) {
    std::vector<SinglePass> all;
    for (const LoopStep& loop : loop_steps) {
        const auto least = smallest.find(loop.define);
        if (analysis != loop.analysis || least == smallest.end()) continue;
        SinglePass single{loop};
        bool several = false;
        for (const JudgedRun& run : runs) {
            const auto compiled = run.launch.compiled.find(loop.define);
            const auto size = run.sizes.find(loop.size);
            if (!run.simulated || compiled == run.launch.compiled.end() || size == run.sizes.end()) continue;
            const auto step = whole_number(compiled->second), of_least = whole_number(least->second);
            const auto* const elements = std::get_if<std::int64_t>(&size->second);
            if (!step || !of_least || elements == nullptr) continue;
            several = several || *elements > *step || *step <= *of_least;
            if (*elements > single.size) single = {loop, *step, *elements};
        }
        if (!several && single.step > 0) all.push_back(single);
    }
    return all;
}

}  // namespace

std::vector<JudgedRun> runs_of_several_steps(const std::vector<JudgedRun>& runs, const std::string& analysis,
                                             const std::map<std::string, std::string>& smallest) {
    constexpr std::int64_t rest = 6;  // of a last pass
    std::vector<JudgedRun> more;
    for (const SinglePass& single : single_passes(runs, analysis, smallest)) {
        // The first simulated problem is the smallest one in all other sizes.
        const auto like = std::ranges::find_if(runs, is_usual_simulation);
        if (like == runs.end() || single.step + rest > single.loop.most) continue;
        JudgedRun& made = more.emplace_back(JudgedRun{
            .sizes = like->sizes, .defines = like->defines, .simulated = true, .in_small_steps = true});
        made.sizes[single.loop.size] = single.step + rest;
    }
    return more;
}

void doubt_single_steps(std::vector<JudgedRun>& runs, const std::string& analysis,
                        const std::map<std::string, std::string>& smallest) {
    for (const SinglePass& single : single_passes(runs, analysis, smallest)) {
        const std::string why = fmt::format(
            "with {} {}, each simulation got through its at most {} {} in one pass of a loop, so races "
            "between two passes were not looked for; judge with a smaller {}",
            single.loop.define, single.step, single.size,
            single.loop.size == std::string_view("points") ? "points" : "elements", single.loop.define);
        for (JudgedRun& run : runs)
            for (Finding& finding : run.findings)
                if (run.simulated && finding.id == "races" && finding.state == State::yes)
                    finding = {finding.id, State::unknown, why};
    }
}

void doubt_other_branches(std::vector<JudgedRun>& runs) {
    for (JudgedRun& run : runs) {
        if (!run.simulated || run.in_small_steps) continue;
        const std::vector<LaunchDifference> different = differences_of(runs, run);
        const bool repeated = run.as_type.empty() && std::ranges::any_of(runs, [&](const JudgedRun& one) {
                                  return !one.as_type.empty() && one.sizes == run.sizes &&
                                         run_on_device(runs, one) == run_on_device(runs, run);
                              });
        if (different.empty() || repeated) continue;
        const std::string why =
            fmt::format("the branch that the device runs was not simulated; differences under oclgrind: {}",
                        text_of(different));
        for (Finding& finding : run.findings)
            if (finding.state == State::yes && is_simulated(finding.id))
                finding = {finding.id, State::unknown, why};
    }
}

void doubt_races_between_groups(std::vector<JudgedRun>& runs) {
    std::map<std::string, std::uint64_t> on_device, simulated;
    for (const JudgedRun& run : runs)
        for (const auto& [kernel, groups] : run.groups) {
            std::uint64_t& most = (run.simulated ? simulated : on_device)[kernel];
            most = std::max(most, groups);
        }
    std::vector<std::string> alone;
    for (const auto& [kernel, groups] : simulated)
        if (const auto several = on_device.find(kernel);
            groups == 1 && several != on_device.end() && several->second > 1)
            alone.push_back(kernel);
    if (alone.empty()) return;
    const std::string why = fmt::format(
        "no simulation ran several work-groups of the kernel{} {}, so races between them were not looked "
        "for; judge with smaller groups or a larger size",
        alone.size() == 1 ? "" : "s", fmt::join(alone, ", "));
    for (JudgedRun& run : runs)
        for (Finding& finding : run.findings)
            if (run.simulated && finding.id == "races" && finding.state == State::yes)
                finding = {finding.id, State::unknown, why};
}

namespace {

/// Definitions of the judged file that have another value in the other run, or are in one of them alone.
std::vector<std::string> different_definitions(const JudgedRun& a, const JudgedRun& b) {
    std::vector<std::string> names;
    for (const LaunchDifference& one : differences(a.launch, b.launch, true))
        if (one.name.find(' ') == std::string::npos) names.push_back(one.name);  // else of another file
    return names;
}

}  // namespace

bool has_usual_values(const JudgedRun& run, const ParameterSet& usual) {
    return std::ranges::all_of(usual, [&](const auto& value) {
        const auto at = run.sizes.find(value.first);
        return at == run.sizes.end() || at->second == value.second;
    });
}

namespace {

/// Whether a run differs from the usual values in words for choices, and in nothing else but its input.
bool has_other_words(const JudgedRun& run, const AnalysisInfo& info, const ParameterSet& usual) {
    bool other_words = false;
    for (const ParameterSpec& spec : info.benchmark) {
        const auto value = usual.find(spec.id), own = run.sizes.find(spec.id);
        if (value == usual.end() || own == run.sizes.end() || own->second == value->second) continue;
        if (spec.type == ParameterType::choice)
            other_words = true;
        else if (spec.id != "seed")
            return false;
    }
    return other_words;
}

/// A parameter that the host inserts as a function, unless the kernel defines it itself.
struct InsertedFunction {
    const char *analysis, *parameter, *name;
};
constexpr std::array inserted_functions{InsertedFunction{"expression", "map_expression", "map_of"},
                                        InsertedFunction{"expression", "reduce_expression", "reduce_of"},
                                        InsertedFunction{"expression", "neutral", "neutral_of"}};

/// The functions among these that a kernel defines itself although a run asks for another one than usual.
std::vector<std::string> own_functions(const JudgedRun& run, const AnalysisInfo& info,
                                       const ParameterSet& usual, std::string_view text) {
    std::vector<std::string> names;
    for (const InsertedFunction& one : inserted_functions) {
        const auto value = usual.find(one.parameter), own = run.sizes.find(one.parameter);
        if (info.id == one.analysis && value != usual.end() && own != run.sizes.end() &&
            own->second != value->second && defines_function(text, one.name))
            names.emplace_back(one.name);
    }
    return names;
}

}  // namespace

void leave_out_other_kernels(std::vector<JudgedRun>& runs, const AnalysisInfo& info,
                             const ParameterSet& usual, std::string_view text) {
    const JudgedRun* known = nullptr;
    for (const JudgedRun& run : runs)
        if (!run.simulated && !run.in_parts && run.launch.known() && has_usual_values(run, usual))
            known = &run;
    if (known == nullptr) return;
    for (JudgedRun& run : runs) {
        const bool only_values = std::ranges::all_of(run.findings, [](const Finding& finding) {
            return (finding.state == State::no) == (finding.id == "values");
        });
        if (run.simulated || run.findings.empty() || !only_values || !run.launch.known()) continue;
        if (const std::vector<std::string> own = own_functions(run, info, usual, text); !own.empty()) {
            run.not_taken = fmt::format("the kernel defines {} itself", fmt::join(own, " and "));
            run.findings.clear();
            continue;
        }
        if (!has_other_words(run, info, usual)) continue;
        const std::vector<std::string> names = different_definitions(*known, run);
        if (names.empty() ||
            std::ranges::any_of(names, [&](const std::string& name) { return has_word(text, name); }))
            continue;
        run.not_taken = fmt::format("the kernel names none of the definitions that make the difference ({})",
                                    fmt::join(names, ", "));
        run.findings.clear();
    }
}

namespace {

/// Definitions of the judged file with their values that are not tuned, among those that the text names.
std::set<std::pair<std::string, std::string>> branches_of(const JudgedRun& run, std::string_view text) {
    std::set<std::pair<std::string, std::string>> all;
    for (const auto& [name, value] : run.launch.facts)
        if (name.find(' ') == std::string::npos && !run.launch.compiled.contains(name) &&
            has_word(text, name))
            all.insert({name, value});
    return all;
}

}  // namespace

std::vector<std::string> choices_not_simulated(const std::vector<JudgedRun>& runs, const AnalysisInfo& info,
                                               const ParameterSet& usual, std::string_view text) {
    /// "kernel laplace"; of numbers and texts, which have any number of values, "vectors" alone.
    const auto name_of = [&](const ParameterSpec& spec, const ParameterValue& value) {
        const bool is_word = spec.type == ParameterType::choice || spec.type == ParameterType::boolean;
        return is_word ? spec.id + " " + to_text(spec, value) : spec.id;
    };
    const auto others_of = [&](const JudgedRun& run) {
        std::vector<std::string> names;
        for (const auto& [id, own] : choices_among(info, run.sizes)) {
            const auto spec = std::ranges::find(info.benchmark, id, &ParameterSpec::id);
            const auto value = usual.find(id);
            const bool is_other = value != usual.end() && own != value->second;
            if (is_other && spec->type != ParameterType::real && !is_launch_size(id))
                names.push_back(name_of(*spec, own));
        }
        return names;
    };
    std::set<std::pair<std::string, std::string>> known;
    std::set<std::string> simulated;
    for (const JudgedRun& run : runs) {
        if (!run.launch.known()) continue;
        if (run.simulated || has_usual_values(run, usual)) known.merge(branches_of(run, text));
        if (run.simulated)
            for (std::string& name : others_of(run)) simulated.insert(std::move(name));
    }
    std::vector<std::string> all;
    for (const JudgedRun& run : runs) {
        if (run.simulated || run.in_parts || !run.not_taken.empty() || !run.launch.known()) continue;
        const bool all_known = std::ranges::all_of(
            branches_of(run, text), [&](const auto& branch) { return known.contains(branch); });
        if (all_known) continue;
        for (std::string& name : others_of(run))
            if (simulated.insert(name).second) all.push_back(std::move(name));
    }
    return all;
}

void name_choices_not_simulated(std::vector<Finding>& findings, const std::vector<std::string>& choices) {
    constexpr std::size_t most = 8;
    constexpr std::string_view but = "but ";
    if (choices.empty()) return;
    for (Finding& finding : findings) {
        if (finding.state != State::yes || !is_simulated(finding.id)) continue;
        std::string more = finding.text.starts_with(but) ? finding.text.substr(but.size()) : finding.text;
        finding.text = fmt::format("but not simulated with {}", listed(choices, most, "; "));
        if (!more.empty()) finding.text += "; and " + more;
    }
}

std::vector<Finding> summed_up(const std::vector<JudgedRun>& runs) {
    std::vector<Finding> all;
    for (const Question& question : questions()) {
        const std::vector<Finding> some = summed_up(runs, question);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::string not_taken_of(const std::vector<JudgedRun>& runs) {
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
    for (const JudgedRun& run : runs) {
        if (run.not_taken.empty()) continue;
        const auto known =
            std::ranges::find_if(reasons, [&](const auto& reason) { return reason.first == run.not_taken; });
        if (known == reasons.end())
            reasons.push_back({run.not_taken, {run.title}});
        else
            known->second.push_back(run.title);
    }
    std::string text;
    for (const auto& [reason, titles] : reasons)
        text += fmt::format("not taken: {}: {}\n", fmt::join(titles, "; "), reason);
    return text;
}

std::string table_of(const std::vector<JudgedRun>& runs) {
    std::vector<std::vector<std::string>> rows{{"run"}};
    for (const Question& question : questions()) rows.front().emplace_back(question.id);
    for (const JudgedRun& run : runs) {
        if (!run.not_simulated.empty()) continue;
        std::vector<std::string>& row = rows.emplace_back();
        row.push_back(printable(run.title));
        for (const Question& question : questions()) row.push_back(cell(run, question.id));
    }
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

nlohmann::json to_json(const std::vector<JudgedRun>& runs) {
    nlohmann::json all = nlohmann::json::array();
    for (const JudgedRun& run : runs) {
        nlohmann::json findings = nlohmann::json::array();
        for (const Finding& finding : run.findings) findings.push_back(to_json(finding));
        nlohmann::json one{
            {"title", run.title},         {"sizes", to_json(run.sizes)},     {"defines", run.defines},
            {"simulated", run.simulated}, {"compiled", run.launch.compiled}, {"findings", findings}};
        if (run.in_parts) one["in_parts"] = true;
        if (!run.as_type.empty()) one["as_type"] = run.as_type;
        if (!run.not_taken.empty()) one["not_taken"] = run.not_taken;
        if (!run.not_simulated.empty()) one["not_simulated"] = run.not_simulated;
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace ks
