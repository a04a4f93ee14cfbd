// What is made of two runs of a kernel, and of what a simulator logged.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/judge/judgement.h"
#include "core/judge/oclgrind_log.h"
#include "core/judge/signal_text.h"

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

TEST(Judgement, a_sample_is_no_proof_of_right_values) {
    const auto sampled = with(Verdict::State::sampled, "some are the same");
    EXPECT_EQ(find(findings_of(sampled, sampled, 10s), "values").state, State::no);
}

TEST(Judgement, of_a_process_that_was_ended_at_the_limit_nobody_knows_whether_it_would_crash) {
    const Attempt hung{
        .stage = "kernel correlate", .how_it_ended = "signal 9 (Killed)", .was_too_long = true};
    const auto findings = findings_of(hung, hung, 1500ms);
    EXPECT_EQ(find(findings, "ends").text, "the kernel correlate did not end within 1.5 s");
    EXPECT_EQ(find(findings, "survives").state, State::unknown) << "it was ended before it could crash";
    EXPECT_EQ(find(findings, "values").state, State::unknown);
    EXPECT_EQ(find(findings, "guards").state, State::unknown);
}

TEST(Judgement, a_crash_names_the_kernel_that_was_under_way) {
    const Attempt crashed{.stage = "kernel decide", .how_it_ended = "signal 11 (Segmentation fault)"};
    const auto findings = findings_of(with(Verdict::State::pass, ""), crashed, 10s);
    EXPECT_EQ(find(findings, "survives").text,
              "the kernel decide ended the process: signal 11 (Segmentation fault)");
    EXPECT_EQ(find(findings, "guards").state, State::yes);
}

TEST(Judgement, what_does_not_build_is_asked_nothing_else) {
    const Attempt broken{.error =
                             Error(ErrorKind::build, "the kernel does not build", "mine.cl", {}, "line 3")};
    const auto findings = findings_of(broken, broken, 10s);
    EXPECT_EQ(find(findings, "builds").details, "line 3");
    for (const char* id : {"guards", "ends", "survives", "values"})
        EXPECT_EQ(find(findings, id).state, State::unknown) << id;
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
    const auto faults = faults_in(log);
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
    EXPECT_EQ(faults_in(head + seven + nine + "\n" + head + nine + seven).size(), 1U);
    EXPECT_EQ(faults_in(head + seven + nine + "\n" + head + nine + nine).size(), 2U);
}

TEST(OclgrindLog, a_barrier_that_some_reach_is_told_once_with_how_many_do) {
    const auto of_group = [](int group) {
        return "\nWork-group divergence detected (barrier)\n\tKernel:     f\n\tWork-group: (" +
               std::to_string(group) +
               ",0,0)\n\tOnly 1 out of 2 work-items executed barrier\n\t  tail call spir_func void "
               "@_Z7barrierj(i32 noundef 1) #5, !dbg !24\n\tAt line 3 (column 9) of input.cl:\n"
               "\t  barrier(CLK_LOCAL_MEM_FENCE);\n\t\n";
    };
    const auto faults = faults_in(of_group(0) + of_group(1));
    ASSERT_EQ(faults.size(), 1U);
    const auto origin = [](const std::string&, std::size_t line) {
        return std::optional(SourcePlace{"mine.cl", line});
    };
    const auto findings = findings_of(faults, origin);
    EXPECT_EQ(find(findings, "barriers").text,
              "mine.cl:3: Only 1 out of 2 work-items executed barrier, in the kernel f: "
              "barrier(CLK_LOCAL_MEM_FENCE);");
    EXPECT_EQ(find(findings, "barriers").places, std::vector<SourcePlace>({{"mine.cl", 3}}));
    EXPECT_EQ(find(findings, "races").state, State::yes);
}

TEST(OclgrindLog, lines_are_those_of_the_users_file) {
    const auto origin = [](const std::string& kernel, std::size_t line) -> std::optional<SourcePlace> {
        if (kernel != "correlate") return std::nullopt;
        return SourcePlace{"mine.cl", line - 10};
    };
    const auto findings = findings_of(faults_in(log), origin);
    EXPECT_EQ(find(findings, "races").text.find("mine.cl:41 and mine.cl:40: Write-write data race"), 0U);
    EXPECT_EQ(find(findings, "accesses").text.find("mine.cl:42: Invalid write of size 8"), 0U);
    const std::vector<SourcePlace> both{{"mine.cl", 41}, {"mine.cl", 40}};
    EXPECT_EQ(find(findings, "races").places, both);
    EXPECT_EQ(find(findings, "accesses").places, std::vector<SourcePlace>({{"mine.cl", 42}}));
}

TEST(OclgrindLog, a_line_of_an_unknown_origin_is_no_place) {
    const auto nowhere = [](const std::string&, std::size_t) { return std::optional<SourcePlace>(); };
    const auto findings = findings_of(faults_in(log), nowhere);
    EXPECT_TRUE(find(findings, "races").places.empty());
    EXPECT_EQ(find(findings, "races").text.find("line 51 and line 50"), 0U);
}

TEST(OclgrindLog, without_the_simulator_it_is_said_what_it_would_look_for) {
    for (const Finding& finding : findings_without_oclgrind()) {
        EXPECT_EQ(finding.state, State::unknown) << finding.id;
        EXPECT_NE(finding.text.find("not installed; it finds"), std::string::npos) << finding.text;
    }
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
    EXPECT_EQ(signal_text(8).find("a division by zero"), 0U);
    EXPECT_EQ(signal_text(10), "signal 10, User defined signal 1");
}

TEST(OclgrindLog, text_that_is_none_finds_nothing) {
    for (const char* text :
         {"", "oclgrind: cannot open\n\tKernel: x\n\tAt line 3 of y:\n", "At line 99999999999999999999 of"}) {
        EXPECT_TRUE(faults_in(text).empty()) << text;
        for (const Finding& finding : findings_of(faults_in(text), {})) EXPECT_EQ(finding.state, State::yes);
    }
    // cut off in the middle
    const auto faults = faults_in("Invalid read of size 4 at");
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_TRUE(faults[0].places.empty());
}

}  // namespace judgement_test
