// What is made of two runs of a kernel, and of what a simulator logged.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/judge/abort_text.h"
#include "core/judge/judged_run.h"
#include "core/judge/judgement.h"
#include "core/judge/oclgrind_log.h"
#include "core/judge/questions.h"
#include "core/judge/signal_text.h"
#include "core/run/parameter_rows.h"

namespace judgement_test {

using namespace ks;
using namespace std::chrono_literals;
using State = Finding::State;

const Finding& find(const std::vector<Finding>& findings, const std::string& id) {
    const auto found = std::ranges::find(findings, id, &Finding::id);
    if (found == findings.end()) throw std::runtime_error("no finding " + id);
    return *found;
}

Attempt with(Verdict::State state, const std::string& text) {
    Attempt attempt;
    attempt.verdict.emplace();
    attempt.verdict->state = state;
    attempt.verdict->text = text;
    return attempt;
}

TEST(Judgement, two_runs_with_the_right_values_answer_all_questions) {
    const auto right = with(Verdict::State::pass, "all the same");
    for (const Finding& finding : findings_of(right, right, 10s))
        EXPECT_EQ(finding.state, State::yes) << finding.id;
}

TEST(Judgement, values_of_a_sample_and_those_that_nobody_knows_are_not_known) {
    const auto sampled = with(Verdict::State::sampled, "some are the same"),
               unchecked = with(Verdict::State::unchecked, "the host understands + and -");
    EXPECT_EQ(find(findings_of(sampled, sampled, 10s), "values").state, State::unknown);
    const Finding values = find(findings_of(unchecked, unchecked, 10s), "values");
    EXPECT_EQ(values.state, State::unknown);
    EXPECT_EQ(values.text, "the host understands + and -");
}

Finding finding(const std::string& id, State state, const std::string& text = {},
                std::vector<SourcePlace> places = {}) {
    return {id, state, text, {}, std::move(places)};
}

JudgedRun run_at(std::int64_t size, bool simulated, std::vector<Finding> findings) {
    return {.sizes = {{"size", size}, {"seed", std::int64_t{1}}},
            .simulated = simulated,
            .findings = std::move(findings)};
}

TEST(JudgedRuns, a_question_is_answered_by_yes_only_where_each_run_says_so) {
    std::vector<JudgedRun> runs{
        run_at(16, false, {finding("values", State::yes, "pass: all")}),
        run_at(17, false, {finding("values", State::no, "fail: one")}),
        run_at(16, true, {finding("values", State::yes), finding("races", State::yes)}),
        run_at(17, true,
               {finding("values", State::unknown, "it took too long"),
                finding("races", State::unknown, "it took too long")})};
    give_titles(runs, {"size"});
    const auto all = summed_up(runs);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(line_of(all[0]), "values: wrong, one (at size 17)");
    EXPECT_EQ(line_of(all[1]), "races: not known, it took too long (at size 17, simulated)");
}

TEST(JudgedRuns, a_fault_of_several_runs_is_told_once_with_all_of_them) {
    const Finding race = finding("races", State::no, "mine.cl:4: a race", {{"mine.cl", 4}}),
                  other = finding("races", State::no, "mine.cl:9: a race", {{"mine.cl", 9}});
    std::vector<JudgedRun> runs{run_at(16, true, {race}), run_at(17, true, {other, race})};
    give_titles(runs, {"size"});
    const auto all = summed_up(runs);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(line_of(all[0]), "races: found, mine.cl:4: a race (at size 16, simulated; size 17, simulated)");
    EXPECT_EQ(line_of(all[1]), "races: found, mine.cl:9: a race (at size 17, simulated)");
    const std::string table = table_of(runs);
    EXPECT_EQ(std::ranges::count(table, '\n'), 3) << table;
    EXPECT_NE(table.find("size 17, simulated"), std::string::npos) << table;
}

TEST(JudgedRuns, a_usual_value_is_in_no_title) {
    std::vector<JudgedRun> runs{run_at(16, false, {}), run_at(17, false, {}), run_at(17, false, {}),
                                run_at(17, false, {})};
    for (JudgedRun& run : runs) run.sizes["terms"] = std::string("real");
    runs[2].sizes["terms"] = std::string("complex");
    runs[3].in_parts = true;
    const ParameterSet usual{{"terms", std::string("real")}};
    give_titles(runs, {"size"}, usual);
    EXPECT_EQ(runs[0].title, "size 16");
    EXPECT_EQ(runs[1].title, "size 17");
    EXPECT_EQ(runs[2].title, "size 17, terms complex");
    EXPECT_EQ(runs[3].title, "size 17, in the smallest parts");
    AnalysisInfo info;
    info.benchmark = {parameter::choice("terms", "", {"real", "complex"}, "")};
    EXPECT_EQ(choices_of(info, runs, usual), "terms real");
    std::swap(runs[0], runs[2]);
    give_titles(runs, {"size"}, usual);
    EXPECT_EQ(runs[0].title, "size 17, terms complex");
    EXPECT_EQ(runs[2].title, "size 16");
    EXPECT_EQ(choices_of(info, runs, usual), "terms real");
}

TEST(JudgedRuns, a_kernel_that_does_not_know_of_a_choice_is_not_wrong_for_its_other_words) {
    AnalysisInfo info;
    info.benchmark = {parameter::choice("operation", "", {"sum", "max"}, ""),
                      parameter::whole("least", "", "", 2, 0, 100, ""),
                      parameter::whole("seed", "", "", 1, 0, 100, "")};
    const ParameterSet usual{
        {"operation", std::string("sum")}, {"least", std::int64_t{2}}, {"seed", std::int64_t{1}}};
    const auto run = [&](const char* operation, std::int64_t least, State values) {
        JudgedRun made = run_at(16, false, {finding("values", values, "")});
        made.sizes["operation"] = std::string(operation);
        made.sizes["least"] = least;
        made.launch.type = "GPU";
        made.launch.facts = {{"OPERATION", operation}, {"LEAST", std::to_string(least)}};
        return made;
    };
    const std::vector<JudgedRun> made{run("sum", 2, State::yes), run("max", 2, State::no),
                                      run("sum", 3, State::no), run("max", 3, State::no),
                                      run("max", 2, State::yes)};
    std::vector<JudgedRun> runs = made;
    leave_out_other_kernels(runs, info, usual, "kernel void add() { /* MY_OPERATION */ }");
    EXPECT_EQ(runs[1].not_taken,
              "the kernel names none of the definitions that make the difference (OPERATION)");
    EXPECT_TRUE(runs[1].findings.empty());
    for (const std::size_t i : {0U, 2U, 3U, 4U}) {
        EXPECT_EQ(runs[i].not_taken, "") << i;
        EXPECT_EQ(runs[i].findings.size(), 1U) << i;
    }
    give_titles(runs, {"size"}, usual);
    EXPECT_EQ(not_taken_of(runs), "not taken: operation max, size 16: " + runs[1].not_taken + "\n");
    // Other input is no other kernel.
    runs = made;
    for (JudgedRun& one : std::span(runs).subspan(1)) one.sizes["seed"] = std::int64_t{7};
    leave_out_other_kernels(runs, info, usual, "kernel void add() {}");
    EXPECT_NE(runs[1].not_taken, "");
    for (const std::size_t i : {0U, 2U, 3U, 4U}) EXPECT_EQ(runs[i].not_taken, "") << i;
    runs = made;
    leave_out_other_kernels(runs, info, usual, "kernel void add() { x = OPERATION; }");
    for (const JudgedRun& one : runs) EXPECT_EQ(one.not_taken, "");
}

TEST(JudgedRuns, a_kernel_that_defines_a_function_itself_is_not_wrong_for_another_text_of_it) {
    AnalysisInfo info;
    info.id = "expression";
    info.benchmark = {parameter::words("map_expression", "", "", "x[i]*y[i]", ""),
                      parameter::words("reduce_expression", "", "", "a+b", "")};
    const ParameterSet usual = defaults(info.benchmark);
    const auto runs_of = [&](const char* map, const char* reduce, State values, const std::string& text) {
        std::vector<JudgedRun> runs{run_at(16, false, {finding("values", State::yes, "")}),
                                    run_at(16, false, {finding("values", values, "")})};
        for (JudgedRun& run : runs) {
            for (const auto& [id, value] : usual) run.sizes[id] = value;
            run.launch.type = "CPU";
        }
        runs[1].sizes["map_expression"] = std::string(map);
        runs[1].sizes["reduce_expression"] = std::string(reduce);
        leave_out_other_kernels(runs, info, usual, text);
        return runs;
    };
    const std::string own_map = "float map_of(uint i, global const float* x) { return x[i]; }",
                      own_both = own_map + "\nfloat reduce_of(float a, float b) { return a + b; }";
    const auto left_out = runs_of("x[i]-y[i]", "max(a,b)", State::no, own_both);
    EXPECT_EQ(left_out[0].not_taken, "");
    EXPECT_EQ(left_out[1].not_taken, "the kernel defines map_of and reduce_of itself");
    EXPECT_TRUE(left_out[1].findings.empty());
    EXPECT_EQ(runs_of("x[i]-y[i]", "max(a,b)", State::no, own_map)[1].not_taken,
              "the kernel defines map_of itself");
    EXPECT_EQ(runs_of("x[i]-y[i]", "a+b", State::no, "c = map_of(i, x);")[1].not_taken, "");
    EXPECT_EQ(runs_of("x[i]*y[i]", "max(a,b)", State::no, own_map)[1].not_taken, "");
    EXPECT_EQ(runs_of("x[i]-y[i]", "a+b", State::yes, own_map)[1].not_taken, "");
}

TEST(JudgedRuns, choices_are_named_with_which_only_the_device_ran_another_branch) {
    AnalysisInfo info;
    info.benchmark = {
        parameter::choice("operation", "", {"sum", "min", "max"}, ""),
        parameter::flag("exact", "", false, ""), parameter::whole("vectors", "", "", 1, 1, 9, ""),
        parameter::number("scale", "", "", 1, 0, 9, ""), parameter::whole("seed", "", "", 1, 0, 9, "")};
    const ParameterSet usual = defaults(info.benchmark);
    const auto run = [&](bool simulated, const ParameterSet& choices,
                         std::map<std::string, std::string> facts) {
        JudgedRun made = run_at(16, simulated, {});
        for (const auto& [id, value] : usual) made.sizes[id] = value;
        for (const auto& [id, value] : choices) made.sizes[id] = value;
        made.launch = {.type = "GPU", .compiled = {{"WG", "64"}}, .facts = std::move(facts)};
        made.launch.facts.insert({"WG", simulated ? "16" : "64"});
        return made;
    };
    const ParameterSet min{{"operation", std::string("min")}}, max{{"operation", std::string("max")}},
        exact{{"exact", true}, {"seed", std::int64_t{4}}, {"scale", 2.0}},
        vectors{{"vectors", std::int64_t{3}}};
    std::vector<JudgedRun> runs{run(false, {}, {{"OPERATION", "0"}, {"EXACT", "0"}, {"VECTORS", "1"}}),
                                run(false, min, {{"OPERATION", "1"}, {"EXACT", "0"}, {"VECTORS", "1"}}),
                                run(false, max, {{"OPERATION", "2"}, {"EXACT", "0"}, {"VECTORS", "1"}}),
                                run(false, exact, {{"OPERATION", "0"}, {"EXACT", "1"}, {"VECTORS", "1"}}),
                                run(false, vectors, {{"OPERATION", "0"}, {"EXACT", "0"}, {"VECTORS", "3"}}),
                                run(true, {}, {{"OPERATION", "0"}, {"EXACT", "0"}, {"VECTORS", "1"}}),
                                run(true, min, {{"OPERATION", "1"}, {"EXACT", "0"}, {"VECTORS", "1"}})};
    const std::string text = "kernel void add() { x = OPERATION + EXACT + WG + VECTORS; }";
    using Names = std::vector<std::string>;
    EXPECT_EQ(choices_not_simulated(runs, info, usual, text),
              (Names{"operation max", "exact true", "vectors"}));
    EXPECT_EQ(choices_not_simulated(runs, info, usual, "kernel void add() { x = OPERATION + WG; }"),
              Names{"operation max"});
    runs[2].not_taken = "it finds no maximum";
    runs.push_back(run(true, {{"vectors", std::int64_t{2}}}, {{"VECTORS", "2"}}));
    EXPECT_EQ(choices_not_simulated(runs, info, usual, text), Names{"exact true"});

    std::vector<Finding> findings{
        finding("values", State::yes, "pass: all"), finding("races", State::yes, ""),
        finding("accesses", State::no, "behind the end"), finding("barriers", State::yes, "but only some")};
    name_choices_not_simulated(findings, {});
    EXPECT_EQ(line_of(findings[1]), "races: none found");
    name_choices_not_simulated(findings, {"exact true", "vectors"});
    EXPECT_EQ(line_of(findings[0]), "values: right, all");
    EXPECT_EQ(line_of(findings[1]), "races: none found, but not simulated with exact true; vectors");
    EXPECT_EQ(line_of(findings[2]), "accesses: found, behind the end");
    EXPECT_EQ(line_of(findings[3]),
              "barriers: none found, but not simulated with exact true; vectors; and only some");
}

TEST(JudgedRuns, what_other_runs_say_of_the_same_fault_is_in_its_details) {
    std::vector<JudgedRun> runs{run_at(7, false, {finding("values", State::no, "fail: 3 of 7 differ")}),
                                run_at(16, false, {finding("values", State::yes, "pass: all")}),
                                run_at(33, false, {finding("values", State::no, "fail: 2 are NaN")}),
                                run_at(7, true, {finding("values", State::no, "fail: 3 of 7 differ")}),
                                run_at(33, true, {finding("values", State::no, "fail: 2 are NaN")})};
    give_titles(runs, {"size"});
    const auto wrong = summed_up(runs);
    ASSERT_EQ(wrong.size(), 1U);
    EXPECT_EQ(line_of(wrong[0]),
              "values: wrong, 3 of 7 differ (at size 7; size 33; size 7, simulated; size 33, simulated)");
    EXPECT_EQ(wrong[0].details, "size 33; size 33, simulated: 2 are NaN");

    for (JudgedRun& run : runs) run.findings = {finding("races", State::unknown, "it took too long")};
    runs.back().findings.front().text = "it does not run";
    const auto unknown = summed_up(runs);
    ASSERT_EQ(unknown.size(), 1U);
    EXPECT_EQ(unknown[0].details, "size 33, simulated: it does not run");

    std::vector<JudgedRun> many;
    for (int size = 1; size <= 20; ++size)
        many.push_back(run_at(size, false, {finding("values", State::no, std::to_string(size) + " differ")}));
    give_titles(many, {"size"});
    const std::string details = summed_up(many).at(0).details;
    EXPECT_EQ(std::ranges::count(details, '\n'), 8) << details;
    EXPECT_TRUE(details.ends_with("\nand 11 more")) << details;
}

TEST(JudgedRuns, races_between_groups_are_not_known_where_each_simulation_is_one_group) {
    const std::vector<Finding> none{finding("races", State::yes), finding("barriers", State::yes)};
    std::vector<JudgedRun> runs{run_at(4096, false, {}), run_at(7, true, none), run_at(33, true, none)};
    runs[0].groups = {{"add", 16}, {"finish", 1}, {"join", 4}};
    runs[1].groups = {{"add", 1}, {"finish", 1}, {"join", 1}};
    runs[2].groups = {{"add", 3}, {"finish", 1}, {"join", 1}};
    give_titles(runs, {"size"});
    doubt_races_between_groups(runs);
    const auto all = summed_up(runs);
    EXPECT_EQ(find(all, "races").state, State::unknown);
    EXPECT_EQ(find(all, "races").text.find("no simulation ran several work-groups of the kernel join,"), 0U)
        << find(all, "races").text;
    EXPECT_EQ(find(all, "barriers").state, State::yes);

    for (JudgedRun& run : runs) run.findings = none;
    runs[1].findings.front() = finding("races", State::no, "a race");
    doubt_races_between_groups(runs);
    EXPECT_EQ(find(summed_up(runs), "races").state, State::no) << "what was found was found";

    for (JudgedRun& run : runs) run.findings = none;
    runs[0].groups.erase("join");  // the driver chose its groups, or nothing is known
    doubt_races_between_groups(runs);
    EXPECT_EQ(find(summed_up(runs), "races").state, State::yes);
}

/// A run at size 7 with these definitions of the variant, and others.
JudgedRun compiled_run(bool simulated, const std::string& type, std::map<std::string, std::string> compiled,
                       const std::map<std::string, std::string>& facts = {}) {
    JudgedRun run = run_at(7, simulated, {finding("races", State::yes), finding("values", State::yes)});
    run.launch = {type, compiled, std::move(compiled)};
    run.launch.facts.insert(facts.begin(), facts.end());
    return run;
}

const std::vector<DefineSpec> own_defines{{"WG", "256", {}, ""}, {"KIND", "auto", {"auto", "wide"}, ""}};

TEST(JudgedRuns, a_simulation_that_was_compiled_otherwise_is_repeated_as_on_the_device) {
    std::vector<JudgedRun> runs{compiled_run(false, "CPU", {{"ITEMS", "4"}, {"WG", "1"}}),
                                compiled_run(true, "GPU", {{"ITEMS", "4"}, {"WG", "256"}})};
    const std::vector<JudgedRun> more = runs_as_on_device(runs, own_defines);
    ASSERT_EQ(more.size(), 1U);
    EXPECT_EQ(more[0].defines, (std::map<std::string, std::string>{{"WG", "1"}}));
    EXPECT_EQ(more[0].as_type, "CPU");
    EXPECT_TRUE(more[0].findings.empty());
    runs.push_back(compiled_run(true, "CPU", {{"ITEMS", "4"}, {"WG", "1"}}));
    runs.back().as_type = "CPU";
    doubt_other_branches(runs);
    EXPECT_EQ(find(summed_up(runs), "races").state, State::yes);
    give_titles(runs, {"size"});
    EXPECT_EQ(runs[0].title, "WG 1, size 7");
    EXPECT_EQ(runs[1].title, "WG 256, size 7, simulated");
    EXPECT_EQ(runs[2].title, "WG 1, size 7, simulated as on the device");
    // Definitions that were set to find more faults are not the device's; those that it needs stay.
    runs = {compiled_run(false, "CPU", {}, {{"local size of link", "1024"}}),
            compiled_run(true, "GPU", {}, {{"local size of link", "16"}})};
    runs[1].defines = {{"ATOMIC_READS", "1"}, {"WG", "16"}};
    ASSERT_EQ(runs_as_on_device(runs, own_defines).size(), 1U);
    EXPECT_EQ(runs_as_on_device(runs, own_defines)[0].defines,
              (std::map<std::string, std::string>{{"ATOMIC_READS", "1"}}));
    // A value that the launch derives cannot be given.
    runs = {compiled_run(false, "CPU", {{"KIND", "3"}}), compiled_run(true, "GPU", {{"KIND", "0"}})};
    ASSERT_EQ(runs_as_on_device(runs, own_defines).size(), 1U);
    EXPECT_TRUE(runs_as_on_device(runs, own_defines)[0].defines.empty());
    // What only the simulator needs is no other branch.
    runs = {compiled_run(false, "CPU", {}),
            compiled_run(true, "GPU", {}, {{"ATOMIC_READS", "1"}, {"local size of add", "16"}})};
    EXPECT_TRUE(runs_as_on_device(runs, own_defines).empty());
    doubt_other_branches(runs);
    EXPECT_EQ(runs[1].findings[0].state, State::yes) << "the driver chose the local size";
}

TEST(JudgedRuns, the_largest_problem_is_simulated_once_more_in_small_steps) {
    const auto of_size = [](std::int64_t size, const char* type) {
        JudgedRun run = compiled_run(true, "GPU", {{"ITEMS", "4"}, {"WG", "256"}});
        run.sizes = {{"size", size}, {"type", std::string(type)}};
        return run;
    };
    const std::map<std::string, std::string> small{{"ITEMS", "4"}, {"WG", "16"}, {"STRIP", "64"}};
    std::vector<JudgedRun> runs{compiled_run(false, "GPU", {{"WG", "256"}}), of_size(7, "u32"),
                                of_size(2500, "u32"), of_size(256, "u32"), of_size(7, "f32")};
    std::vector<JudgedRun> more = runs_in_small_steps(runs, small, {"size"});
    ASSERT_EQ(more.size(), 2U) << "one per type";
    EXPECT_EQ(more[0].sizes, runs[2].sizes);
    EXPECT_EQ(more[1].sizes, runs[4].sizes);
    EXPECT_TRUE(more[0].simulated && more[0].in_small_steps);
    EXPECT_EQ(more[0].defines, (std::map<std::string, std::string>{{"WG", "16"}})) << "ITEMS is 4 anyway";
    // It differs from the device on purpose.
    runs = {compiled_run(false, "GPU", {{"WG", "256"}}), compiled_run(true, "GPU", {{"WG", "256"}})};
    more = runs_in_small_steps(runs, small, {"size"});
    ASSERT_EQ(more.size(), 1U);
    runs.push_back(compiled_run(true, "GPU", {{"WG", "16"}}));
    runs.back().in_small_steps = true;
    EXPECT_TRUE(runs_as_on_device(runs, own_defines).empty());
    doubt_other_branches(runs);
    EXPECT_EQ(find(summed_up(runs), "races").state, State::yes);
    EXPECT_EQ(runs_in_small_steps(runs, small, {"size"}).size(), 1U) << "not of itself";
    // A group size that was asked for stays, and none is made larger.
    runs[1].defines = {{"WG", "64"}};
    runs[1].launch.compiled = {{"WG", "64"}};
    EXPECT_TRUE(runs_in_small_steps(runs, small, {"size"}).empty());
    runs[1] = compiled_run(true, "GPU", {{"WG", "8"}});
    EXPECT_TRUE(runs_in_small_steps(runs, small, {"size"}).empty());
}

TEST(JudgedRuns, a_loop_that_no_simulation_passes_twice_is_simulated_with_a_larger_problem_or_not_known) {
    const auto of_tiles = [](std::int64_t points, const char* tile) {
        JudgedRun run = compiled_run(true, "GPU", {{"TILE", tile}});
        run.sizes = {{"points", points}, {"planes", points < 50 ? std::int64_t{2} : std::int64_t{11}}};
        return run;
    };
    const std::map<std::string, std::string> smallest{{"TILE", "32"}};
    std::vector<JudgedRun> runs{of_tiles(7, "128"), of_tiles(70, "128")};
    std::vector<JudgedRun> more = runs_of_several_steps(runs, "particles", smallest);
    ASSERT_EQ(more.size(), 1U);
    EXPECT_EQ(more[0].sizes, (ParameterSet{{"points", std::int64_t{134}}, {"planes", std::int64_t{2}}}));
    EXPECT_TRUE(more[0].simulated);
    EXPECT_TRUE(runs_of_several_steps(runs, "xpcs", smallest).empty()) << "TILE is no such step there";
    // The one that was simulated in addition has two passes.
    runs.push_back(of_tiles(134, "128"));
    doubt_single_steps(runs, "particles", smallest);
    EXPECT_EQ(find(summed_up(runs), "races").state, State::yes);
    // No smaller step is allowed: nothing that the user could do.
    runs = {of_tiles(7, "32"), of_tiles(20, "32")};
    EXPECT_TRUE(runs_of_several_steps(runs, "particles", smallest).empty());
    doubt_single_steps(runs, "particles", smallest);
    EXPECT_EQ(find(summed_up(runs), "races").state, State::yes);
    // That would take too long.
    runs = {of_tiles(7, "4096"), of_tiles(70, "4096")};
    EXPECT_TRUE(runs_of_several_steps(runs, "particles", smallest).empty());
    doubt_single_steps(runs, "particles", smallest);
    EXPECT_EQ(find(summed_up(runs), "races").state, State::unknown);
    EXPECT_NE(find(summed_up(runs), "races").text.find("TILE 4096"), std::string::npos);
    EXPECT_EQ(find(summed_up(runs), "values").state, State::yes);
}

TEST(JudgedRuns, a_branch_of_the_device_that_cannot_be_simulated_is_not_known) {
    std::vector<JudgedRun> runs{compiled_run(false, "CPU", {}, {{"PRODUCT", "vnni"}}),
                                compiled_run(true, "CPU", {}, {{"PRODUCT", "vector"}})};
    EXPECT_TRUE(runs_as_on_device(runs, own_defines).empty()) << "nothing would be different";
    doubt_other_branches(runs);
    EXPECT_EQ(find(runs[1].findings, "races").state, State::unknown);
    EXPECT_NE(find(runs[1].findings, "races").text.find("PRODUCT vector instead of vnni"), std::string::npos)
        << find(runs[1].findings, "races").text;
    EXPECT_EQ(find(runs[1].findings, "values").state, State::yes);
    // A fault that was found is one, whatever the device runs.
    runs[1].findings = {finding("races", State::no, "a race")};
    doubt_other_branches(runs);
    EXPECT_EQ(runs[1].findings[0].state, State::no);
    // The local size that the host gives is a branch as well.
    runs = {compiled_run(false, "CPU", {}, {{"local size of add", "1"}}),
            compiled_run(true, "CPU", {}, {{"local size of add", "256"}})};
    doubt_other_branches(runs);
    EXPECT_NE(runs[1].findings[0].text.find("local size of add 256 instead of 1"), std::string::npos);
}

TEST(JudgedRuns, a_problem_that_is_not_taken_says_nothing) {
    std::vector<JudgedRun> runs{run_at(16, false, {finding("values", State::yes)}), run_at(17, false, {})};
    runs[1].not_taken = "it takes multiples of 16";
    give_titles(runs, {"size"});
    EXPECT_EQ(summed_up(runs).at(0).state, State::yes);
    EXPECT_NE(table_of(runs).find("not taken"), std::string::npos);
}

TEST(JudgedRuns, each_answer_has_words_that_say_what_was_found) {
    for (const auto& [id, good, bad] : {std::tuple{"builds", "yes", "no"},
                                        {"guards", "intact", "damaged"},
                                        {"ends", "yes", "no"},
                                        {"survives", "yes", "no"},
                                        {"values", "right", "wrong"},
                                        {"races", "none found", "found"},
                                        {"accesses", "none found", "found"},
                                        {"uninitialised", "none found", "found"},
                                        {"barriers", "none found", "found"}}) {
        EXPECT_EQ(line_of(finding(id, State::yes)), std::string(id) + ": " + good);
        EXPECT_EQ(line_of(finding(id, State::no, "x")), std::string(id) + ": " + bad + ", x");
        EXPECT_EQ(line_of(finding(id, State::unknown, "y")), std::string(id) + ": not known, y");
    }
}

TEST(Judgement, of_a_process_that_was_ended_at_the_limit_nobody_knows_whether_it_would_crash) {
    const Attempt hung{
        .stage = "kernel correlate", .how_it_ended = "signal 9 (Killed)", .was_too_long = true};
    const auto findings = findings_of(hung, hung, 1500ms);
    EXPECT_EQ(find(findings, "ends").text, "the kernel correlate did not finish within 1.5 s");
    EXPECT_EQ(find(findings, "survives").state, State::unknown) << "it was ended before it could crash";
    EXPECT_EQ(find(findings, "values").state, State::unknown);
    EXPECT_EQ(find(findings, "guards").state, State::unknown);
}

TEST(Judgement, a_crash_names_the_kernel_that_was_under_way) {
    const Attempt crashed{.stage = "kernel decide", .how_it_ended = "signal 11 (Segmentation fault)"};
    const auto findings = findings_of(with(Verdict::State::pass, ""), crashed, 10s);
    EXPECT_EQ(find(findings, "survives").text,
              "the kernel decide crashed the process: signal 11 (Segmentation fault)");
    EXPECT_EQ(find(findings, "guards").state, State::yes);
    for (const char* stage : {"", "run"})
        EXPECT_EQ(find(findings_of(with(Verdict::State::pass, ""),
                                   Attempt{.stage = stage, .how_it_ended = "signal 6"}, 10s),
                       "survives")
                      .text,
                  "the run crashed the process: signal 6");
}

TEST(Judgement, guards_are_damaged_only_by_writes_beside_buffers) {
    const Attempt damaging{.damage = "the kernel decide wrote at least 4 bytes right past the end"},
        failing{.error = Error(ErrorKind::run, "there is not enough host memory")};
    const Attempt right = with(Verdict::State::pass, "");
    EXPECT_EQ(find(findings_of(damaging, right, 10s), "guards").state, State::no);
    EXPECT_EQ(find(findings_of(damaging, right, 10s), "guards").text, damaging.damage);
    EXPECT_EQ(find(findings_of(damaging, right, 10s), "values").state, State::yes);
    const auto unknown = findings_of(failing, failing, 10s);
    EXPECT_EQ(find(unknown, "guards").state, State::unknown);
    EXPECT_EQ(find(unknown, "values").state, State::unknown);
    EXPECT_EQ(find(unknown, "values").text, "no run gave a result: there is not enough host memory");
}

TEST(Judgement, what_does_not_build_is_asked_nothing_else) {
    const Attempt broken{.error =
                             Error(ErrorKind::build, "the kernel does not build", "mine.cl", {}, "line 3")};
    const auto findings = findings_of(broken, broken, 10s);
    EXPECT_EQ(find(findings, "builds").details, "line 3");
    for (const char* id : {"guards", "ends", "survives", "values"})
        EXPECT_EQ(find(findings, id).state, State::unknown) << id;
}

std::vector<SimulatedFault> faults_of(const std::string& text) {
    return read_oclgrind_log(text).faults;
}

FaultOrigin in_mine(std::size_t lines_before) {
    return [lines_before](const std::string&, const SimulatedFault::Place& place) {
        return std::optional(SourcePlace{"mine.cl", place.line - lines_before});
    };
}

/// As oclgrind 21.10 writes it.
constexpr const char* log = R"(
Write-write data race at global memory address 0x4000000000000
	Kernel: correlate

