#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "core/io/open_frames.h"
#include "core/xpcs/generator.h"
#include "tests/core/xpcs/oracle.h"

using ks::Progress;
using ks::xpcs::SyntheticFrames;
using ks::xpcs::SyntheticSpec;

namespace {

TEST(SeedFrames, FillEveryBinOfTheNotebooksProblem) {
    SyntheticSpec spec;
    spec.frames = 3;
    Progress progress;
    const SyntheticFrames made = ks::xpcs::make_seed_frames(spec, progress);
    const auto labels = made.labels.as<std::int32_t>();
    // Sizes of the bins as the notebook prints them (its indptr).
    const std::vector<std::size_t> offsets{0,     305,   1245,  2809,  5013,  7825,  11277, 15361, 20069,
                                           25433, 31397, 36843, 41755, 45185, 47205, 48241, 48441};
    std::vector<std::size_t> sizes(16, 0);
    std::vector<double> sums(16, 0);
    for (std::size_t p = 0; p < labels.size(); ++p) {
        ++sizes[static_cast<std::size_t>(labels[p])];
        for (std::size_t t = 0; t < 3; ++t)
            sums[static_cast<std::size_t>(labels[p])] += made.stack.as<std::uint8_t>()[t * labels.size() + p];
    }
    for (std::size_t bin = 0; bin < 16; ++bin) {
        EXPECT_EQ(sizes[bin], offsets[bin + 1] - offsets[bin]) << bin;
        EXPECT_GT(sums[bin], 0) << bin;
    }
}

TEST(SeedFrames, HaveTheMeanOfTheirFormula) {
    SyntheticSpec spec;
    spec.frames = 400;
    spec.height = spec.width = 41;
    Progress progress;
    const SyntheticFrames made = ks::xpcs::make_seed_frames(spec, progress);
    const auto counts = made.stack.as<std::uint8_t>();
    const double r_max = std::hypot(20, 20);
    for (const std::size_t t : {0U, 37U, 399U}) {
        double expected = 0, found = 0;
        for (int i = 0; i < 41; ++i)
            for (int j = 0; j < 41; ++j) {
                const double r = std::hypot(i - 20, j - 20), q = std::floor(r / 10);
                const double s = 100.0 * static_cast<double>(t) / 399.0;
                expected += 1 + 10 * (1 - r / r_max) * 0.5 * (std::sin(q * s) + 1);
                found += counts[t * 1681 + static_cast<std::size_t>(i * 41 + j)];
            }
        EXPECT_NEAR(found, expected, 5 * std::sqrt(expected)) << t;
    }
}

TEST(SpeckleFrames, OfDiffusionHaveRatesProportionalToQSquared) {
    SyntheticSpec spec;
    spec.frames = 1;
    spec.height = spec.width = 61;
    spec.frame_time = 0.002;
    spec.diffusion = 3e6;
    Progress progress;
    const SyntheticFrames made = ks::xpcs::make_speckle_frames(spec, progress);
    ASSERT_EQ(made.gamma.size(), 4U);
    for (int bin = 1; bin <= 4; ++bin) {
        // 1.55 angstrom, 5 m, pixels of 55 um; the beam is at the centre of the middle pixel.
        double sum = 0;
        int pixels = 0;
        for (int i = -30; i <= 30; ++i)
            for (int j = -30; j <= 30; ++j) {
                const double r = std::sqrt(double(i * i + j * j));
                if (std::floor(r / 10) != bin) continue;
                sum += 4 * 3.14159265358979 / 1.55 * std::sin(std::atan(r * 55e-6 / 5) / 2);
                ++pixels;
            }
        const double q = sum / pixels;
        EXPECT_NEAR(made.gamma[static_cast<std::size_t>(bin - 1)], 3e6 * q * q * 0.002, 1e-9) << bin;
    }
}

TEST(SpeckleFrames, AreTheSameForTheSameSeedOnly) {
    SyntheticSpec spec;
    spec.frames = 20;
    spec.height = spec.width = 31;
    Progress progress;
    const auto one = ks::xpcs::make_speckle_frames(spec, progress),
               two = ks::xpcs::make_speckle_frames(spec, progress);
    EXPECT_EQ(one.stack, two.stack);
    spec.seed = 1;
    EXPECT_NE(one.stack, ks::xpcs::make_speckle_frames(spec, progress).stack);
}

/// Slope of a straight line through (x, y).
double slope(const std::vector<double>& x, const std::vector<double>& y) {
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += x[i] / static_cast<double>(x.size());
        mean_y += y[i] / static_cast<double>(x.size());
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        xx += (x[i] - mean_x) * (x[i] - mean_x);
    }
    return xy / xx;
}

