#include "core/run/repeats/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/run/build_stage.h"

namespace ks {
namespace {

constexpr const char *rows_fact = "repeats", *not_computed = "it was not computed, since the run was stopped";

std::string warning_of(const RepeatRow& row) {
    return fmt::format("{} was left out of the average: {}", row.name, row.left_out);
}

std::string details_of(const std::vector<UnusableRepeat>& all) {
    std::string text;
    for (const UnusableRepeat& one : all) text += fmt::format("{}: {}\n", one.name, one.error.message());
    return text;
}

nlohmann::json to_json(const RepeatRow& row) {
    nlohmann::json made{{"name", row.name}};
    if (row.chi2) made["chi2"] = *row.chi2;
    if (!row.left_out.empty()) made["left_out"] = row.left_out;
    if (row.chosen) made["chosen"] = *row.chosen;
    if (row.curve) made["curve"] = *row.curve;
    if (!row.left_out_frames.empty()) made["left_out_frames"] = row.left_out_frames;
    if (row.modified) made["modified"] = *row.modified;
    return made;
}

std::string text_at(const nlohmann::json& row, const char* key) {
    const auto found = row.find(key);
    return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

RepeatRow row_from(const nlohmann::json& kept) {
    RepeatRow row{
        text_at(kept, "name"), {}, text_at(kept, "left_out"), {}, {}, text_at(kept, "left_out_frames"), {}};
    if (const auto chi2 = kept.find("chi2"); chi2 != kept.end() && chi2->is_number())
        row.chi2 = chi2->get<double>();
    if (const auto chosen = kept.find("chosen"); chosen != kept.end() && chosen->is_boolean())
        row.chosen = chosen->get<bool>();
    if (const auto curve = kept.find("curve"); curve != kept.end() && curve->is_number_unsigned())
        row.curve = curve->get<std::size_t>();
    if (const auto modified = kept.find("modified"); modified != kept.end() && modified->is_number_integer())
        row.modified = modified->get<std::int64_t>();
    return row;
}

}  // namespace

std::optional<bool> RepeatSet::choice_for(const std::string& name) const {
    const auto found = chosen.find(name);
    return found == chosen.end() ? std::nullopt : std::optional(found->second);
}

void for_each_repeat(const std::vector<std::string>& names,
                     const std::function<void(const std::string& name, Progress& progress)>& work,
                     std::vector<UnusableRepeat>& unusable, Progress& progress) {
    const auto share = [&](std::size_t i, double fraction) {
        return (static_cast<double>(i) + fraction) / static_cast<double>(names.size());
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string which = fmt::format("repeat {} of {}", i + 1, names.size());
        progress.report(share(i, 0), which);
        Progress own(
            [&](double fraction, const std::string& stage) {
                // Those who wait for builds know the stage by its name, and that of a kernel by its
                // beginning.
                progress.report(share(i, fraction),
                                stage == build_stage ? stage : fmt::format("{}, {}", stage, which));
            },
            progress);
        try {
            work(names[i], own);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::input) throw;
            unusable.push_back({names[i], error});
        }
    }
}

Run average_of_set(const Analysis& analysis, const RepeatSet& set,
                   const std::function<Run(const std::string& name, Progress& progress)>& run,
                   WhenCancelled when_cancelled, Progress& progress) {
    const std::vector<std::string>& names = set.names;
    std::vector<Repeat> repeats;
    std::vector<UnusableRepeat> unusable;
    bool stopped = false;
    try {
        for_each_repeat(
            names,
            [&](const std::string& name, Progress& own) {
                repeats.push_back({name, run(name, own)});
                if (const auto chosen = set.choice_for(name))
                    repeats.back().run.result.facts[chosen_fact] = *chosen;
            },
            unusable, progress);
    } catch (const Error& error) {
        const auto usable = std::ranges::count_if(
            repeats, [&set](const Repeat& one) { return set.choice_for(one.name).value_or(true); });
        stopped =
            error.kind() == ErrorKind::cancelled && when_cancelled == WhenCancelled::averaged && usable >= 2;
        if (!stopped) throw;
    }
    if (repeats.empty())
        throw Error(ErrorKind::input,
                    fmt::format("none of the {} repeats can be used; {}: {}", names.size(),
                                unusable.front().name, unusable.front().error.message()),
                    {}, unusable.front().error.hint(), details_of(unusable));
    Progress unstoppable;
    Run average;
    try {
        average = analysis.average(std::move(repeats), stopped ? unstoppable : progress);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::input || unusable.empty()) throw;
        throw Error(error.kind(), error.message(), error.where(), error.hint(),
                    error.details() + details_of(unusable));
    }
    const std::vector<RepeatRow> computed = repeats_of(average);
    std::vector<RepeatRow> rows;
    for (const std::string& name : names) {
        const auto known = std::ranges::find(computed, name, &RepeatRow::name);
        if (known != computed.end()) {
            rows.push_back(*known);
            continue;
        }
        const auto failed = std::ranges::find(unusable, name, &UnusableRepeat::name);
        RepeatRow row;
        row.name = name;
        row.left_out = failed == unusable.end() ? not_computed : failed->error.message();
        row.chosen = set.choice_for(name);
        rows.push_back(row);
    }
    set_repeats(average.result, rows);
    return average;
}

std::vector<RepeatRow> repeats_of(const Run& run) {
    std::vector<RepeatRow> rows;
    const auto kept = run.result.facts.find(rows_fact);
    // Exercises have a number of the same name.
    if (kept == run.result.facts.end() || !kept->is_array()) return rows;
    for (const nlohmann::json& one : *kept)
        if (one.is_object()) rows.push_back(row_from(one));
    return rows;
}

std::vector<std::string> names_of_repeats(const Run& run) {
    std::vector<std::string> names;
    for (const RepeatRow& row : repeats_of(run)) names.push_back(row.name);
    return names;
}

RepeatSet set_of(const Run& run) {
    RepeatSet set;
    for (const RepeatRow& row : repeats_of(run)) {
        set.names.push_back(row.name);
        if (row.chosen) set.chosen[row.name] = *row.chosen;
    }
    return set;
}

void set_repeats(Result& result, const std::vector<RepeatRow>& rows) {
    Run before;
    before.result.facts = result.facts;
    for (const RepeatRow& row : repeats_of(before)) std::erase(result.warnings, warning_of(row));
    nlohmann::json kept = nlohmann::json::array();
    for (const RepeatRow& row : rows) {
        kept.push_back(to_json(row));
        if (!row.left_out.empty()) result.warnings.push_back(warning_of(row));
    }
    result.facts[rows_fact] = std::move(kept);
}

std::size_t used_repeats(const std::vector<RepeatRow>& rows) {
    return static_cast<std::size_t>(
        std::ranges::count_if(rows, [](const RepeatRow& row) { return row.left_out.empty(); }));
}

std::string average_text(const Run& run) {
    const std::vector<RepeatRow> rows = repeats_of(run);
    if (rows.empty()) return {};
    return fmt::format("average of {} of {} repeats", used_repeats(rows), rows.size());
}

}  // namespace ks