	First entity:  Global(0,1,0) Local(0,1,0) Group(0,0,0)
	  store double %conv72, double addrspace(1)* %g2, align 8, !dbg !162, !tbaa !159
	At line 51 (column 11) of input.cl:
	  g2[0] = (double)at;

	Second entity: Global(0,0,0) Local(0,0,0) Group(0,0,0)
	  store double %cond, double addrspace(1)* %arrayidx71, align 8, !dbg !158, !tbaa !159
	At line 50 (column 12) of input.cl:
	  g2[at] = NAN;

Write-write data race at global memory address 0x4000000000000
	Kernel: correlate

	First entity:  Global(0,2,0) Local(0,2,0) Group(0,0,0)
	At line 51 (column 11) of input.cl:
	  g2[0] = (double)at;

	Second entity: Global(0,0,0) Local(0,0,0) Group(0,0,0)
	At line 50 (column 12) of input.cl:
	  g2[at] = NAN;

Invalid write of size 8 at global memory address 0x3fffffffffff8
	Kernel: correlate
	Entity: Global(0,0,0) Local(0,0,0) Group(0,0,0)
	  store double 5.000000e-01, double addrspace(1)* %arrayidx75, align 8, !dbg !165, !tbaa !159
	At line 52 (column 25) of input.cl:
	  if (at == 0) g2[-1] = 0.5;
)";

