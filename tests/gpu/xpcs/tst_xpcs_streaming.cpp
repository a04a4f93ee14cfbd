// A stack over the memory budget is streamed, and the bytes of the result do not depend on the budget.

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "core/run/engine.h"
#include "core/xpcs/problem.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/xpcs/launch.h"
#include "tests/gpu/variant_table.h"
#include "tests/time_limit.h"

namespace {

constexpr std::uint64_t mib = 1 << 20;

/// Frames made on demand from their number: a stack of any size without memory.
class EndlessFrames : public ks::FrameSource {
  public:
    EndlessFrames(std::size_t frames, std::size_t height, std::size_t width)
        : frames_(frames), height_(height), width_(width) {}
    std::string name() const override { return "made on demand"; }
    std::string identity() const override { return "endless:" + std::to_string(frames_); }
    std::size_t frames() const override { return frames_; }
    std::size_t height() const override { return height_; }
    std::size_t width() const override { return width_; }
    ks::ElementType type() const override { return ks::ElementType::u8; }
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        for (std::size_t t = 0; t < count; ++t) {
            std::uint64_t state = (first + t + 1) * 0x9E3779B97F4A7C15u;
            for (std::size_t p = 0; p < pixels(); ++p) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                into[t * pixels() + p] = static_cast<std::byte>((state >> 59) + (p + first + t) % 5);
            }
        }
    }

  private:
    std::size_t frames_, height_, width_;
};

std::vector<const char*> that_stream(ks::Streaming streaming) {
    return ks::tests::ids_of(ks::gpu::xpcs::cl_variants(), [streaming](const ks::Variant& variant) {
        return variant.streaming == streaming;
    });
}
std::string streaming() {
    return that_stream(ks::Streaming::time_slabs).front();
}

class Streaming : public ::testing::Test {
  protected:
    void SetUp() override {
        auto registry = std::make_shared<const ks::Registry>();
        std::vector<std::unique_ptr<ks::Backend>> backends;
        backends.push_back(ks::gpu::make_opencl_backend());
        backends.push_back(std::make_unique<ks::HostBackend>(registry->host_variants()));
        engine = std::make_unique<ks::Engine>(registry, std::move(backends));
        if (engine->devices().front().index < 0) GTEST_SKIP() << "no OpenCL device";
    }

    std::shared_ptr<const ks::Problem> problem(const ks::QPartition& partition, std::size_t frames,
                                               std::uint64_t keep,
                                               const std::vector<std::size_t>& left_out = {}) {
        ks::Progress progress;
        auto scan = std::make_shared<ks::xpcs::FrameScan>(
            std::make_shared<EndlessFrames>(frames, partition.height(), partition.width()),
            ks::io::FrameRange{0, frames, left_out}, keep, progress);
        return std::make_shared<ks::xpcs::CorrelationProblem>(scan, partition, 0, std::nullopt, progress);
    }

    ks::Run run(std::shared_ptr<const ks::Problem> problem, std::optional<std::uint64_t> limit = {},
                const std::string& variant = streaming(), std::map<std::string, std::string> defines = {}) {
        ks::Request request;
        request.analysis = "xpcs";
        request.variant = variant;
        request.memory_limit = limit;
        request.defines = std::move(defines);
        ks::Progress progress([this](double fraction, const std::string&) { fractions.push_back(fraction); });
        return engine->run(request, std::move(problem), progress);
    }

    static void expect_same_bytes(const ks::Run& a, const ks::Run& b) {
        EXPECT_TRUE(a.result.at("g2").values == b.result.at("g2").values);
        EXPECT_TRUE(a.result.at("g2_err").values == b.result.at("g2_err").values);
    }

    std::unique_ptr<ks::Engine> engine;
    std::vector<double> fractions;
};

TEST_F(Streaming, groups_of_bins_under_64_mib_give_the_bytes_of_the_resident_run) {
    // 1100 frames of 256 x 256: 72 MB raw, over the limit of 64 MiB
    const auto partition = ks::QPartition::from_rings(256, 256, {128, 128, 4, 12, 9});
    const ks::Run whole = run(problem(partition, 1100, 1024 * mib), 2048 * mib);
    const ks::Run cut = run(problem(partition, 1100, 1 * mib), 64 * mib);
    EXPECT_LE(cut.device_bytes_peak, 64 * mib);
    EXPECT_GT(whole.device_bytes_peak, 64 * mib);
    expect_same_bytes(whole, cut);
}

