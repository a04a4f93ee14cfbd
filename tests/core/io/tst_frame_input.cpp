#include "core/input/frame_input.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

/// All parameters of the geometry and of the range at their defaults, but for those given.
ParameterSet complete(const ParameterSet& given = {}) {
    std::vector<ParameterSpec> specs = io::frame_range_parameters();
    for (ParameterSpec& spec : io::geometry_parameters()) specs.push_back(std::move(spec));
    return checked(specs, given);
}

MemoryFrames ten_frames() {
    return {"ten", Array(ElementType::u8, {10, 2, 3})};
}

TEST(FrameRange, IsInclusiveAndEndsWithTheFileByDefault) {
    const MemoryFrames source = ten_frames();
    const auto range = [&](std::int64_t first, std::optional<std::int64_t> last) {
        ParameterSet given{{"first_frame", first}};
        if (last) given["last_frame"] = *last;
        const io::FrameRange found = io::frame_range(complete(given), source);
        return std::pair(found.first, found.count);
    };
    using Pair = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(range(0, {}), Pair(0, 10));
    EXPECT_EQ(range(2, 5), Pair(2, 4));
    EXPECT_EQ(range(9, 9), Pair(9, 1));
    EXPECT_TRUE(contains(input_error([&] { range(0, 10); }), {"ten", "at most 9, found 10"}));
    EXPECT_TRUE(contains(input_error([&] { range(5, 2); }), {"ten", "first frame is 5, the last 2"}));
}

TEST(FrameRange, LeavesFramesOutByTheirNumbersInTheSeries) {
    const MemoryFrames source = ten_frames();
    const auto given = [&](const std::string& leave_out, std::int64_t first, std::int64_t last) {
        return complete({{"leave_out", leave_out}, {"first_frame", first}, {"last_frame", last}});
    };
    using Frames = std::vector<std::size_t>;
    EXPECT_EQ(io::frame_range(complete(), source).left_out, Frames{});
    EXPECT_EQ(io::frame_range(given("4-6,8", 0, 9), source).left_out, (Frames{4, 5, 6, 8}));
    EXPECT_EQ(io::frame_range(given("0-6,8", 5, 8), source).left_out, (Frames{5, 6, 8}));
    EXPECT_EQ(io::left_out_elsewhere(given("5-6", 5, 8), source), "");
    EXPECT_EQ(io::left_out_elsewhere(given("0-2,6,9", 5, 8), source),
              "leave_out lists frames 0 to 2 and 9, but only frames 5 to 8 are used");
    EXPECT_TRUE(contains(input_error([&] { io::frame_range(given("5-8", 5, 8), source); }),
                         {"leave_out", "all 4 frames from 5 to 8 are left out"}));
    EXPECT_TRUE(contains(input_error([&] { io::frame_range(given("10", 0, 9), source); }),
                         {"leave_out", "frame 10", "0 to 9"}));
}

TEST(KeepBytes, FollowTheLimitOfTheRequest) {
    Request request;
    request.memory_limit = 1000;
    EXPECT_EQ(io::keep_bytes(request), 500U);  // the other half is for the variant
    request.memory_limit.reset();
    EXPECT_GT(io::keep_bytes(request), 1000U);
}

TEST(RequiredInput, NamesTheRoleThatIsMissing) {
    Request request;
    request.analysis = "tides";
    request.inputs["frames"] = {"f.h5"};
    EXPECT_EQ(io::required_input(request, "frames").name, "f.h5");
    EXPECT_TRUE(contains(input_error([&] { io::required_input(request, "moon"); }), {"tides", "moon"}));
}

TEST(OpenSource, TakesTheValuesThatComeWithTheRequest) {
    const std::vector<std::uint8_t> counts{7, 8};
    const auto source = io::open_source({"drawn", Array::of({1, 1, 2}, counts)});
    std::vector<std::byte> values(2);
    source->read(0, 1, values);
    EXPECT_EQ(source->name(), "drawn");
    EXPECT_EQ(values[1], std::byte{8});
}

class ExperimentOf : public IoTest {
  protected:
    InputRef frames(double distance) {
        TestFile file(at("f.h5"));
        file.ramp("/entry/data/data", {2, 3, 4});
        file.number("/entry/instrument/detector/beam_center_x", 7, "pixel");
        file.number("/entry/instrument/detector/beam_center_y", 5, "pixel");
        file.number("/entry/instrument/detector/distance", distance, "mm");
        return {at("f.h5")};
    }
};