TEST(OclgrindLog, each_fault_is_told_once_with_its_lines) {
    const auto faults = faults_of(log);
    ASSERT_EQ(faults.size(), 2U);
    EXPECT_EQ(faults[0].kind, SimulatedFault::Kind::race);
    EXPECT_EQ(faults[0].kernel, "correlate");
    ASSERT_EQ(faults[0].places.size(), 2U);
    EXPECT_EQ(faults[0].places[0].line, 51U);
    EXPECT_EQ(faults[0].places[1].code, "g2[at] = NAN;");
    EXPECT_EQ(faults[1].kind, SimulatedFault::Kind::access);
}

TEST(OclgrindLog, a_race_is_the_same_whichever_work_item_came_first) {
    const std::string head = "Read-write data race at local memory address 0x1000000000004\n\tKernel: f\n",
                      seven = "\tAt line 7 (column 1) of input.cl:\n\t  a;\n",
                      nine = "\tAt line 9 (column 1) of input.cl:\n\t  b;\n";
    EXPECT_EQ(faults_of(head + seven + nine + "\n" + head + nine + seven).size(), 1U);
    EXPECT_EQ(faults_of(head + seven + nine + "\n" + head + nine + nine).size(), 2U);
}

TEST(OclgrindLog, a_barrier_that_some_reach_is_told_once_with_how_many_do) {
    const auto of_group = [](int group) {
        return "\nWork-group divergence detected (barrier)\n\tKernel:     f\n\tWork-group: (" +
               std::to_string(group) +
               ",0,0)\n\tOnly 1 out of 2 work-items executed barrier\n\t  tail call spir_func void "
               "@_Z7barrierj(i32 noundef 1) #5, !dbg !24\n\tAt line 3 (column 9) of input.cl:\n"
               "\t  barrier(CLK_LOCAL_MEM_FENCE);\n\t\n";
    };
    const auto faults = faults_of(of_group(0) + of_group(1));
    ASSERT_EQ(faults.size(), 1U);
    const auto findings = findings_of(faults, in_mine(0));
    EXPECT_EQ(find(findings, "barriers").text,
              "mine.cl:3: Only 1 out of 2 work-items executed barrier, in the kernel f: "
              "barrier(CLK_LOCAL_MEM_FENCE);");
    EXPECT_EQ(find(findings, "barriers").places, std::vector<SourcePlace>({{"mine.cl", 3}}));
    EXPECT_EQ(find(findings, "races").state, State::yes);
}

