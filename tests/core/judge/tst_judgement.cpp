// What is made of two runs of a kernel, and of what a simulator logged.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/judge/judgement.h"
#include "core/judge/oclgrind_log.h"

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
    EXPECT_TRUE(faults[0].is_race());
    EXPECT_EQ(faults[0].kernel, "correlate");
    ASSERT_EQ(faults[0].places.size(), 2U);
    EXPECT_EQ(faults[0].places[0].line, 51U);
    EXPECT_EQ(faults[0].places[1].code, "g2[at] = NAN;");
    EXPECT_FALSE(faults[1].is_race());
}

TEST(OclgrindLog, lines_are_those_of_the_users_file) {
    const auto origin = [](const std::string& kernel, std::size_t line) -> std::optional<SourcePlace> {
        if (kernel != "correlate") return std::nullopt;
        return SourcePlace{"mine.cl", line - 10};
    };
    const auto findings = findings_of(faults_in(log), origin);
    EXPECT_EQ(find(findings, "races").text.find("mine.cl:41 and mine.cl:40: Write-write data race"), 0U);
    EXPECT_EQ(find(findings, "accesses").text.find("mine.cl:42: Invalid write of size 8"), 0U);
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
