// The check finds what is wrong with a run, and passes what is right.

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "core/clusters/analysis.h"
#include "tests/core/clusters/cluster_fixture.h"

using namespace ks;
using namespace ks::tests;

namespace {

Verdict check(const ClusterProblem& problem, const ks::Run& run, CheckMode mode = CheckMode::full) {
    Progress progress;
    return clusters::check_clusters(problem, run, mode, progress);
}

Array& values(ks::Run& run, const char* name) {
    for (Dataset& dataset : run.result.datasets)
        if (dataset.name == name) return dataset.values;
    throw std::runtime_error(name);
}

class ClusterCheck : public testing::Test {
  protected:
    ClusterCheck()
        : problem(problem_of(events_of("phase1", "random", 30, 3000, 2, 40, 40), "phase1",
                             {8, Duplicates::drop, {}})),
          run(host_run(*problem, "host.unionfind")) {}

    void expect_failed_after(const std::function<void(ks::Run&)>& change) {
        ks::Run changed = run;
        change(changed);
        const Verdict verdict = check(*problem, changed);
        EXPECT_EQ(verdict.state, Verdict::State::fail);
        EXPECT_FALSE(verdict.text.empty());
    }

    std::shared_ptr<const ClusterProblem> problem;
    ks::Run run;
};

TEST_F(ClusterCheck, passes_what_is_right) {
    EXPECT_EQ(check(*problem, run).state, Verdict::State::pass) << check(*problem, run).text;
    EXPECT_EQ(check(*problem, run).samples, problem->digis());
    EXPECT_EQ(check(*problem, run, CheckMode::sample).state, Verdict::State::sampled);
    EXPECT_EQ(check(*problem, run, CheckMode::none).state, Verdict::State::unchecked);
}

TEST_F(ClusterCheck, finds_one_wrong_label) {
    for (const std::int32_t row : {0, 17, 6000})
        expect_failed_after([row](ks::Run& r) {
            std::int32_t& label = values(r, "label").as<std::int32_t>()[static_cast<std::size_t>(row)];
            label = label == row ? -3 : row;
        });
}

TEST_F(ClusterCheck, names_event_module_and_digi_of_what_is_wrong) {
    const clusters::ModuleDigis& digis = *problem->shared();
    constexpr std::size_t row = 6000;
    const std::size_t slot = problem->slot()[row];
    ASSERT_NE(slot, clusters::ModuleDigis::no_slot);
    ks::Run changed = run;
    values(changed, "label").as<std::int32_t>()[row] = -3;
    const VerdictPlace place{
        {"event", digis.slot_event()[slot]}, {"module", digis.slot_module()[slot]}, {"digi", row}};
    const Verdict verdict = check(*problem, changed);
    EXPECT_EQ(verdict.place, place) << verdict.text;
    EXPECT_TRUE(check(*problem, run).place.empty());
}

TEST_F(ClusterCheck, finds_wrong_columns_of_the_table) {
    expect_failed_after([](ks::Run& r) { ++values(r, "cluster_size").as<std::uint32_t>()[5]; });
    expect_failed_after([](ks::Run& r) { ++values(r, "cluster_charge").as<std::uint64_t>()[5]; });
    expect_failed_after([](ks::Run& r) { values(r, "cluster_x").as<double>()[7] += 1e-3; });
    expect_failed_after([](ks::Run& r) { ++values(r, "cluster_ymax").as<std::uint16_t>()[7]; });
    expect_failed_after([](ks::Run& r) { ++values(r, "module_clusters").as<std::uint32_t>()[3]; });
    expect_failed_after([](ks::Run& r) { values(r, "cluster_label").as<std::int32_t>()[0] = 1; });
}

TEST_F(ClusterCheck, finds_columns_that_are_absent_or_cut_short) {
    expect_failed_after([](ks::Run& r) { values(r, "label") = Array(ElementType::i32, {3}); });
    expect_failed_after([](ks::Run& r) { r.result.datasets.erase(r.result.datasets.begin()); });
}

TEST(ClusterCheckSample, looks_at_some_modules_of_many_events) {
    const auto problem = problem_of(events_of("phase1", "random", 1856, 43000, 12), "phase1");
    const Verdict verdict = check(*problem, host_run(*problem, "host.unionfind"), CheckMode::sample);
    EXPECT_EQ(verdict.state, Verdict::State::sampled) << verdict.text;
    EXPECT_LT(verdict.samples, problem->digis());
    EXPECT_GT(verdict.samples, 100000U);
}

}  // namespace
