// Spots of measured frames, by kernels as a user runs them.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/io/open_frames.h"
#include "tests/core/spots/collector_fixture.h"
#include "tests/gpu/spots/spots_device.h"
#include "tests/reference_data.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

void expect_dials(const char* dataset, Algorithm algorithm) {
    const std::string file = reference_data("spots_rotation.h5");
    const std::shared_ptr<FrameSource> frames = io::open_frames(file);
    PixelMask mask{frames->height(), frames->width(), {}};
    for (const double value :
         io::read_array(file + "::/entry/instrument/detector/pixel_mask", 2).to_doubles())
        mask.ignore.push_back(value != 0 ? 1 : 0);
    Thresholds thresholds;
    thresholds.algorithm = algorithm;
    const auto shared = std::make_shared<SharedFrames>(frames, 0, frames->frames(), 0);
    const SpotProblem problem(shared, mask, INFINITY, thresholds,
                              ModuleLayout::whole(frames->height(), frames->width()), Grouping{});
    const Array expected = io::read_array(file + dataset, 3);
    for (const auto& device : test_devices())
        for (const gpu::spots::SpotVariant& row : gpu::spots::spot_variants()) {
            if (!usable(row.info, device->info(), problem)) continue;
            const FoundSignal found = find_on(*device, row.info.id, problem);
            ASSERT_EQ(found.kept.signals.size(), frames->frames());
            for (std::size_t k = 0; k < frames->frames(); ++k) {
                const auto wanted =
                    expected.as<std::uint8_t>().subspan(k * frames->pixels(), frames->pixels());
                std::vector<std::uint8_t> signal(frames->pixels());
                for (const std::uint32_t pixel : found.kept.signals[k]) signal[pixel] = 1;
                EXPECT_TRUE(std::ranges::equal(signal, wanted)) << row.info.id << ", frame " << k;
            }
        }
}

TEST(SpotsReferenceData, dispersion_is_that_of_dials) {
    expect_dials("::/reference/signal_dispersion", Algorithm::dispersion);
}

TEST(SpotsReferenceData, extended_dispersion_is_that_of_dials) {
    expect_dials("::/reference/signal_dispersion_extended", Algorithm::dispersion_extended);
}

TEST(SpotsReferenceData, spots_of_a_measured_series_are_the_same_by_device_and_host) {
    const std::shared_ptr<FrameSource> frames = io::open_frames(reference_data("spots_rotation.h5"));
    const auto shared = std::make_shared<SharedFrames>(frames, 0, frames->frames(), 0);
    for (const bool stills : {false, true}) {
        const SpotProblem problem(shared, PixelMask{}, INFINITY, Thresholds{},
                                  ModuleLayout::whole(frames->height(), frames->width()), Grouping{stills});
        for (const auto& device : test_devices())
            for (const char* id : takers(problem)) {
                SCOPED_TRACE(id);
                const auto run_on = [&](gpu::spots::GroupsOn where) {
                    ks::Run run;
                    const gpu::spots::SpotVariant row = spots_row(id);
                    run.variant = row.info;
                    run.device = device->info();
                    run.request.variant = id;
                    Progress progress;
                    gpu::LaunchContext context(*device, run, progress, row.tuning);
                    Result result = gpu::spots::launch_spots(problem, context, row.make, where);
                    context.finish();
                    return result;
                };
                const Result by_device = run_on(gpu::spots::GroupsOn::device);
                EXPECT_GT(by_device.at("n_signal").values.size(), 0u);
                EXPECT_NE(by_device.facts["kernels"].get<std::string>().find("sum_background"),
                          std::string::npos);
                expect_same_results(by_device, run_on(gpu::spots::GroupsOn::host));
            }
    }
}

}  // namespace
