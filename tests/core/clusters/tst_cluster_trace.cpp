// The recorded steps: what each one must do is stated here again, digi by digi, and the end is compared with
// a flood fill.

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "core/base/error.h"
#include "core/clusters/trace/status_word.h"
#include "core/clusters/trace/trace.h"
#include "tests/core/clusters/cluster_fixture.h"

namespace {

using namespace ks;
using namespace ks::clusters;
using ks::tests::problem_of;

DigiTable random_module(std::size_t n, std::uint16_t extent, unsigned seed) {
    std::mt19937 random(seed);
    DigiTable digis;
    for (std::size_t i = 0; i < n; ++i) {
        digis.module.push_back(i % 5 == 0 ? 3 : 8);
        digis.x.push_back(static_cast<std::uint16_t>(random() % extent));
        digis.y.push_back(static_cast<std::uint16_t>(random() % extent));
        digis.adc.push_back(100);
    }
    return digis;
}

bool touch(const DigiTable& digis, std::size_t a, std::size_t b, int connectivity) {
    const int dx = std::abs(digis.x[a] - digis.x[b]), dy = std::abs(digis.y[a] - digis.y[b]);
    return dx <= 1 && dy <= 1 && (connectivity == 8 || dx + dy <= 1);
}

class Trace : public ::testing::TestWithParam<int> {
  protected:
    Trace() : digis_(random_module(700, 40, 5)) {
        ClusterSettings settings;
        settings.connectivity = GetParam();
        settings.record = 1;  // the module 8
        problem_ = problem_of(digis_, "free", settings);
        module_ = traced_module(*problem_);
    }
    std::size_t row(std::size_t place) const { return static_cast<std::size_t>(module_.digis[place]); }
    bool touches(std::size_t a, std::size_t b) const { return touch(digis_, row(a), row(b), GetParam()); }