std::string race(const std::string& what, const std::string& address, int first, int second) {
    const auto entity = [](int line) {
        return "\tAt line " + std::to_string(line) + " (column 3) of input.cl:\n\t  line" +
               std::to_string(line) + ";\n";
    };
    return "\n" + what + " data race at local memory address " + address + "\n\tKernel: f\n\n" +
           entity(first) + "\n" + entity(second);
}

TEST(OclgrindLog, races_of_one_access_are_one_finding) {
    const std::string of_sum = race("Read-write", "0x1000000000004", 7, 9) +
                               race("Read-write", "0x1000000000008", 9, 7) +
                               race("Write-write", "0x1000000000004", 9, 9),
                      elsewhere = race("Read-write", "0x2000000000004", 7, 12);
    const auto findings = findings_of(faults_of(of_sum + elsewhere), in_mine(0));
    ASSERT_EQ(std::ranges::count(findings, "races", &Finding::id), 2) << "one for each array";
    EXPECT_EQ(findings[0].text,
              "mine.cl:7 and mine.cl:9: Read-write data race in local memory; Write-write data race in local "
              "memory, in the kernel f: line7; | line9;");
    EXPECT_EQ(findings[1].places, std::vector<SourcePlace>({{"mine.cl", 7}, {"mine.cl", 12}}));
}

