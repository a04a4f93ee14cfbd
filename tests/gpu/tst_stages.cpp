// Where the time of a run goes is told for nearly all of it, and in places that fit together.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "tests/gpu/variant_problems.h"

using namespace ks;
using namespace ks::tests;

namespace {

/// Nanoseconds that may be in no stage: 1/20 of a run, or 50 us.
std::uint64_t allowed(const ks::Run& run) {
    return std::max<std::uint64_t>(run.wall_nanoseconds / 20, 50'000);
}

std::uint64_t in_no_stage(const ks::Run& run) {
    return run.wall_nanoseconds - std::min(run.wall_nanoseconds, covered(run.timings));
}

void expect_in_place(const ks::Run& run) {
    // The device's clock is known to within some microseconds.
    constexpr std::uint64_t slack = 200'000;
    for (const Timing& row : run.timings) {
        EXPECT_EQ(row.spans.empty(), row.nanoseconds == 0) << row.stage;
        std::uint64_t sum = 0;
        for (const Span& span : row.spans) {
            sum += span.nanoseconds;
            EXPECT_LE(span.start + span.nanoseconds, run.wall_nanoseconds + slack) << row.stage;
        }
        if (row.spans.size() < max_spans / 2) {
            EXPECT_EQ(sum, row.nanoseconds) << row.stage;
        }
        EXPECT_TRUE(std::ranges::is_sorted(row.spans, {}, &Span::start)) << row.stage;
    }
}

class Stages : public ::testing::TestWithParam<std::string> {};

TEST_P(Stages, tell_where_the_time_of_a_run_goes) {
    const std::string analysis = GetParam();
    Progress progress;
    for (const DeviceInfo& device : engine().devices())
        for (const auto& [name, problem] : problems_of(analysis)) {
            const Traits traits = engine().registry().analysis(analysis).traits(*problem);
            for (const Offer& offer : engine().offers(analysis, device, traits)) {
                const bool here = offer.variant.on_host() == (device.type == "host");
                if (!offer.why_not.empty() || !here) continue;
                SCOPED_TRACE(offer.variant.id + " of " + analysis + ", " + name + ", on " + device.name);
                // Other processes may take the core between any two stages: the best of some runs counts.
                std::string told;
                bool good = false;
                for (int i = 0; i < 40 && !good; ++i) {
                    const ks::Run run =
                        engine().run(request_of(analysis, offer.variant.id, device), problem, progress);
                    expect_in_place(run);
                    good = in_no_stage(run) <= allowed(run);
                    told = std::to_string(in_no_stage(run)) + " of " + std::to_string(run.wall_nanoseconds) +
                           " ns are in no stage\n" + stages_text(run.timings);
                }
                EXPECT_TRUE(good) << told;
            }
        }
}

INSTANTIATE_TEST_SUITE_P(OfAnalyses, Stages, ::testing::Values("xpcs", "spots", "clusters", "particles"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
