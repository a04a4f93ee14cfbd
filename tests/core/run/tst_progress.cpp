#include "core/base/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "core/base/error.h"

namespace {

using namespace ks;

TEST(Progress, TellsAtMostEvery20MillisecondsButAlwaysTheEnds) {
    std::vector<double> told;
    Progress progress([&](double fraction, const std::string&) { told.push_back(fraction); });
    const auto start = std::chrono::steady_clock::now();
    progress.report(0, "work");
    while (told.size() < 4) progress.report(0.5, "work");
    const auto spent = std::chrono::steady_clock::now() - start;
    progress.report(1, "work");
    progress.report(1, "work");
    EXPECT_EQ(told, (std::vector<double>{0, 0.5, 0.5, 0.5, 1, 1}));
    EXPECT_GE(spent, std::chrono::milliseconds(60))
        << "three reports between the ends, 20 ms from one to the next";
}

TEST(Progress, FractionsOutsideAreBroughtInside) {
    std::vector<double> told;
    Progress progress([&](double fraction, const std::string&) { told.push_back(fraction); });
    progress.report(-3, "work");
    progress.report(7, "work");
    EXPECT_EQ(told, (std::vector<double>{0, 1}));
}

TEST(Progress, CancelFromAnotherThreadEndsTheJobAlsoWhereReportsAreThrottled) {
    Progress progress([](double, const std::string&) {});
    std::jthread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        progress.cancel();
    });
    try {
        for (;;) progress.report(0.5, "work");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
        EXPECT_EQ(error.exit_code(), 130);
    }
    EXPECT_TRUE(progress.cancelled());
    EXPECT_THROW(progress.check(), Error);
}

}  // namespace
