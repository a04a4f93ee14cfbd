#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/run/error.h"
#include "core/run/thread_pool.h"
#include "core/run/threads.h"

using namespace ks;

TEST(ThreadPool, every_index_is_worked_on_once_in_each_of_many_calls) {
    for (const unsigned threads : {1U, 2U, 5U, 16U}) {
        ThreadPool pool(threads);
        for (const std::size_t n : {0U, 1U, 2U, 7U, 1000U, 3U})
            for (int round = 0; round < 50; ++round) {
                std::vector<int> hits(n, 0);  // plain: what was written is there when the call is over
                pool.for_each(n, [&](std::size_t i) { ++hits[i]; });
                ASSERT_EQ(hits, std::vector<int>(n, 1)) << threads << " threads";
            }
    }
}

TEST(ThreadPool, threads_stay_between_calls_and_no_more_work_than_were_asked_for) {
    ThreadPool pool(3);
    std::mutex guard;
    std::set<std::thread::id> seen;
    for (int round = 0; round < 20; ++round)
        pool.for_each(6, [&](std::size_t) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            const std::lock_guard lock(guard);
            seen.insert(std::this_thread::get_id());
        });
    EXPECT_GE(seen.size(), 2u);
    EXPECT_LE(seen.size(), 3u);
    EXPECT_TRUE(seen.contains(std::this_thread::get_id()));
}

TEST(ThreadPool, an_exception_comes_to_the_caller_and_the_next_call_works) {
    ThreadPool pool(4);
    for (int round = 0; round < 50; ++round) {
        EXPECT_THROW(pool.for_each(100,
                                   [](std::size_t i) {
                                       if (i == 37) throw std::runtime_error("37");
                                   }),
                     std::runtime_error);
        std::atomic<std::size_t> sum = 0;
        pool.for_each(100, [&](std::size_t i) { sum += i; });
        EXPECT_EQ(sum, 4950u);
    }
}

/// No limit is left behind for other tests.
class ThreadLimit : public testing::Test {
  protected:
    void TearDown() override { limit_threads({}); }
};

TEST_F(ThreadLimit, with_one_thread_nothing_runs_beside_the_caller) {
    limit_threads(1);
    EXPECT_EQ(compute_threads(), 1U);
    EXPECT_EQ(beside([] { return std::this_thread::get_id(); }).get(), std::this_thread::get_id());
    auto fails = beside([]() -> int { throw Error(ErrorKind::run, "beside"); });
    EXPECT_THROW(fails.get(), Error);
    limit_threads(5);
    EXPECT_EQ(compute_threads(), 5U);
    EXPECT_NE(beside([] { return std::this_thread::get_id(); }).get(), std::this_thread::get_id());
    limit_threads({});
    EXPECT_FALSE(thread_limit());
    EXPECT_GE(compute_threads(), 1U);
}

TEST_F(ThreadLimit, is_1_to_1024) {
    EXPECT_THROW(limit_threads(0), Error);
    EXPECT_THROW(limit_threads(1025), Error);
    EXPECT_FALSE(thread_limit());
    limit_threads(1024);
    EXPECT_EQ(parse_threads("7", "--threads"), 7U);
    for (const char* bad : {"", "0", "1025", "-3", "+3", " 3", "3x", "1e2"})
        EXPECT_THROW(parse_threads(bad, "--threads"), Error) << bad;
}
