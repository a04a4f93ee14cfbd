#include "core/run/host_backend.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "core/base/error.h"
#include "tests/core/run/fake_analysis.h"

namespace {

using namespace ks;

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
