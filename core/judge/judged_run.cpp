#include "core/judge/judged_run.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/printable.h"
#include "core/judge/questions.h"

namespace ks {
namespace {

using State = Finding::State;

/// Sizes and definitions of a run by name.
std::map<std::string, std::string> marks_of(const JudgedRun& run) {
    std::map<std::string, std::string> marks = run.defines;
    for (const auto& [id, value] : run.sizes)
        if (const std::string text = to_text(value); !text.empty()) marks[id] = text;
    return marks;
}

std::vector<std::string> varied(const std::vector<JudgedRun>& runs) {
    std::map<std::string, std::set<std::string>> values;
    for (const JudgedRun& run : runs)
        for (const auto& [name, value] : marks_of(run)) values[name].insert(value);
    std::vector<std::string> names;
    for (const auto& mark : values) {
        const bool everywhere = std::ranges::all_of(
            runs, [&](const JudgedRun& run) { return marks_of(run).contains(mark.first); });
        if (mark.second.size() > 1 || !everywhere) names.push_back(mark.first);
    }
    return names;
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
    std::string lines;
    for (std::size_t i = 0; i < std::min(most, others.size()); ++i)
        lines += fmt::format("{}{}: {}", i == 0 ? "" : "\n", fmt::join(others[i].at, "; "),
                             without_verdict(others[i].text));
    if (others.size() > most) lines += fmt::format("\nand {} more", others.size() - most);
    return lines;
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
        if (all[i].state != State::yes && !others[i].empty())
            all[i].details += (all[i].details.empty() ? "" : "\n") + lines_of_others(others[i]);
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

void give_titles(std::vector<JudgedRun>& runs, const std::vector<std::string>& always) {
    std::vector<std::string> names = varied(runs);
    if (names.empty()) names = always;
    for (JudgedRun& run : runs) {
        const std::map<std::string, std::string> marks = marks_of(run);
        std::vector<std::string> parts;
        for (const std::string& name : names)
            if (const auto mark = marks.find(name); mark != marks.end())
                parts.push_back(mark->first + " " + mark->second);
        if (run.simulated) parts.emplace_back("simulated");
        run.title = parts.empty() ? "the device" : fmt::format("{}", fmt::join(parts, ", "));
    }
}

std::string choices_of(const std::vector<JudgedRun>& runs) {
    if (runs.empty()) return {};
    std::vector<std::string> choices;
    const std::vector<std::string> titled = varied(runs);
    for (const auto& [id, value] : runs.front().sizes) {
        const auto* const word = std::get_if<std::string>(&value);
        const bool is_choice =
            std::holds_alternative<bool>(value) || (word != nullptr && !word->empty()) || id == "local_size";
        if (is_choice && std::ranges::find(titled, id) == titled.end() && !to_text(value).empty())
            choices.push_back(id + " " + to_text(value));
    }
    for (const auto& [name, value] : runs.front().defines)
        if (std::ranges::find(titled, name) == titled.end()) choices.push_back(name + " " + value);
    return fmt::format("{}", fmt::join(choices, ", "));
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
        "no simulation has several work-groups of the kernel{} {}, so races between them were not looked "
        "for; judge with smaller groups or a larger size",
        alone.size() == 1 ? "" : "s", fmt::join(alone, ", "));
    for (JudgedRun& run : runs)
        for (Finding& finding : run.findings)
            if (run.simulated && finding.id == "races" && finding.state == State::yes)
                finding = {finding.id, State::unknown, why};
}

std::vector<Finding> summed_up(const std::vector<JudgedRun>& runs) {
    std::vector<Finding> all;
    for (const Question& question : questions()) {
        const std::vector<Finding> some = summed_up(runs, question);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::string table_of(const std::vector<JudgedRun>& runs) {
    std::vector<std::vector<std::string>> rows{{"run"}};
    for (const Question& question : questions()) rows.front().emplace_back(question.id);
    for (const JudgedRun& run : runs) {
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
        nlohmann::json one{{"title", run.title},
                           {"sizes", to_json(run.sizes)},
                           {"defines", run.defines},
                           {"simulated", run.simulated},
                           {"findings", findings}};
        if (!run.not_taken.empty()) one["not_taken"] = run.not_taken;
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace ks