TEST_F(ExperimentOf, IsTheFilesGeometryWithWhatTheParametersReplace) {
    const InputRef file = frames(200);
    const io::Experiment plain = io::experiment_of(file, complete());
    EXPECT_TRUE(plain.centred);
    EXPECT_FALSE(plain.overridden);
    EXPECT_EQ(plain.geometry.distance, 200);
    const io::Experiment swapped = io::experiment_of(file, complete({{"swap_xy", true}}));
    EXPECT_EQ(swapped.geometry.beam_x, plain.geometry.beam_y);
    EXPECT_EQ(swapped.geometry.beam_y, plain.geometry.beam_x);
    const io::Experiment given = io::experiment_of(
        file, complete({{"beam_x", 3.5}, {"wavelength", 1.5}, {"pixel_size", 75.0}, {"pixel_size_y", 50.0}}));
    EXPECT_TRUE(given.overridden);
    EXPECT_EQ(given.geometry.beam_x, 3.5);
    EXPECT_EQ(given.geometry.beam_y, plain.geometry.beam_y);
    EXPECT_EQ(given.geometry.wavelength, 1.5);
    EXPECT_EQ(given.geometry.pixel_size_x, 75);
    EXPECT_EQ(given.geometry.pixel_size_y, 50);
}

TEST_F(ExperimentOf, CanLeaveUnknownWhatTheFileKnows) {
    const InputRef file = frames(200);
    const io::Experiment given = io::experiment_of(
        file, complete({{"file_geometry", false}, {"beam_x", 3.5}, {"beam_y", 2.0}, {"wavelength", 1.5}}));
    EXPECT_EQ(given.geometry, (Geometry{1.5, 0, 3.5, 2, 0, 0}));
    EXPECT_TRUE(given.centred);
    const io::Experiment none =
        io::experiment_of(file, complete({{"file_geometry", false}, {"swap_xy", true}}));
    EXPECT_EQ(none.geometry, Geometry{});
    EXPECT_FALSE(none.centred);
    // Requests of runs that were saved before there was the parameter.
    ParameterSet earlier = complete();
    earlier.erase("file_geometry");
    EXPECT_EQ(io::experiment_of(file, earlier).geometry.distance, 200);
}

TEST_F(ExperimentOf, WhatIsNotUsedOfTheFileHasNoFaults) {
    const io::Experiment given =
        io::experiment_of(frames(0), complete({{"file_geometry", false}, {"beam_x", 3.5}, {"beam_y", 2.0}}));
    EXPECT_TRUE(given.faults.empty());
}

TEST_F(ExperimentOf, AFaultOfTheFileIsToldUnlessAParameterReplacesItAndStopsNothing) {
    const InputRef file = frames(0);
    const io::Experiment known = io::experiment_of(file, complete());
    EXPECT_TRUE(known.centred);
    EXPECT_EQ(known.geometry.distance, 0);
    EXPECT_DOUBLE_EQ(known.geometry.beam_x, 7.5);
    ASSERT_EQ(known.faults.size(), 1U);
    EXPECT_TRUE(contains(known.faults[0], {"/entry/instrument/detector/distance", "found 0 mm"}));
    const io::Experiment given = io::experiment_of(file, complete({{"distance", 150.0}}));
    EXPECT_EQ(given.geometry.distance, 150);
    EXPECT_TRUE(given.faults.empty());
}

TEST_F(ExperimentOf, ABeamCentreThatIsNoNumberIsUnknownUntilParametersGiveIt) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/entry/data/data", {2, 3, 4});
        file.number("/entry/instrument/detector/beam_center_x", std::nan(""), "pixel");
        file.number("/entry/instrument/detector/beam_center_y", 5, "pixel");
        file.number("/entry/instrument/detector/distance", 200, "mm");
    }
    const io::Experiment unknown = io::experiment_of({at("f.h5")}, complete());
    EXPECT_FALSE(unknown.centred);
    ASSERT_EQ(unknown.faults.size(), 1U);
    EXPECT_TRUE(contains(unknown.faults[0], {"beam_center_x", "expected a beam centre, found nan pixel"}));
    const io::Experiment given = io::experiment_of({at("f.h5")}, complete({{"beam_x", 3.5}}));
    EXPECT_TRUE(given.centred);
    EXPECT_TRUE(given.faults.empty());
    EXPECT_EQ(given.geometry.beam_x, 3.5);
    EXPECT_DOUBLE_EQ(given.geometry.beam_y, 5.5);
    EXPECT_EQ(given.geometry.distance, 200);
}

TEST_F(ExperimentOf, NothingIsKnownOfValuesWithoutAFile) {
    const io::Experiment none = io::experiment_of({"made", Array(ElementType::u8, {1, 2, 3})}, complete());
    EXPECT_FALSE(none.centred);
    EXPECT_EQ(none.geometry, Geometry{});
}

}  // namespace
}  // namespace ks::tests
