// A batch whose items are dealt out to ranks that are threads.

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>

#include "core/ranks/shared_batch.h"
#include "tests/core/ranks/thread_ranks.h"

namespace ks::tests {
namespace {

using namespace std::chrono_literals;

BatchPlan plan_of(std::size_t items) {
    BatchPlan plan;
    for (std::size_t i = 0; i < items; ++i) plan.items.push_back({fmt::format("scan_{}.h5", i), {}, {}});
    return plan;
}

TEST(SharedBatch, each_item_runs_once_and_rows_come_in_the_order_of_the_list) {
    const BatchPlan plan = plan_of(23);
    std::mutex mutex;
    std::multiset<std::string> run;
    std::set<std::size_t> ranks;
    std::vector<std::string> told, rows;
    on_ranks(4, [&](Exchange& exchange, Progress& progress) {
        const auto all = run_batch_over_ranks(
            exchange, plan, progress,
            [&](const BatchItem& item) {
                std::this_thread::sleep_for(item.data == "scan_0.h5" ? 200ms : 5ms);
                const std::lock_guard lock(mutex);
                run.insert(item.data);
                ranks.insert(exchange.rank());
                BatchRow row;
                row.data = item.data;
                if (item.data == "scan_5.h5") {
                    row.state = BatchRow::State::failed;
                    row.why = "it is bad";
                }
                return row;
            },
            [&](const BatchRow& row) { told.push_back(row.data); });
        if (exchange.is_first())
            for (const BatchRow& row : all) rows.push_back(row.data + row.why);
        else
            EXPECT_TRUE(all.empty());
    });
    EXPECT_EQ(run.size(), 23U);
    EXPECT_EQ(ranks.size(), 4U);
    ASSERT_EQ(rows.size(), 23U);
    for (std::size_t i = 0; i < 23; ++i) {
        EXPECT_EQ(run.count(plan.items[i].data), 1U);
        EXPECT_EQ(told[i], plan.items[i].data);
        EXPECT_EQ(rows[i], plan.items[i].data + (i == 5 ? "it is bad" : ""));
    }
}

TEST(SharedBatch, a_batch_that_is_cancelled_tells_how_many_runs_were_written) {
    const auto outcomes = on_ranks(3, [&](Exchange& exchange, Progress& progress) {
        Progress unheard({}, progress);
        run_batch_over_ranks(
            exchange, plan_of(1000), progress,
            [&](const BatchItem& item) {
                std::this_thread::sleep_for(2ms);
                unheard.check();
                BatchRow row;
                row.data = item.data;
                return row;
            },
            [&](const BatchRow& row) {
                if (row.data == "scan_20.h5") progress.cancel();
            });
    });
    ASSERT_TRUE(outcomes[0]);
    EXPECT_EQ(outcomes[0]->kind(), ErrorKind::cancelled);
    const std::string& hint = outcomes[0]->hint();
    EXPECT_TRUE(hint.starts_with("1 of 1000 runs was written") ||
                hint.find(" of 1000 runs were written") != std::string::npos)
        << hint;
    EXPECT_TRUE(outcomes[1]);
}

TEST(SharedBatch, ranks_with_other_lists_are_refused) {
    const auto outcomes = on_ranks(2, [&](Exchange& exchange, Progress& progress) {
        run_batch_over_ranks(
            exchange, plan_of(3 + exchange.rank()), progress, [](const BatchItem&) { return BatchRow(); },
            [](const BatchRow&) {});
    });
    ASSERT_TRUE(outcomes[0]);
    EXPECT_EQ(outcomes[0]->message(),
              "the number of files differs: 4 for rank 1 on node1, 3 for rank 0 on node0");
}

}  // namespace
}  // namespace ks::tests
