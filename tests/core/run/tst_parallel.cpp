#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"

using namespace ks;

/// No limit is left behind for other tests.
class ThreadLimit : public testing::Test {
  protected:
    void TearDown() override { limit_threads({}); }
};

TEST(ParallelFor, every_index_is_worked_on_once_in_each_of_many_calls) {
    for (const unsigned threads : {0U, 1U, 2U, 5U, 16U})
        for (const std::size_t n : {0U, 1U, 2U, 7U, 1000U, 3U})
            for (int round = 0; round < 50; ++round) {
                std::vector<int> hits(n, 0);  // plain: what was written is there when the call is over
                parallel_for(n, threads, [&](std::size_t i) { ++hits[i]; });
                ASSERT_EQ(hits, std::vector<int>(n, 1)) << threads << " threads";
            }
}

TEST_F(ThreadLimit, no_more_threads_work_at_once_than_were_asked_for) {
    limit_threads(5);
    for (const unsigned threads : {1U, 3U}) {
        std::mutex guard;
        std::condition_variable other;
        std::set<std::thread::id> working;
        std::size_t maximum = 0;
        // Each waits for as many as there may be: a busy machine is given time to start them.
        for (int round = 0; round < 20; ++round)
            parallel_for(6, threads, [&](std::size_t) {
                std::unique_lock lock(guard);
                working.insert(std::this_thread::get_id());
                maximum = std::max(maximum, working.size());
                other.notify_all();
                other.wait_for(lock, std::chrono::seconds(20), [&] { return maximum >= threads; });
                working.erase(std::this_thread::get_id());
            });
        EXPECT_EQ(maximum, threads);
    }
}

TEST(ParallelFor, an_exception_comes_to_the_caller_and_the_next_call_works) {
    for (int round = 0; round < 50; ++round) {
        EXPECT_THROW(parallel_for(100, 4,
                                  [](std::size_t i) {
                                      if (i == 37) throw std::runtime_error("37");
                                  }),
                     std::runtime_error);
        std::atomic<std::size_t> sum = 0;
        parallel_for(100, 4, [&](std::size_t i) { sum += i; });
        EXPECT_EQ(sum, 4950u);
    }
}

TEST(ParallelFor, AnExceptionIsRethrownWhenAllThreadsHaveEnded) {
    std::atomic<int> inside{0};
    Progress progress;
    EXPECT_THROW(parallel_for(100, 4, progress,
                              [&](std::size_t i) {
                                  ++inside;
                                  std::this_thread::sleep_for(std::chrono::milliseconds(2));
                                  --inside;
                                  if (i == 3) throw std::out_of_range("three");
                              }),
                 std::out_of_range);
    EXPECT_EQ(inside.load(), 0);
}

TEST(ParallelFor, CancelEndsItBeforeTheNextIndex) {
    std::atomic<int> done{0}, late{0};
    Progress progress;
    try {
        parallel_for(1000000, 2, progress, [&](std::size_t) {
            if (progress.cancelled()) ++late;
            if (++done == 10) progress.cancel();
        });
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
    EXPECT_GE(done.load(), 10);
    EXPECT_LE(late.load(), 1) << "only the other thread may have been between its check and its work";
}

TEST_F(ThreadLimit, with_one_thread_nothing_runs_beside_the_caller) {
    limit_threads(1);
    EXPECT_EQ(compute_threads(), 1U);
    EXPECT_EQ(beside([] { return std::this_thread::get_id(); }).get(), std::this_thread::get_id());
    auto fails = beside([]() -> int { throw Error(ErrorKind::run, "beside"); });
    EXPECT_THROW(fails.get(), Error);
    limit_threads(5);
    EXPECT_EQ(compute_threads(), 5U);
    std::atomic<bool> began{false};
    auto other = beside([&began] {
        began = true;
        return std::this_thread::get_id();
    });
    // Who waits may do the work: so it is given time to begin first.
    for (int i = 0; i < 5000 && !began; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(began);
    EXPECT_NE(other.get(), std::this_thread::get_id());
    EXPECT_FALSE(other.valid());
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