TEST(OclgrindLog, equal_findings_are_one_with_a_count) {
    std::string of_all_groups;
    for (int group = 1; group <= 128; ++group)
        of_all_groups += race("Read-write", fmt::format("{:#x}", (std::uint64_t(group) << 48) + 4), 7, 9);
    const auto findings = findings_of(faults_of(of_all_groups), in_mine(0));
    ASSERT_EQ(std::ranges::count(findings, "races", &Finding::id), 1);
    const Finding& races = find(findings, "races");
    EXPECT_EQ(races.count, 128U);
    EXPECT_TRUE(line_of(races).ends_with(" (128 times)")) << line_of(races);
    const std::vector<Finding> all = summed_up({{.sizes = {}, .title = "a", .findings = findings},
                                                {.sizes = {}, .title = "b", .findings = findings}});
    EXPECT_EQ(std::ranges::count(all, "races", &Finding::id), 1);
    EXPECT_EQ(find(all, "races").count, 128U);
}

TEST(AbortText, is_taken_out_of_what_a_process_wrote) {
    const WrittenErrors written = divide_errors("one\nmunmap_chunk(): invalid pointer\ntwo\n");
    EXPECT_EQ(written.abort, "munmap_chunk(): invalid pointer");
    EXPECT_EQ(written.others, "one\ntwo\n");
    EXPECT_EQ(divide_errors("free(): invalid pointer").abort, "free(): invalid pointer");
    EXPECT_EQ(divide_errors("the kernel says free(): no").abort, "");
    EXPECT_EQ(divide_errors("").others, "");
    // of the C++ library, in two lines
    const WrittenErrors thrown = divide_errors(
        "one\nterminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n"
        "  what():  of the kernel\n");
    EXPECT_EQ(thrown.abort, "terminate called after throwing an instance of 'std::bad_alloc'");
    EXPECT_EQ(thrown.others, "one\n  what():  of the kernel\n");
    EXPECT_EQ(divide_errors("terminate called recursively\n").others, "");
}