    DigiTable digis_;
    std::shared_ptr<const ClusterProblem> problem_;
    TracedModule module_;
};

TEST_P(Trace, digis_are_sorted_by_column_then_row_and_neighbours_are_those_that_touch) {
    ASSERT_EQ(module_.size(), 560U);
    for (std::size_t i = 0; i < module_.size(); ++i) {
        const std::size_t y = digis_.y[row(i)];
        EXPECT_LE(module_.columns[y], i);
        EXPECT_GT(module_.columns[y + 1], i);
        if (i > 0 && digis_.y[row(i - 1)] == y) {
            EXPECT_LT(row(i - 1), row(i));
        }
        std::vector<std::int32_t> expected;
        for (std::size_t j = i + 1; j < module_.size(); ++j)
            if (touches(i, j)) expected.push_back(static_cast<std::int32_t>(j));
        expected.resize(module_.width, -1);
        const auto* found = module_.neighbours.data() + i * module_.width;
        EXPECT_EQ(std::vector<std::int32_t>(found, found + module_.width), expected);
    }
}

TEST_P(Trace, odd_rounds_take_the_smallest_label_that_touches_and_even_rounds_follow_labels) {
    const TraceSteps rounds = propagation_rounds(module_);
    ASSERT_EQ(rounds.size() % 2, 0U);
    for (std::size_t r = 1; r < rounds.size(); ++r)
        for (std::size_t i = 0; i < module_.size(); ++i) {
            std::int32_t expected = rounds[r - 1][i];
            if (r % 2 == 1) {
                for (std::size_t j = 0; j < module_.size(); ++j)
                    if (touches(i, j)) expected = std::min(expected, rounds[r - 1][j]);
            } else {
                for (std::size_t k = 0; k < module_.size(); ++k)
                    expected =
                        rounds[r - 1]
                              [static_cast<std::size_t>(module_.place[static_cast<std::size_t>(expected)])];
            }
            ASSERT_EQ(rounds[r][i], expected) << "round " << r << ", place " << i;
        }
}

TEST_P(Trace, both_loops_end_in_the_smallest_row_of_each_cluster) {
    for (const TraceSteps& steps : {propagation_rounds(module_), union_steps(module_)}) {
        const std::vector<std::int32_t>& last = steps.back();
        EXPECT_EQ(last, steps[steps.size() - 2]);
        std::vector<bool> seen(module_.size(), false);
        for (const std::int32_t start : module_.place) {
            if (seen[static_cast<std::size_t>(start)]) continue;
            std::vector<std::size_t> open{static_cast<std::size_t>(start)};
            seen[open[0]] = true;
            while (!open.empty()) {
                const std::size_t i = open.back();
                open.pop_back();
                EXPECT_EQ(module_.place[static_cast<std::size_t>(last[i])], start);
                for (std::size_t j = 0; j < module_.size(); ++j)
                    if (!seen[j] && touches(i, j)) {
                        seen[j] = true;
                        open.push_back(j);
                    }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Connectivity, Trace, ::testing::Values(4, 8));

TEST(TraceOfDuplicates, dropped_digis_take_no_part) {
    DigiTable digis{{0, 0, 0, 0}, {5, 5, 5, 6}, {1, 1, 2, 2}, {1, 1, 1, 1}, {}, {}};
    ClusterSettings settings;
    settings.duplicates = Duplicates::drop;
    settings.record = 0;
    const auto problem = problem_of(digis, "free", settings);
    EXPECT_EQ(traced_module(*problem).digis, (std::vector<std::int64_t>{2, 3}));
}

TEST(TraceOfLargeModules, is_a_warning_instead) {
    DigiTable digis = random_module(70000, 500, 1);
    digis.module.assign(digis.size(), 2);
    ClusterSettings settings;
    settings.record = 0;
    Result result;
    add_host_traces(result, *problem_of(digis, "free", settings));
    EXPECT_TRUE(result.datasets.empty());
    ASSERT_EQ(result.warnings.size(), 1U);
}

TEST(TraceOfNoModule, is_refused) {
    ClusterSettings settings;
    settings.record = 2;
    EXPECT_THROW(problem_of(random_module(20, 5, 1), "free", settings), Error);
}

TEST(TraceDatasets, hold_places) {
    DigiTable digis{{0, 0, 0}, {1, 2, 3}, {9, 8, 7}, {1, 1, 1}, {}, {}};
    ClusterSettings settings;
    settings.record = 0;
    Result result;
    add_host_traces(result, *problem_of(digis, "free", settings));
    const auto labels = result.at("trace_labels").values.as<std::int32_t>();
    // rows 2, 1, 0 in the order of columns; row 0 is at place 2
    EXPECT_EQ(result.at("trace_labels").values.shape(), (std::vector<std::size_t>{4, 3}));
    EXPECT_EQ(std::vector<std::int32_t>(labels.begin(), labels.end()),
              (std::vector<std::int32_t>{0, 1, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2}));
    EXPECT_EQ(result.at("trace_digis").values.as<std::int64_t>()[2], 0);
    EXPECT_NE(result.find("trace_parents"), nullptr);
}

TEST(StatusWord, HoldsAPixelWhereThePublishedKernelDoes) {
    const StatusWord published(2, 0, 160);  // the example of its description
    EXPECT_EQ(published.index, 0U);
    EXPECT_EQ(published.shift, 4U);
    const StatusWord last(159, 415, 160);
    EXPECT_EQ(last.index, 160U * 416 / 16 - 1);
    EXPECT_EQ(last.shift, 30U);
    const StatusWord crossing(1, 1, 15);  // columns that are no multiple of 16
    EXPECT_EQ(crossing.index, 1U);
    EXPECT_EQ(crossing.shift, 0U);
    EXPECT_EQ(StatusWord::value(0), 0U);
    EXPECT_EQ(StatusWord::value(1), 1U);
    EXPECT_EQ(StatusWord::value(2), 3U);
    EXPECT_EQ(StatusWord::value(7), 3U);
}

}  // namespace
