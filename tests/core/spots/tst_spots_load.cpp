#include "core/spots/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/spots/parameters.h"
#include "tests/beamline_files.h"
#include "tests/core/io/io_fixture.h"

using namespace ks;
using namespace ks::spots;

namespace ks::tests {
namespace {

constexpr hsize_t frames = 4, height = 20, width = 30;

Request request_of(const std::string& name, const ParameterSet& given = {}) {
    Request request;
    request.analysis = "spots";
    request.inputs["frames"] = {name, {}};
    request.parameters = checked(analysis_info().parameters, given);
    return request;
}

std::shared_ptr<const SpotProblem> load(const Request& request, std::shared_ptr<const Problem> before = {}) {
    Progress progress;
    return load_problem(request, progress, std::move(before));
}

class SpotsLoad : public IoTest {
  protected:
    SpotsLoad() { file = at("scan.h5"); }

    /// Frames of a ramp; a mask of u32 that ignores pixel `masked`, where it is one.
    void make(int masked = -1, hsize_t mask_width = width) {
        TestFile made(file);
        made.ramp("/entry/data/data", {frames, height, width});
        made.group("/entry/instrument/detector", "NXdetector");
        if (masked < 0) return;
        std::vector<std::uint32_t> mask(height * mask_width, 0);
        mask[static_cast<std::size_t>(masked)] = 1U << 31;
        made.make("/entry/instrument/detector/pixel_mask", H5T_STD_U32LE, {height, mask_width}, mask.data(),
                  H5T_NATIVE_UINT32);
    }
    /// A dataset of a file of its own with ones at some pixels.
    template <class T>
    std::string mask_file(const std::string& name, hid_t stored, hid_t memory,
                          const std::vector<std::size_t>& ones, T one = 1) {
        std::vector<T> mask(height * width, 0);
        for (const std::size_t pixel : ones) mask[pixel] = one;
        TestFile made(at(name));
        made.make("/mask", stored, {height, width}, mask.data(), memory);
        return at(name);
    }
    Request with_mask(const std::string& name, const ParameterSet& given = {}) {
        Request request = request_of(file + "::/entry/data/data", given);
        request.inputs["mask"] = {name, {}};
        return request;
    }
    static std::vector<std::size_t> ignored(const SpotProblem& problem) {
        std::vector<std::size_t> pixels;
        for (std::size_t i = 0; i < problem.ignore().size(); ++i)
            if (problem.ignore()[i] != 0) pixels.push_back(i);
        return pixels;
    }
    std::string refusal(const Request& request) {
        return input_error([&] { load(request); });
    }
    using Pixels = std::vector<std::size_t>;
    std::string file;
};

TEST_F(SpotsLoad, the_files_own_mask_is_used_unless_told_otherwise) {
    make(17);
    EXPECT_EQ(ignored(*load(request_of(file + "::/entry/data/data"))), Pixels{17});
    EXPECT_EQ(ignored(*load(request_of(file + "::/entry/data/data", {{"file_mask", false}}))), Pixels{});
}

TEST_F(SpotsLoad, frames_are_left_out_by_their_numbers_in_the_series) {
    make();
    const auto one = load(request_of(file, {{"leave_out", "0,2-3"}, {"first_frame", std::int64_t{1}}}));
    ASSERT_EQ(one->frames(), 3U);
    EXPECT_FALSE(one->left_out(0));
    EXPECT_TRUE(one->left_out(1) && one->missing(1) && one->left_out(2));
    EXPECT_EQ(one->notices,
              std::vector<std::string>{"leave_out lists frame 0, but only frames 1 to 3 are used"});
    const auto again = load(request_of(file, {{"leave_out", "3,2"}, {"first_frame", std::int64_t{1}}}), one);
    EXPECT_EQ(again->shared(), one->shared());
    const auto other = load(request_of(file, {{"leave_out", "2"}, {"first_frame", std::int64_t{1}}}), one);
    EXPECT_FALSE(other->left_out(2));
    EXPECT_NE(other->shared()->key(), one->shared()->key());
    EXPECT_EQ(other->part(1, 3)->shared()->left_out(), 1U);
    EXPECT_TRUE(other->part(1, 3)->left_out(0));
    EXPECT_TRUE(contains(refusal(request_of(file, {{"leave_out", "0-3"}})), {"leave_out", "all 4 frames"}));
    EXPECT_TRUE(contains(refusal(request_of(file, {{"leave_out", "3-1"}})), {"leave_out", "write 1-3"}));
    EXPECT_TRUE(
        contains(refusal(request_of(file, {{"leave_out", "4"}})), {"leave_out", "frame 4", "0 to 3"}));
}

TEST_F(SpotsLoad, a_given_mask_comes_on_top_of_the_files) {
    make(17);
    const std::string mask =
        mask_file<std::int16_t>("mask.h5", H5T_STD_I16LE, H5T_NATIVE_INT16, {3, 17, 599}, -2);
    EXPECT_EQ(ignored(*load(with_mask(mask))), (Pixels{3, 17, 599}));
    EXPECT_EQ(ignored(*load(with_mask(mask + "::/mask", {{"file_mask", false}}))), (Pixels{3, 17, 599}));
    const std::string other = mask_file<std::uint8_t>("other.h5", H5T_STD_U8LE, H5T_NATIVE_UINT8, {5}, 255);
    EXPECT_EQ(ignored(*load(with_mask(other))), (Pixels{5, 17}));
}

TEST_F(SpotsLoad, a_file_with_a_detector_mask_can_be_named_as_the_mask) {
    make(44);
    EXPECT_EQ(ignored(*load(with_mask(file, {{"file_mask", false}}))), Pixels{44});
}

TEST_F(SpotsLoad, a_mask_comes_as_an_image_or_as_runs) {
    make();
    Request request = request_of(file + "::/entry/data/data");
    std::vector<std::uint8_t> image(height * width, 0);
    image[7] = 9;
    request.inputs["mask"] = {"", Array::of<std::uint8_t>({height, width}, image)};
    EXPECT_EQ(ignored(*load(request)), Pixels{7});
    request.inputs["mask"] = {"", Array::of<std::uint32_t>({3, 2}, {2, 3, 29, 2, 598, 2})};
    EXPECT_EQ(ignored(*load(request)), (Pixels{2, 3, 4, 29, 30, 598, 599}));
    request.inputs["mask"] = {"", Array::of<std::uint32_t>({0, 2}, std::vector<std::uint32_t>{})};
    EXPECT_EQ(ignored(*load(request)), Pixels{});
    request.inputs["mask"] = {"drawn", Array::of<std::uint32_t>({1, 2}, {599, 2})};
    EXPECT_TRUE(contains(refusal(request), {"drawn", "601", "600"}));
    request.inputs["mask"] = {"drawn", Array::of<std::uint32_t>({1, 2}, {4294967295U, 4294967295U})};
    EXPECT_TRUE(contains(refusal(request), {"drawn"}));
    request.inputs["mask"] = {"drawn", Array::of<float>({height, width}, std::vector<float>(600, 1))};
    EXPECT_TRUE(contains(refusal(request), {"drawn", "u8", "f32"}));
    request.inputs["mask"] = {"drawn", Array(ElementType::u8, {30, 20})};
    EXPECT_TRUE(contains(refusal(request), {"drawn", "20 x 30", "30 x 20"}));
}

TEST_F(SpotsLoad, masks_that_do_not_fit_are_refused_by_file_and_object) {
    make(5, width + 1);
    EXPECT_TRUE(
        contains(refusal(request_of(file + "::/entry/data/data")),
                 {"scan.h5::/entry/instrument/detector/pixel_mask", "20 x 30", "20 x 31", "file_mask"}));
    EXPECT_EQ(ignored(*load(request_of(file + "::/entry/data/data", {{"file_mask", false}}))), Pixels{});
    make();
    {
        TestFile other(at("other.h5"));
        other.ramp("/wide", {height, width + 1});
        other.ramp("/cube", {2, height, width});
        const std::vector<float> ones(height * width, 1);
        other.make("/weights", H5T_IEEE_F32LE, {height, width}, ones.data(), H5T_NATIVE_FLOAT);
        const std::vector<std::uint8_t> all(height * width, 1);
        other.make("/all", H5T_STD_U8LE, {height, width}, all.data(), H5T_NATIVE_UINT8);
    }
    const std::string other = at("other.h5");
    EXPECT_TRUE(contains(refusal(with_mask(other + "::/wide")), {"other.h5::/wide", "20 x 30", "20 x 31"}));
    EXPECT_TRUE(contains(refusal(with_mask(other + "::/cube")),
                         {"other.h5::/cube", "a mask per frame, [2, 20, 30]"}));
    EXPECT_TRUE(
        contains(refusal(with_mask(other + "::/weights")), {"other.h5::/weights", "integers", "f32"}));
    EXPECT_TRUE(contains(refusal(with_mask(other + "::/all")), {"all 600 pixels"}));
    EXPECT_TRUE(contains(refusal(with_mask(other)), {"other.h5", "/wide", "/weights"}));
    EXPECT_TRUE(contains(refusal(with_mask(at("absent.h5"))), {"absent.h5"}));
}

TEST_F(SpotsLoad, counts_over_what_the_file_says_are_invalid_unless_a_parameter_says_otherwise) {
    {
        TestFile made(file);
        made.ramp("/entry/data/data", {frames, height, width});
        made.number("/entry/instrument/detector/saturation_value", 100);
    }
    // A file names the largest valid count, the parameter the smallest invalid one.
    EXPECT_EQ(load(request_of(file))->limit(), 101);
    EXPECT_EQ(load(request_of(file, {{"saturation", 50.0}}))->limit(), 50);
    make();
    EXPECT_EQ(load(request_of(file))->limit(), std::numeric_limits<double>::infinity());
}

TEST_F(SpotsLoad, a_saturation_between_floats_excludes_what_is_above_and_nothing_else) {
    {
        const std::vector<float> values(height * width, 1);
        TestFile made(file);
        made.make("/entry/data/data", H5T_IEEE_F32LE, {1, height, width}, values.data(), H5T_NATIVE_FLOAT);
        made.number("/entry/instrument/detector/saturation_value", 0.1);
    }
    const double limit = load(request_of(file))->limit();
    const float above = 0.1F;  // 0.100000001
    EXPECT_GT(static_cast<double>(above), 0.1);
    EXPECT_FALSE(static_cast<double>(above) < limit);
    EXPECT_LT(static_cast<double>(std::nextafter(above, 0.0F)), limit);
}

TEST_F(SpotsLoad, frames_that_were_never_written_are_missing_and_not_zero) {
    {
        TestFile made(file);
        made.make("/data", H5T_STD_U16LE, {5, height, width}, nullptr, -1, {1, height, width});
        const hid_t set = H5Dopen2(made.id(), "/data", H5P_DEFAULT), space = H5Dget_space(set);
        const std::vector<std::uint16_t> values(height * width, 3);
        for (const hsize_t k : {hsize_t{1}, hsize_t{4}}) {
            const hsize_t start[3] = {k, 0, 0}, block[3] = {1, height, width};
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
            const hid_t memory = H5Screate_simple(3, block, nullptr);
            H5Dwrite(set, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, values.data());
            H5Sclose(memory);
        }
        H5Sclose(space);
        H5Dclose(set);
    }
    const auto problem = load(request_of(file));
    EXPECT_EQ(problem->shared()->missing(), 3u);
    for (const std::size_t k : {0u, 2u, 3u}) EXPECT_TRUE(problem->missing(k)) << k;
    std::vector<std::byte> scratch;
    EXPECT_EQ(problem->shared()->frame(4, scratch).size(), height * width * 2);
    const std::string all =
        refusal(request_of(file, {{"first_frame", std::int64_t{2}}, {"last_frame", std::int64_t{3}}}));
    EXPECT_TRUE(contains(all, {"scan.h5", "all frames are missing (2)"}));
}

TEST_F(SpotsLoad, other_thresholds_and_masks_of_the_same_frames_read_nothing_again) {
    make(17);
    const std::string mask = mask_file<std::uint8_t>("mask.h5", H5T_STD_U8LE, H5T_NATIVE_UINT8, {3});
    const auto first = load(with_mask(mask));
    const auto slid = load(with_mask(mask, {{"sigma_b", 4.0}}), first);
    EXPECT_EQ(slid->shared(), first->shared());
    EXPECT_EQ(slid->mask_key(), first->mask_key());
    EXPECT_EQ(slid->thresholds().sigma_b, 4);
    const auto unmasked = load(request_of(file + "::/entry/data/data"), slid);
    EXPECT_EQ(unmasked->shared(), first->shared());
    EXPECT_EQ(ignored(*unmasked), Pixels{17});
    const auto part = load(with_mask(mask, {{"last_frame", std::int64_t{2}}}), first);
    EXPECT_NE(part->shared(), first->shared());
    Request small = with_mask(mask);
    small.memory_limit = 100;
    EXPECT_NE(load(small, first)->shared(), first->shared()) << "frames were kept beyond the limit";
}

TEST_F(SpotsLoad, a_mask_file_that_changed_is_read_again) {
    make();
    const std::string mask = mask_file<std::uint8_t>("mask.h5", H5T_STD_U8LE, H5T_NATIVE_UINT8, {3});
    const auto first = load(with_mask(mask));
    mask_file<std::uint8_t>("mask.h5", H5T_STD_U8LE, H5T_NATIVE_UINT8, {4});
    std::filesystem::last_write_time(mask, std::filesystem::last_write_time(mask) + std::chrono::seconds(2));
    EXPECT_EQ(ignored(*load(with_mask(mask), first)), Pixels{4});
}

TEST_F(SpotsLoad, frames_that_come_with_the_request_are_shared_while_they_are_the_same) {
    Request request = request_of("drawn");
    std::vector<std::uint16_t> values(2 * height * width, 1);
    request.inputs["frames"].values = Array::of<std::uint16_t>({2, height, width}, values);
    const auto first = load(request);
    request.parameters["sigma_s"] = 2.0;
    EXPECT_EQ(load(request, first)->shared(), first->shared());
    values[5] = 2;
    request.inputs["frames"].values = Array::of<std::uint16_t>({2, height, width}, values);
    EXPECT_NE(load(request, first)->shared(), first->shared());
}

TEST_F(SpotsLoad, limits_of_d_need_to_know_where_the_detector_is) {
    make();
    EXPECT_TRUE(contains(refusal(request_of(file, {{"d_min", 2.0}})), {"scan.h5", "wavelength"}));
    EXPECT_TRUE(contains(refusal(request_of(file, {{"ice_width", 0.002}})), {"scan.h5", "wavelength"}));
    const auto problem = load(request_of(file, {{"d_min", 2.0},
                                                {"wavelength", 1.0},
                                                {"distance", 100.0},
                                                {"pixel_size", 75.0},
                                                {"beam_x", 15.0},
                                                {"beam_y", 10.0}}));
    EXPECT_TRUE(problem->located);
    EXPECT_TRUE(problem->geometry.complete());
    EXPECT_FALSE(load(request_of(file))->located);
}

TEST_F(SpotsLoad, flags_modules_and_ranges_reach_the_problem) {
    make();
    const auto problem = load(request_of(file, {{"save_signal", true},
                                                {"all_spots", true},
                                                {"modules", std::string("9,14,2,2")},
                                                {"first_frame", std::int64_t{1}},
                                                {"last_frame", std::int64_t{2}}}));
    EXPECT_TRUE(problem->save_signal);
    EXPECT_TRUE(problem->all_spots);
    EXPECT_EQ(problem->layout().modules(), 4u);
    EXPECT_EQ(problem->frames(), 2u);
    EXPECT_TRUE(
        contains(refusal(request_of(file, {{"modules", std::string("21,9,0,0")}})), {"modules", "21"}));
    EXPECT_TRUE(
        contains(refusal(request_of(file, {{"kernel", std::string("3,10")}})), {"kernel", "21", "20"}));
    EXPECT_TRUE(contains(refusal(request_of(file, {{"min_local", std::int64_t{50}}})), {"min_local", "50"}));
    EXPECT_TRUE(contains(refusal(request_of(file, {{"last_frame", std::int64_t{4}}})), {"3", "4"}));
    Request without = request_of(file);
    without.inputs.clear();
    EXPECT_TRUE(contains(refusal(without), {"frames"}));
}

TEST_F(SpotsLoad, pixels_that_are_no_counts_are_refused) {
    {
        const std::vector<char> values(height * width, 'a');
        TestFile made(file);
        made.make("/entry/data/data", H5T_C_S1, {1, height, width}, values.data(), H5T_C_S1);
    }
    EXPECT_TRUE(contains(refusal(request_of(file + "::/entry/data/data")), {"scan.h5", "string"}));
}

using SpotsLoadData = IoTest;

TEST_F(SpotsLoadData, a_master_file_whose_data_are_absent_is_refused) {
    const std::string data = at("master.nxs");
    beamline::write_master(data);
    for (const char* object : {"", "::/entry/data/data", "::/entry/data/data_000001"})
        EXPECT_TRUE(contains(input_error([&] { load(request_of(data + object)); }), {"master.nxs"}));
}

TEST_F(SpotsLoad, what_of_the_file_cannot_be_used_is_told_and_stops_nothing) {
    {
        TestFile made(file);
        made.ramp("/entry/data/data", {frames, height, width});
        const std::string detector = "/entry/instrument/detector";
        made.group(detector, "NXdetector");
        made.number(detector + "/beam_center_x", 7, "pixel");
        made.number(detector + "/beam_center_y", 5, "pixel");
        made.number(detector + "/distance", 0, "m");
        made.number(detector + "/saturation_value", -1);
        made.number(detector + "/detectorSpecific/nimages", 9);
        std::vector<std::uint8_t> turned(height * width, 1);
        for (std::size_t i = 0; i < 20; ++i) turned[i * 29] = 0;
        made.make(detector + "/pixel_mask", H5T_STD_U8LE, {1, height, width}, turned.data(),
                  H5T_NATIVE_UINT8);
    }
    const auto problem = load(request_of(file, {{"modules", std::string("9,10,0,0")}}));
    EXPECT_EQ(problem->masked_pixels(), height * width - 20);
    const std::vector<std::vector<std::string>> expected{
        {"gives 9 images", "contains 4"},
        {"distance", "found 0 m"},
        {"saturation_value", "found -1"},
        {"excludes 580 of 600 pixels (97 %)", "0 means that a pixel is used"},
        {"modules of 9 x 10 pixels", "2 rows below and 0 columns to the right"}};
    ASSERT_EQ(problem->notices.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(contains(problem->notices[i], expected[i]));
    // What needs the distance says so.
    EXPECT_TRUE(contains(refusal(request_of(file, {{"d_min", 2.0}})), {"limits on d", "found 0 m"}));
    EXPECT_EQ(
        load(request_of(file,
                        {{"modules", std::string("10,10,0,0")}, {"file_mask", false}, {"distance", 100.0}}))
            ->notices.size(),
        2U);
}

TEST_F(SpotsLoad, pixels_that_no_frame_has_are_masked_and_others_invalid_where_they_lack) {
    {
        TestFile made(file);
        made.make("/entry/data/data", H5T_STD_U16LE, {frames, height, width}, nullptr, -1, {1, 10, 10});
        const hid_t dataset = H5Dopen2(made.id(), "/entry/data/data", H5P_DEFAULT);
        const std::vector<std::uint16_t> ones(100, 1);
        for (hsize_t t = 0; t < frames; ++t)
            for (hsize_t tile = 0; tile < 6; ++tile) {
                // Tile 4 in no frame, tile 1 not in frame 2.
                if (tile == 4 || (tile == 1 && t == 2)) continue;
                const hsize_t offset[] = {t, tile / 3 * 10, tile % 3 * 10};
                EXPECT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset, 200, ones.data()), 0);
            }
        H5Dclose(dataset);
    }
    for (const bool with_mask : {true, false}) {
        const auto problem = load(request_of(file, {{"file_mask", with_mask}}));
        EXPECT_EQ(problem->shared()->missing(), 0U);
        Pixels middle;
        for (std::size_t y = 10; y < 20; ++y)
            for (std::size_t x = 10; x < 20; ++x) middle.push_back(y * width + x);
        EXPECT_EQ(ignored(*problem), middle);
        EXPECT_EQ(problem->limit(), 65535);
        ASSERT_EQ(problem->notices.size(), 2U);
        EXPECT_TRUE(contains(problem->notices[0], {"100 of 600 pixels have no values in any frame"}));
        EXPECT_TRUE(contains(problem->notices[1],
                             {"some pixels have no values in 1 of 4 frames", "this frame is 2"}));
    }
}

TEST_F(SpotsLoad, millions_of_frames_that_are_declared_and_missing_are_refused_at_once) {
    {
        TestFile made(file);
        made.make("/entry/data/data", H5T_STD_U16LE, {8000000, height, width}, nullptr, -1,
                  {1, height, width});
        const hid_t dataset = H5Dopen2(made.id(), "/entry/data/data", H5P_DEFAULT);
        const std::vector<std::uint16_t> ones(height * width, 1);
        const hsize_t offset[] = {3, 0, 0};
        EXPECT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset, 2 * ones.size(), ones.data()), 0);
        H5Dclose(dataset);
    }
    EXPECT_TRUE(contains(refusal(request_of(file)),
                         {"7999999 of 8000000 frames are missing", "a range of existing frames"}));
    EXPECT_EQ(load(request_of(file, {{"last_frame", std::int64_t{9}}}))->shared()->missing(), 9U);
    Progress stopped;
    stopped.cancel();
    EXPECT_THROW(load_problem(request_of(file), stopped), Error);
}

}  // namespace
}  // namespace ks::tests