TEST(OclgrindLog, a_fault_that_joins_two_others_makes_one_of_them) {
    const auto findings = findings_of(
        faults_of(race("Read-write", "0x1000000000004", 7, 7) + race("Read-write", "0x1000000000004", 9, 9) +
                  race("Read-write", "0x1000000000004", 7, 9)),
        in_mine(0));
    EXPECT_EQ(std::ranges::count(findings, "races", &Finding::id), 1);
}

std::string fault_at(const std::string& what, int line) {
    return "\n" + what + "\n\tKernel: f\n\tEntity: Global(0,0,0) Local(0,0,0) Group(0,0,0)\n\tAt line " +
           std::to_string(line) + " (column 3) of input.cl:\n\t  c[i] = a;\n\t\n";
}

TEST(OclgrindLog, uses_of_memory_that_nobody_wrote_and_unaligned_accesses_are_known) {
    const auto findings = findings_of(
        faults_of(fault_at("Uninitialized value written to global memory address 0x1000000000000", 4) +
                  fault_at("Controlflow depends on uninitialized value", 5) +
                  fault_at("Uninitialized address used to read from local memory address 0x4", 6) +
                  fault_at("Instruction depends on an uninitialized index value", 7) +
                  fault_at("Invalid memory load - source pointer is not aligned to the pointed type", 8) +
                  fault_at("Unaligned address on atomic_add", 9) +
                  fault_at("Index (5) exceeds static array size (4)", 10)),
        in_mine(0));
    EXPECT_EQ(std::ranges::count(findings, "uninitialised", &Finding::id), 4);
    EXPECT_EQ(find(findings, "uninitialised").text,
              "mine.cl:4: Uninitialized value written to global memory, in the kernel f: c[i] = a;");
    EXPECT_EQ(std::ranges::count(findings, "accesses", &Finding::id), 3);
    EXPECT_NE(find(findings, "accesses").text.find("alignment"), std::string::npos);
    EXPECT_EQ(find(findings, "barriers").state, State::yes);
}