TEST_F(Streaming, a_bin_too_large_for_the_budget_is_cut_in_time_and_gives_the_same_bytes) {
    std::vector<std::int32_t> labels(120 * 120, 2);
    for (std::size_t p = 0; p < 300; ++p) labels[p] = 1;
    const ks::QPartition partition(120, 120, labels);
    for (const char* fp64 : {"1", "0"}) {
        const ks::Run whole =
            run(problem(partition, 700, 1024 * mib), 1024 * mib, streaming(), {{"FP64", fp64}});
        for (const std::uint64_t limit : {12 * mib, 7 * mib}) {
            const ks::Run cut = run(problem(partition, 700, 1 * mib), limit, streaming(), {{"FP64", fp64}});
            EXPECT_LE(cut.device_bytes_peak, limit);
            expect_same_bytes(whole, cut);
        }
    }
}

TEST_F(Streaming, without_some_frames_the_bytes_are_those_of_the_resident_run) {
    const ks::QPartition partition(120, 120, std::vector<std::int32_t>(120 * 120, 1));
    const std::vector<std::size_t> left_out{0, 99, 100, 101, 250, 299};
    const ks::Run whole = run(problem(partition, 300, 1024 * mib, left_out), 1024 * mib),
                  cut = run(problem(partition, 300, 1 * mib, left_out), 7 * mib),
                  all = run(problem(partition, 300, 1024 * mib), 1024 * mib);
    EXPECT_LE(cut.device_bytes_peak, 7 * mib);
    expect_same_bytes(whole, cut);
    EXPECT_NE(whole.result.at("g2").values, all.result.at("g2").values);
}

TEST_F(Streaming, progress_moves_and_ends_at_one) {
    const auto partition = ks::QPartition::from_rings(128, 128, {64, 64, 0, 16, 4});
    run(problem(partition, 900, 1 * mib), 6 * mib);
    ASSERT_GE(fractions.size(), 3u);
    EXPECT_NEAR(fractions.back(), 1.0, 1e-9);
}

TEST_F(Streaming, a_budget_too_small_for_one_row_of_tiles_is_refused_with_the_smallest_that_would_do) {
    const auto partition = ks::QPartition::from_rings(256, 256, {128, 128, 0, 128, 1});
    try {
        run(problem(partition, 300, 1 * mib), 1 * mib);
        FAIL() << "no error";
    } catch (const ks::Error& error) {
        EXPECT_EQ(error.kind(), ks::ErrorKind::input);
        EXPECT_NE(std::string(error.what()).find("at least"), std::string::npos) << error.what();
    }
}

TEST_F(Streaming, the_published_kernels_are_resident_only_and_say_so) {
    const auto partition = ks::QPartition::from_rings(128, 128, {64, 64, 0, 16, 4});
    for (const char* variant : that_stream(ks::Streaming::resident)) try {
            run(problem(partition, 900, 1 * mib), 8 * mib, variant);
            FAIL() << "no error";
        } catch (const ks::Error& error) {
            EXPECT_NE(std::string(error.what()).find("all frames on the device at once"), std::string::npos);
        }
}

TEST_F(Streaming, cancel_stops_a_streamed_run_within_a_second) {
    const auto partition = ks::QPartition::from_rings(256, 256, {128, 128, 0, 12, 10});
    const auto prepared = problem(partition, 3000, 1 * mib);
    ks::Request request;
    request.analysis = "xpcs";
    request.variant = streaming();
    request.memory_limit = 48 * mib;
    std::chrono::steady_clock::time_point asked;
    ks::Progress progress;
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        asked = std::chrono::steady_clock::now();
        progress.cancel();
    });
    EXPECT_THROW(engine->run(request, prepared, progress), ks::Error);
    const auto waited = std::chrono::steady_clock::now() - asked;
    stopper.join();
    EXPECT_LT(waited, ks::tests::time_limit(std::chrono::seconds(1)));
}

TEST_F(Streaming, frames_stay_on_the_device_between_runs) {
    const auto partition = ks::QPartition::from_rings(128, 128, {64, 64, 0, 16, 4});
    const auto same = problem(partition, 300, 1024 * mib);
    const auto uploads = [](const ks::Run& r) {
        for (const ks::Timing& row : r.timings)
            if (row.stage == "upload frames") return true;
        return false;
    };
    // A device that works in the host's memory reads them there.
    EXPECT_EQ(uploads(run(same)), engine->devices().front().type != "CPU");
    EXPECT_FALSE(uploads(run(same)));
    const auto other = ks::QPartition::from_rings(128, 128, {64, 64, 0, 8, 6});
    EXPECT_FALSE(uploads(run(problem(other, 300, 1024 * mib)))) << "a changed mask uploads nothing again";
}

}  // namespace
