#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

#include "tests/core/xpcs/oracle.h"

using ks::ElementType;
using ks::Error;
using ks::Progress;
using ks::QPartition;
using ks::xpcs::CorrelationProblem;

namespace {

/// Frames that are not in memory: read() counts its calls and the largest slab.
class CountedFrames : public ks::FrameSource {
  public:
    explicit CountedFrames(ks::Array stack) : frames_("counted", std::move(stack)) {}
    std::string name() const override { return "counted"; }
    std::string identity() const override { return "counted:1"; }
    std::size_t frames() const override { return frames_.frames(); }
    std::size_t height() const override { return frames_.height(); }
    std::size_t width() const override { return frames_.width(); }
    ElementType type() const override { return frames_.type(); }
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override {
        frames_read += count;
        largest_read = std::max(largest_read, into.size());
        frames_.read(first, count, into);
    }
    std::size_t frames_read = 0, largest_read = 0;

  private:
    ks::MemoryFrames frames_;
};

Case<std::uint16_t> small() {
    Case<std::uint16_t> made{5, 4, 6, {}, {}};
    for (std::size_t i = 0; i < 5 * 24; ++i) made.counts.push_back(static_cast<std::uint16_t>(i % 200));
    for (std::size_t i = 0; i < 24; ++i) made.labels.push_back(static_cast<std::int32_t>(i % 4));
    return made;
}

std::string message_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ks::ErrorKind::input) << error.what();
        return error.what();
    }
    return "(no error)";
}

TEST(Problem, TheCompactTypeIsTheSmallestThatHoldsTheCountsInBins) {
    auto given = small();
    EXPECT_EQ(given.problem()->compact(), ElementType::u8);
    given.counts[24] = 60000;  // label 0: in no bin
    EXPECT_EQ(given.problem()->compact(), ElementType::u8);
    EXPECT_EQ(given.problem()->max_count(), 119);
    given.counts[25] = 256;
    EXPECT_EQ(given.problem()->compact(), ElementType::u16);
    EXPECT_EQ(given.problem()->max_count(), 256);
}

TEST(Problem, FloatsThatAreWholeAreCompacted) {
    Case<float> given{2, 1, 3, {1, 2, 0.5F, 3, 70000, 7}, {1, 1, 0}};
    EXPECT_EQ(given.problem()->compact(), ElementType::u32);
    given.labels[2] = 1;
    EXPECT_EQ(given.problem()->compact(), ElementType::f32);
}

TEST(Problem, SaturatedPixelsLeaveTheirBinsForTheWholeRun) {
    auto given = small();
    given.counts[2 * 24 + 5] = 150;
    given.saturation = 150;
    const auto problem = given.problem();
    EXPECT_EQ(problem->invalid_pixels(), 1U);
    EXPECT_EQ(problem->partition().labels()[5], 0);
    EXPECT_EQ(problem->partition().bin_size(0), 5U);
    EXPECT_EQ(problem->max_count(), 119);
}

TEST(Problem, GatherPadsWithZerosBinByBin) {
    const auto given = small();
    const auto problem = given.problem();
    std::vector<float> out(3 * 2 * 8, -1.0F);
    problem->gather<float>(0, 3, 1, 2, 8, out.data());
    for (std::size_t bin = 0; bin < 3; ++bin)
        for (std::size_t t = 0; t < 2; ++t)
            for (std::size_t i = 0; i < 8; ++i) {
                const float expected = i < 6 ? given.counts[(t + 1) * 24 + i * 4 + bin + 1] : 0.0F;
                EXPECT_EQ(out[(bin * 2 + t) * 8 + i], expected) << bin << " " << t << " " << i;
            }
}

TEST(Problem, FramesOverTheBudgetAreReadInSlabsAndGatheredTheSame) {
    std::mt19937 random(1);
    const std::size_t frames = 12, height = 1024, width = 4096;
    std::vector<std::uint8_t> counts(frames * height * width);
    for (std::uint8_t& count : counts) count = static_cast<std::uint8_t>(random() % 7);
    std::vector<std::int32_t> labels(height * width);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % 3);
    const QPartition partition(height, width, labels);
    const auto source =
        std::make_shared<CountedFrames>(ks::Array::of<std::uint8_t>({frames, height, width}, counts));
    Progress progress;
    const CorrelationProblem streamed(source, partition, 1, 10, 0, std::nullopt, 1000, progress);
    EXPECT_TRUE(streamed.resident().empty());
    EXPECT_EQ(source->frames_read, 10U);
    EXPECT_LE(source->largest_read, std::size_t{40} << 20);
    const CorrelationProblem kept(source, partition, 1, 10, 0, std::nullopt, std::uint64_t{1} << 40,
                                  progress);
    EXPECT_EQ(kept.resident().size(), 10 * height * width);
    EXPECT_EQ(source->frames_read, 20U);
    EXPECT_EQ(kept.frames_key(), streamed.frames_key());

    std::vector<std::uint8_t> a(10 * partition.bin_size(1)), b(a.size());
    streamed.gather<std::uint8_t>(1, 2, 0, 10, 1, a.data());
    kept.gather<std::uint8_t>(1, 2, 0, 10, 1, b.data());
    EXPECT_EQ(a, b);
    EXPECT_EQ(a[partition.bin_size(1) + 3],
              counts[2 * height * width + partition.pixels()[partition.offsets()[1] + 3]]);

    std::vector<std::byte> frame(height * width);
    streamed.read(9, 1, frame);
    EXPECT_EQ(std::memcmp(frame.data(), counts.data() + 10 * height * width, frame.size()), 0);
}