TEST(SpeckleFrames, DecayWithTheRateOfTheirBin) {
    SyntheticSpec spec;
    spec.frames = 500;
    spec.height = spec.width = 71;
    spec.mean = 8;
    spec.contrast = 0.6;
    spec.gamma_min = 0.02;
    spec.gamma_max = 0.08;
    spec.type = ks::ElementType::u16;
    constexpr int seeds = 20;
    std::vector<double> found, contrast, gamma;
    for (int seed = 0; seed < seeds; ++seed) {
        spec.seed = static_cast<std::uint64_t>(seed);
        Progress progress;
        SyntheticFrames made = ks::xpcs::make_speckle_frames(spec, progress);
        gamma = made.gamma;
        const auto source = std::make_shared<ks::MemoryFrames>("speckle", std::move(made.stack));
        const ks::xpcs::CorrelationProblem problem(source, ks::QPartition::from_array(made.labels, "labels"),
                                                   0, spec.frames, 0, std::nullopt, 0, progress);
        const ks::Result result = run_host(host_variant("host.gram"), problem);
        const auto g2 = result.at("g2").values.as<double>();
        found.resize(gamma.size());
        contrast.resize(gamma.size());
        for (std::size_t bin = 0; bin < gamma.size(); ++bin) {
            std::vector<double> delays, logs;
            // Down to exp(-1.5): the tail is noise.
            for (std::size_t delay = 1; 2 * gamma[bin] * static_cast<double>(delay) < 1.5; ++delay) {
                delays.push_back(static_cast<double>(delay));
                logs.push_back(std::log(g2[bin * spec.frames + delay] - 1));
            }
            found[bin] += -0.5 * slope(delays, logs) / seeds;
            contrast[bin] += std::exp(logs.front() + 2 * gamma[bin]) / seeds;
        }
    }
    ASSERT_EQ(gamma.size(), 4U);
    EXPECT_EQ(gamma.front(), 0.02);
    EXPECT_EQ(gamma.back(), 0.08);
    for (std::size_t bin = 0; bin < gamma.size(); ++bin) {
        EXPECT_NEAR(found[bin], gamma[bin], 0.02 * gamma[bin]) << "bin " << bin + 1;
        EXPECT_NEAR(contrast[bin], 0.6, 0.03 * 0.6) << "bin " << bin + 1;
    }
}

class GeneratedFile : public testing::Test {
  protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() / ("ks-xpcs-generate-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::filesystem::path folder;
};

TEST_F(GeneratedFile, CanBeReadBackAndCorrelated) {
    const ks::Analysis analysis = ks::xpcs::make_analyses().front();
    const std::string file = (folder / "speckle.h5").string();
    Progress progress;
    analysis.generate({{"kind", std::string("speckle")},
                       {"frames", std::int64_t{30}},
                       {"height", std::int64_t{41}},
                       {"width", std::int64_t{51}},
                       {"frame_time", 0.5},
                       {"type", std::string("u16")}},
                      file, false, progress);
    const auto source = ks::io::open_frames(file);
    EXPECT_EQ(source->frames(), 30U);
    EXPECT_EQ(source->height(), 41U);
    EXPECT_EQ(source->type(), ks::ElementType::u16);
    EXPECT_EQ(source->frame_time(), 0.5);
    EXPECT_EQ(ks::io::read_array(file + "::/entry/truth/gamma", 1).to_doubles().front(), 0.005);
    EXPECT_EQ(ks::io::read_array(file + "::/entry/truth/beta", 1).to_doubles().front(), 0.2);

    ks::Request request;
    request.inputs = {{"frames", {file}}, {"partition", {file + "::/entry/qmask"}}};
    const auto problem = analysis.load(request, progress, nullptr);
    const auto& loaded = dynamic_cast<const ks::xpcs::CorrelationProblem&>(*problem);
    EXPECT_EQ(loaded.partition().bins(), 3U);
    EXPECT_EQ(loaded.frame_time, 0.5);
    const ks::Result result = run_host(host_variant("host.reference"), loaded);
    EXPECT_EQ(result.at("delay_time").values.as<double>()[4], 2.0);
}

TEST_F(GeneratedFile, ReplacesAnotherOnlyWhenAsked) {
    const ks::Analysis analysis = ks::xpcs::make_analyses().front();
    const ks::ParameterSet small{
        {"frames", std::int64_t{2}}, {"height", std::int64_t{31}}, {"width", std::int64_t{31}}};
    Progress progress;
    analysis.generate(small, folder / "a.h5", false, progress);
    EXPECT_THROW(analysis.generate(small, folder / "a.h5", false, progress), ks::Error);
    analysis.generate(small, folder / "a.h5", true, progress);
    EXPECT_THROW(analysis.generate({{"ring_width", 500.0}}, folder / "b.h5", false, progress), ks::Error);
    EXPECT_THROW(analysis.generate({{"frames", std::int64_t{0}}}, folder / "b.h5", false, progress),
                 ks::Error);
    EXPECT_FALSE(std::filesystem::exists(folder / "b.h5"));
}

}  // namespace
