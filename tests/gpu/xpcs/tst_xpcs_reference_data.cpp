// Every correlator on a file whose g2, errors and two-time maps were computed in double precision by NumPy.

#include <gtest/gtest.h>

#include <cmath>

#include "core/io/open_frames.h"
#include "core/run/engine.h"
#include "gpu/runtime/opencl_backend.h"
#include "tests/reference_data.h"

namespace {

class ReferenceData : public ::testing::Test {
  protected:
    void SetUp() override {
        file = ks::tests::reference_data("xpcs_rings_u8.h5");
        auto registry = std::make_shared<const ks::Registry>();
        std::vector<std::unique_ptr<ks::Backend>> backends;
        backends.push_back(ks::gpu::make_opencl_backend());
        backends.push_back(std::make_unique<ks::HostBackend>(registry->host_variants()));
        engine = std::make_unique<ks::Engine>(registry, std::move(backends));
    }

    ks::Run run(const ks::DeviceInfo& device, const std::string& variant,
                std::optional<std::int64_t> two_time_bin = {}) {
        ks::Request request;
        request.analysis = "xpcs";
        request.variant = variant;
        request.device = device.index < 0 ? "host" : std::to_string(device.index);
        request.inputs["frames"] = {file};
        request.inputs["partition"] = {file + "::/entry/qmask"};
        if (two_time_bin) request.parameters["two_time_bin"] = *two_time_bin;
        ks::Progress progress;
        return engine->run(request, progress);
    }

    std::string file;
    std::unique_ptr<ks::Engine> engine;
};

TEST_F(ReferenceData, every_variant_meets_g2_and_its_error) {
    const std::vector<double> g2 = ks::io::read_array(file + "::/reference/g2", 2).to_doubles();
    const std::vector<double> err = ks::io::read_array(file + "::/reference/g2_err", 2).to_doubles();
    std::size_t compared = 0;
    for (const ks::DeviceInfo& device : engine->devices())
        for (const ks::Offer& offer : engine->offers("xpcs", device)) {
            if (!offer.why_not.empty() || (offer.variant.on_host() && device.index >= 0)) continue;
            const ks::Run made = run(device, offer.variant.id);
            if (made.result.facts.contains("averaging")) continue;
            const auto found_g2 = made.result.at("g2").values.as<double>();
            const auto found_err = made.result.at("g2_err").values.as<double>();
            ASSERT_EQ(found_g2.size(), g2.size());
            for (std::size_t i = 0; i < g2.size(); ++i) {
                ASSERT_LE(std::abs(found_g2[i] - g2[i]), 1e-6 * g2[i]) << offer.variant.id << " at " << i;
                if (!offer.variant.computes("g2_err")) continue;
                // the error of the last delay is 0 and is compared absolutely
                const double allowed = err[i] == 0 ? 1e-12 : 1e-5 * err[i];
                ASSERT_LE(std::abs(found_err[i] - err[i]), allowed) << offer.variant.id << " at " << i;
            }
            ++compared;
        }
    EXPECT_GE(compared, 2u);
}

TEST_F(ReferenceData, two_time_maps_of_the_default_variant_agree_with_numpy) {
    if (engine->devices().front().index < 0) GTEST_SKIP() << "no OpenCL device";
    const ks::Array maps = ks::io::read_array(file + "::/reference/two_time", 3);
    const std::size_t frames = maps.shape()[1];
    const std::vector<double> all = maps.to_doubles();
    for (const std::int64_t bin : {1, 4, 7}) {
        const ks::Run made = run(engine->devices().front(), "", bin);
        const auto found = made.result.at("two_time").values.as<double>();
        for (std::size_t i = 0; i < frames * frames; ++i) {
            const double truth = all[static_cast<std::size_t>(bin - 1) * frames * frames + i];
            ASSERT_NEAR(found[i], truth, 1e-6 * truth) << "bin " << bin << " at " << i;
        }
    }
}

TEST_F(ReferenceData, a_variant_that_makes_no_map_refuses_to) {
    const ks::DeviceInfo device = engine->devices().front();
    if (device.index < 0) GTEST_SKIP() << "no OpenCL device";
    int without = 0;
    for (const ks::Offer& offer : engine->offers("xpcs", device)) {
        if (!offer.why_not.empty()) continue;
        try {
            EXPECT_NE(run(device, offer.variant.id, 2).result.find("two_time"), nullptr) << offer.variant.id;
        } catch (const ks::Error& error) {
            ++without;
            EXPECT_EQ(error.kind(), ks::ErrorKind::input);
            EXPECT_NE(
                std::string(error.what()).find("requires the bin of a two-time map to be none, found 2"),
                std::string::npos)
                << error.what();
        }
    }
    EXPECT_GT(without, 0);
}

}  // namespace
