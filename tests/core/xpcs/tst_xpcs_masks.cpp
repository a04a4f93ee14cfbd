// Pixels that a file's own mask, a given mask or the saturation leaves out of g2.

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "core/run/run.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/xpcs/oracle.h"

namespace xpcs_masks_test {

using ks::Array;
using ks::Request;
using ks::Result;
using ks::tests::contains;
using ks::tests::TestFile;
using ks::xpcs::CorrelationProblem;

namespace {

constexpr hsize_t frames = 60, height = 24, width = 32, pixels = height * width;
const char* const mask_path = "/entry/instrument/detector/pixel_mask";
const char* const saturation_path = "/entry/instrument/detector/saturation_value";

std::shared_ptr<const CorrelationProblem> load(const Request& request,
                                               std::shared_ptr<const CorrelationProblem> previous = nullptr) {
    ks::Progress progress;
    return std::dynamic_pointer_cast<const CorrelationProblem>(
        ks::xpcs::make_analyses().front().load(request, progress, std::move(previous)));
}

Result run(const Request& request) {
    return run_host(host_variant("host.reference"), *load(request));
}

double g2_of_first_delay(const Result& result) {
    return result.at("g2").values.to_doubles()[1];
}

/// Frames without any correlation, of one bin: g2 is 1. Some pixels are hot.
class XpcsMasks : public ks::tests::IoTest {
  protected:
    XpcsMasks() : values(frames * pixels), file(at("series.h5")) {
        std::mt19937 random(5);
        std::poisson_distribution<int> counts(6);
        for (std::uint16_t& value : values) value = static_cast<std::uint16_t>(counts(random));
    }
    void heat(const std::vector<std::size_t>& which, std::uint16_t count) {
        for (const std::size_t pixel : which)
            for (std::size_t t = 0; t < frames; ++t) values[t * pixels + pixel] = count;
    }
    /// @param masked pixels of the file's own mask; it has none where there are none
    void write(const std::vector<std::size_t>& masked = {}, double saturation = 0,
               hsize_t mask_width = width) {
        TestFile made(file);
        made.make("/entry/data/data", H5T_STD_U16LE, {frames, height, width}, values.data(),
                  H5T_NATIVE_UINT16);
        made.group("/entry/instrument/detector", "NXdetector");
        if (saturation > 0) made.number(saturation_path, saturation);
        if (masked.empty()) return;
        std::vector<std::uint32_t> mask(height * mask_width, 0);
        for (const std::size_t pixel : masked) mask[pixel] = 8;
        made.make(mask_path, H5T_STD_U32LE, {height, mask_width}, mask.data(), H5T_NATIVE_UINT32);
    }
    /// All pixels but those of the first row are one bin.
    Request request(const ks::ParameterSet& parameters = {}) const {
        Request made;
        made.analysis = "xpcs";
        made.inputs["frames"] = {file, {}};
        std::vector<std::int32_t> labels(pixels, 1);
        std::fill_n(labels.begin(), width, 0);
        made.inputs["partition"] = {"drawn", Array::of<std::int32_t>({height, width}, labels)};
        made.parameters = parameters;
        return made;
    }
    static std::size_t at_row(std::size_t y, std::size_t x) { return y * width + x; }