TEST(OclgrindLog, memory_that_nobody_wrote_is_not_known_in_a_kernel_that_the_simulator_misreads) {
    const std::string of_g =
        "\nControlflow depends on uninitialized value\n\tKernel: g\n\tAt line 8 (column 3) of input.cl:\n"
        "\t  if (a) b();\n\t\n";
    const auto in_f = [](const std::string& kernel) {
        return std::string(kernel == "f" ? "it does not follow wide vectors" : "");
    };
    const std::string of_f = fault_at("Uninitialized value written to global memory address 0x8", 4) +
                             fault_at("Invalid read of size 4 at global memory address 0x8", 4);
    const auto doubtful = findings_of(faults_of(of_f), in_mine(0), {}, in_f);
    EXPECT_EQ(find(doubtful, "uninitialised").state, State::unknown);
    EXPECT_EQ(find(doubtful, "uninitialised").text,
              "it does not follow wide vectors: mine.cl:4: Uninitialized value written to global memory, in "
              "the kernel f: c[i] = a;");
    EXPECT_EQ(find(doubtful, "accesses").state, State::no) << "of other faults there is no doubt";
    const auto sure = findings_of(faults_of(of_f + of_g), in_mine(0), {}, in_f);
    EXPECT_EQ(std::ranges::count(sure, "uninitialised", &Finding::id), 1);
    EXPECT_EQ(find(sure, "uninitialised").state, State::no);
    EXPECT_EQ(find(sure, "uninitialised").text.find("mine.cl:8: "), 0U);
}

TEST(OclgrindLog, accesses_of_one_line_are_one_finding) {
    const auto findings =
        findings_of(faults_of(fault_at("Invalid read of size 4 at global memory address 0x8", 4) +
                              fault_at("Invalid write of size 4 at global memory address 0x8", 4)),
                    in_mine(0));
    EXPECT_EQ(std::ranges::count(findings, "accesses", &Finding::id), 1);
}

