#include "core/run/host_backend.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "core/run/error.h"
#include "tests/core/run/fake_analysis.h"

namespace {

using namespace ks;

TEST(ParallelFor, EveryIndexOnce) {
    for (const unsigned threads : {0U, 1U, 3U, 50U}) {
        std::vector<std::atomic<int>> hits(40);
        Progress progress;
        parallel_for(hits.size(), threads, progress, [&](std::size_t i) { ++hits[i]; });
        for (const auto& hit : hits) EXPECT_EQ(hit.load(), 1);
    }
    Progress progress;
    parallel_for(0, 4, progress, [](std::size_t) { ADD_FAILURE(); });
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

TEST(HostBackend, HasOneDeviceWithTheMemoryOfTheMachine) {
    HostBackend backend({});
    const auto devices = backend.devices();
    ASSERT_EQ(devices.size(), 1U);
    EXPECT_EQ(devices[0].index, -1);
    EXPECT_EQ(devices[0].type, "host");
    EXPECT_EQ(devices[0].backend, "host");
    EXPECT_TRUE(devices[0].fp64);
    EXPECT_FALSE(devices[0].name.empty());
    EXPECT_EQ(devices[0].global_bytes, static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                                           static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
    EXPECT_EQ(devices[0].compute_units, std::max(1U, std::thread::hardware_concurrency()));
}

TEST(HostBackend, GivesTheVariantItsLimitAndThreads) {
    std::uint64_t limit = 0;
    unsigned threads = 0;
    HostBackend backend({{fake::variant("host.sum", 0), [&](const Problem&, HostContext& context) {
                              limit = context.memory_limit;
                              threads = context.threads;
                              context.timings.push_back({.stage = "s"});
                              Result result;
                              result.warnings = {"seen"};
                              return result;
                          }}});
    ks::Run run;
    run.variant = fake::variant("host.sum", 0);
    Progress progress;
    backend.execute(fake::Numbers(), run, progress);
    const std::uint64_t all = backend.devices()[0].global_bytes;
    EXPECT_GT(limit, all / 4 * 3 - 4096);
    EXPECT_LE(limit, all / 4 * 3);
    EXPECT_GE(threads, 1U);
    EXPECT_EQ(run.timings.size(), 1U);
    EXPECT_EQ(run.result.warnings, std::vector<std::string>{"seen"});
    run.request.memory_limit = 12345;
    backend.execute(fake::Numbers(), run, progress);
    EXPECT_EQ(limit, 12345U);
    run.variant.id = "host.absent";
    EXPECT_THROW(backend.execute(fake::Numbers(), run, progress), Error);
}

}  // namespace