TEST(Problem, KeysTellFilesRangesAndBinsApart) {
    const auto given = small();
    Progress progress;
    const auto source =
        std::make_shared<ks::MemoryFrames>("m", ks::Array::of<std::uint16_t>({5, 4, 6}, given.counts));
    auto labels = given.labels;
    const CorrelationProblem one(source, QPartition(4, 6, labels), 0, 5, 0, std::nullopt, 0, progress);
    const CorrelationProblem shorter(source, QPartition(4, 6, labels), 0, 4, 0, std::nullopt, 0, progress);
    labels[1] = 3;
    const CorrelationProblem other_bins(source, QPartition(4, 6, labels), 0, 5, 0, std::nullopt, 0, progress);
    EXPECT_NE(one.frames_key(), shorter.frames_key());
    EXPECT_EQ(one.partition_key(), shorter.partition_key());
    EXPECT_EQ(one.frames_key(), other_bins.frames_key());
    EXPECT_NE(one.partition_key(), other_bins.partition_key());
    EXPECT_NE(one.frames_key(), given.problem()->frames_key());
}

TEST(Problem, RefusesWhatCannotBeCorrelated) {
    auto given = small();
    Progress progress;
    const auto source =
        std::make_shared<ks::MemoryFrames>("m", ks::Array::of<std::uint16_t>({5, 4, 6}, given.counts));
    const QPartition partition(4, 6, given.labels);
    const auto make = [&](const QPartition& bins, std::size_t first, std::size_t frames, std::size_t map) {
        return message_of(
            [&] { CorrelationProblem(source, bins, first, frames, map, std::nullopt, 0, progress); });
    };
    EXPECT_NE(make(QPartition(6, 4, given.labels), 0, 5, 0).find("4 x 6, found 6 x 4"), std::string::npos);
    EXPECT_NE(make(QPartition(4, 6, std::vector<std::int32_t>(24, 0)), 0, 5, 0).find("all labels"),
              std::string::npos);
    EXPECT_NE(make(partition, 0, 6, 0).find("6 frames starting at frame 0"), std::string::npos);
    EXPECT_NE(make(partition, 3, 0, 0).find("no frames were selected"), std::string::npos);
    EXPECT_NE(make(partition, 0, 5, 4).find("from 1 to 3, found 4"), std::string::npos);
    given.saturation = 0.5;
    for (auto& count : given.counts) count = 1;
    EXPECT_NE(message_of([&] { given.problem(); }).find("invalid"), std::string::npos);
}

TEST(Problem, RefusesSumsThatCouldPass64Bits) {
    Case<std::uint32_t> given{3, 1, 4, std::vector<std::uint32_t>(12, 1), {1, 1, 1, 1}};
    given.counts[5] = 870'000'000;  // squared, 4 pixels, 3 frames: 9.08e18 < 2^63
    EXPECT_EQ(given.problem()->max_count(), 870'000'000);
    given.counts[5] = 880'000'000;  // 9.29e18
    const std::string message = message_of([&] { given.problem(); });
    for (const char* part : {"880000000", "4 pixels", "3 frames"})
        EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Problem, RefusesATwoTimeMapOver2GiB) {
    Case<std::uint8_t> given{16385, 1, 1, std::vector<std::uint8_t>(16385, 1), {1}};
    EXPECT_EQ(given.problem()->frames(), 16385U);
    given.two_time_bin = 1;
    EXPECT_NE(message_of([&] { given.problem(); }).find("2 GiB"), std::string::npos);
}

TEST(Problem, EmptyBinsAreNamedByRanges) {
    auto given = small();
    for (auto& label : given.labels) label = label == 2 ? 5 : label == 3 ? 9 : label;
    const ks::Result result = run_host(host_variant("host.reference"), *given.problem());
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_EQ(result.warnings[0], "6 of 9 bins are empty: 2 to 4, 6 to 8");
}

TEST(Problem, TheResultNamesEmptyBinsAndInvalidPixels) {
    auto given = small();
    for (auto& label : given.labels)
        if (label == 2) label = 0;
    given.counts[24 + 1] = 500;
    given.saturation = 400;
    const ks::Result result = run_host(host_variant("host.reference"), *given.problem());
    ASSERT_EQ(result.warnings.size(), 3U);
    EXPECT_EQ(result.warnings[0], "1 of 3 bins is empty: 2");
    EXPECT_EQ(result.warnings[1].substr(0, 15), "1 invalid pixel");
    EXPECT_EQ(result.warnings[2], "1 pixel is invalid only in frame 1");
    EXPECT_EQ(result.facts["invalid_pixels"], 1);
    EXPECT_EQ(result.facts["empty_bins"], 1);
    EXPECT_EQ(result.at("labels").values.as<std::int32_t>()[1], 0);
    EXPECT_EQ(result.at("labels").kind, ks::DataKind::overlay);
}

}  // namespace