    std::vector<std::uint16_t> values;  ///< [frame][y][x]
    std::string file;
    const std::vector<std::size_t> hot = {at_row(0, 3), at_row(5, 7), at_row(5, 8), at_row(20, 31)};
};

TEST_F(XpcsMasks, hot_pixels_that_the_files_own_mask_tells_of_are_in_no_bin) {
    heat(hot, 3000);
    write(hot);
    const Result masked = run(request());
    EXPECT_NEAR(g2_of_first_delay(masked), 1, 0.001);
    EXPECT_EQ(masked.facts["masked_pixels"], 4);
    EXPECT_EQ(masked.facts["masked_by_file"], 4);
    EXPECT_EQ(masked.facts["masked_by_input"], 0);
    EXPECT_EQ(masked.facts["masked_in_bins"], 3) << "the pixel of the first row is in no bin anyway";
    EXPECT_EQ(masked.facts["pixels"], pixels - width - 3);
    EXPECT_EQ(masked.facts["max_count"].get<double>() < 100, true);
    EXPECT_EQ(masked.at("labels").values.as<std::int32_t>()[hot[1]], 0);
    const Result all = run(request({{"file_mask", false}}));
    EXPECT_GT(g2_of_first_delay(all), 10) << "the hot pixels must be what the mask is for";
    EXPECT_EQ(all.facts["masked_pixels"], 0);
}

TEST_F(XpcsMasks, every_host_variant_leaves_the_same_pixels_out) {
    heat(hot, 3000);
    write(hot);
    const auto problem = load(request());
    for (const ks::HostVariant& variant : ks::xpcs::host_variants())
        EXPECT_NEAR(g2_of_first_delay(run_host(variant, *problem)), 1, 0.001) << variant.info.id;
}

TEST_F(XpcsMasks, a_given_mask_comes_on_top_of_the_files) {
    heat(hot, 3000);
    write({hot[0], hot[1]});
    Request given = request();
    EXPECT_GT(g2_of_first_delay(run(given)), 2);
    std::vector<std::uint8_t> mask(pixels, 0);
    mask[hot[1]] = mask[hot[2]] = mask[hot[3]] = 1;
    given.inputs["mask"] = {"", Array::of<std::uint8_t>({height, width}, mask)};
    const Result result = run(given);
    EXPECT_NEAR(g2_of_first_delay(result), 1, 0.001);
    EXPECT_EQ(result.facts["masked_pixels"], 4) << "the pixel of both masks counts once";
    EXPECT_EQ(result.facts["masked_by_file"], 2);
    EXPECT_EQ(result.facts["masked_by_input"], 3);
    given.inputs["mask"] = {"", Array::of<std::uint32_t>({2, 2}, {static_cast<std::uint32_t>(hot[1]), 2,
                                                                  static_cast<std::uint32_t>(hot[3]), 1})};
    EXPECT_NEAR(g2_of_first_delay(run(given)), 1, 0.001) << "runs of pixels";
    given.inputs["mask"] = {file + "::" + mask_path, {}};
    given.parameters["file_mask"] = false;
    EXPECT_EQ(run(given).facts["masked_by_input"], 2) << "a mask by name";
}

TEST_F(XpcsMasks, a_pixel_that_passes_the_files_saturation_in_any_frame_leaves_its_bin) {
    values[7 * pixels + at_row(9, 9)] = 4001;
    values[8 * pixels + at_row(9, 10)] = 4000;
    write({}, 4000);  // the last valid count
    const auto problem = load(request());
    EXPECT_EQ(problem->saturated_pixels(), 1u);
    EXPECT_EQ(problem->partition().labels()[at_row(9, 9)], 0);
    EXPECT_EQ(problem->partition().labels()[at_row(9, 10)], 1);
    const Result result = run(request());
    EXPECT_EQ(result.facts["saturated_pixels"], 1);
    ASSERT_EQ(result.warnings.size(), 2u);
    EXPECT_TRUE(contains(result.warnings[0], {"1 invalid pixel", "saturated"}));
    EXPECT_EQ(result.warnings[1], "1 pixel is invalid only in frame 7");
    // A parameter names the first invalid count, and replaces what the file says.
    EXPECT_EQ(run(request({{"saturation", 4000.0}})).facts["saturated_pixels"], 2);
    EXPECT_EQ(run(request({{"saturation", 4002.0}})).facts["saturated_pixels"], 0);
    EXPECT_EQ(run(request({{"last_frame", std::int64_t{6}}})).facts["saturated_pixels"], 0)
        << "only frames of the run count";
}

TEST_F(XpcsMasks, marks_that_nothing_leaves_out_are_warned_of_and_counted) {
    heat({hot[0], hot[1], hot[2]}, 65535);
    write();
    const Result result = run(request());
    ASSERT_EQ(result.warnings.size(), 1u);
    EXPECT_TRUE(contains(result.warnings[0], {"2 pixels in bins", "65535", "u16", "mask", "saturation"}));
    EXPECT_TRUE(run(request({{"saturation", 65535.0}})).warnings[0].starts_with("2 invalid pixels"));
    write({hot[0], hot[1], hot[2]});
    EXPECT_TRUE(run(request()).warnings.empty());
    heat({hot[0], hot[1], hot[2]}, 65534);
    write();
    EXPECT_TRUE(run(request()).warnings.empty());
}

TEST_F(XpcsMasks, the_highest_value_marks_unsigned_counts_only) {
    EXPECT_EQ(ks::io::marking_value(ks::ElementType::u8), 255);
    EXPECT_EQ(ks::io::marking_value(ks::ElementType::u16), 65535);
    EXPECT_EQ(ks::io::marking_value(ks::ElementType::u32), 4294967295.0);
    for (const auto type : {ks::ElementType::i16, ks::ElementType::i32, ks::ElementType::f32})
        EXPECT_FALSE(ks::io::marking_value(type).has_value());
}

TEST_F(XpcsMasks, masks_that_do_not_fit_are_refused) {
    write({3}, 0, width + 1);
    EXPECT_TRUE(contains(ks::tests::input_error([&] { load(request()); }),
                         {"series.h5::/entry/instrument/detector/pixel_mask", "24 x 32", "24 x 33"}));
    EXPECT_EQ(load(request({{"file_mask", false}}))->masked_in_bins, 0u);
    write();
    Request drawn = request();
    drawn.inputs["mask"] = {"drawn", Array(ks::ElementType::u8, {width, height})};
    EXPECT_TRUE(contains(ks::tests::input_error([&] { load(drawn); }), {"drawn", "24 x 32", "32 x 24"}));
    std::vector<std::uint8_t> all(pixels, 1);
    drawn.inputs["mask"] = {"drawn", Array::of<std::uint8_t>({height, width}, all)};
    EXPECT_TRUE(contains(ks::tests::input_error([&] { load(drawn); }), {"all 736 pixels in bins"}));
}

TEST_F(XpcsMasks, another_mask_of_the_same_frames_reads_no_frame_again) {
    write({hot[1]});
    const auto first = load(request());
    const auto without = load(request({{"file_mask", false}}), first);
    EXPECT_EQ(without->scan(), first->scan());
    EXPECT_NE(without->partition_key(), first->partition_key());
    const auto again = load(request(), first);
    EXPECT_EQ(again->ignored, first->ignored) << "the masks are the same, too";
}

TEST_F(XpcsMasks, the_summary_counts_what_is_masked_and_by_what) {
    write({hot[0], hot[1]});
    ks::Run made;
    made.result = run(request());
    EXPECT_TRUE(contains(ks::xpcs::make_analyses().front().summary(made),
                         {"2 masked pixels (2 by the file's mask, 0 by the input mask), 1 of them in bins"}));
}

}  // namespace

}  // namespace xpcs_masks_test