TEST(OclgrindLog, what_was_not_looked_for_to_the_end_is_not_known) {
    const std::string fault = fault_at("Invalid read of size 4 at global memory address 0x8", 4);
    const SimulatedLog fatal = read_oclgrind_log(
        fault +
        "\nOCLGRIND FATAL ERROR (WorkItem.cpp:741)\nInsufficient private memory (alloca)\n\tKernel: "
        "f\n\tEntity: Global(0,0,0) Local(0,0,0) Group(0,0,0)\n");
    EXPECT_EQ(fatal.gave_up, "oclgrind stopped: Insufficient private memory (alloca)");
    const auto findings = findings_of(fatal.faults, in_mine(0), fatal.gave_up);
    EXPECT_EQ(find(findings, "accesses").state, State::no) << "that was found before";
    for (const char* id : {"races", "uninitialised", "barriers"}) {
        EXPECT_EQ(find(findings, id).state, State::unknown) << id;
        EXPECT_EQ(find(findings, id).text, fatal.gave_up) << id;
    }
    EXPECT_FALSE(
        read_oclgrind_log(fault + "\nOclgrind: 1000 errors generated - suppressing further errors\n\n")
            .gave_up.empty());
    EXPECT_TRUE(read_oclgrind_log(fault).gave_up.empty());
}

TEST(OclgrindLog, lines_are_those_of_the_users_file) {
    const auto findings = findings_of(faults_of(log), in_mine(10));
    EXPECT_EQ(find(findings, "races").text.find("mine.cl:41 and mine.cl:40: Write-write data race"), 0U);
    EXPECT_EQ(find(findings, "accesses").text.find("mine.cl:42: Invalid write of size 8"), 0U);
    const std::vector<SourcePlace> both{{"mine.cl", 41}, {"mine.cl", 40}};
    EXPECT_EQ(find(findings, "races").places, both);
    EXPECT_EQ(find(findings, "accesses").places, std::vector<SourcePlace>({{"mine.cl", 42}}));
}

TEST(OclgrindLog, a_line_of_an_unknown_origin_is_no_place) {
    const auto nowhere = [](const std::string&, const SimulatedFault::Place&) {
        return std::optional<SourcePlace>();
    };
    const auto findings = findings_of(faults_of(log), nowhere);
    EXPECT_TRUE(find(findings, "races").places.empty());
    EXPECT_EQ(find(findings, "races").text.find("line 51 and line 50"), 0U);
}

TEST(OclgrindLog, without_the_simulator_it_is_said_what_it_would_look_for) {
    for (const Finding& finding : findings_without_oclgrind()) {
        EXPECT_EQ(finding.state, State::unknown) << finding.id;
        EXPECT_NE(finding.text.find("not installed; it finds"), std::string::npos) << finding.text;
    }
}

TEST(Judgement, choices_that_all_problems_share_are_named) {
    std::vector<JudgedRun> runs(2);
    runs[0].sizes = {
        {"operation", std::string("sum")}, {"size", std::int64_t{7}}, {"type", std::string("f32")}};
    runs[1].sizes = {
        {"operation", std::string("sum")}, {"size", std::int64_t{9}}, {"type", std::string("u32")}};
    AnalysisInfo info;
    info.benchmark = {parameter::whole("size", "", "", 1, 1, 100, ""),
                      parameter::choice("operation", "", {"sum", "min"}, ""),
                      parameter::choice("type", "", {"f32", "u32"}, ""),
                      parameter::optional_whole("local_size", "", "", "left to the driver", 1, 100, "")};
    EXPECT_EQ(choices_of(info, runs), "operation sum");
    for (JudgedRun& run : runs) {
        run.sizes["local_size"] = std::int64_t{64};
        run.defines = {{"WG", "32"}};
    }
    EXPECT_EQ(choices_of(info, runs), "local_size 64, operation sum, WG 32");
    runs[1].defines["WG"] = "16";  // then it is in the titles
    EXPECT_EQ(choices_of(info, runs), "local_size 64, operation sum");
    EXPECT_EQ(choices_of(info, {}), "");
    for (JudgedRun& run : runs) run.sizes["local_size"] = {};
    EXPECT_EQ(choices_of(info, runs), "local_size left to the driver, operation sum");
}

TEST(Judgement, a_finding_is_the_same_after_a_way_through_json) {
    const Finding before{"races", State::no, "a race", "a log", {{"mine.cl", 4}, {"lib/a.cl", 9}}};
    const auto json = to_json(before);
    EXPECT_EQ(json.at("places").at(1).at("line"), 9);
    const Finding after = from_json<Finding>(json, "a finding");
    EXPECT_EQ(after.places, before.places);
    EXPECT_EQ(after.state, State::no);
    nlohmann::json older = json;
    older.erase("places");
    EXPECT_TRUE(from_json<Finding>(older, "a finding").places.empty());
}

TEST(Judgement, a_signal_has_its_number_its_name_and_what_it_means) {
    EXPECT_EQ(signal_text(11), "an illegal access to memory (signal 11, Segmentation fault)");
    EXPECT_EQ(signal_text(8).find("an integer division by zero"), 0U);
    EXPECT_EQ(signal_text(10), "signal 10, User defined signal 1");
}

TEST(OclgrindLog, text_that_is_none_finds_nothing) {
    for (const char* text :
         {"", "oclgrind: cannot open\n\tKernel: x\n\tAt line 3 of y:\n", "At line 99999999999999999999 of"}) {
        EXPECT_TRUE(faults_of(text).empty()) << text;
        for (const Finding& finding : findings_of(faults_of(text), {})) EXPECT_EQ(finding.state, State::yes);
    }
    // cut off in the middle
    const auto faults = faults_of("Invalid read of size 4 at");
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_TRUE(faults[0].places.empty());
}

}  // namespace judgement_test
