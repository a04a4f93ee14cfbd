#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/run/run.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/xpcs/oracle.h"

namespace xpcs_load_test {

using ks::Array;
using ks::Error;
using ks::Progress;
using ks::Request;
using ks::xpcs::CorrelationProblem;

namespace {

/// Ten frames of 20 x 30 pixels in the request itself.
Request request_of(const std::string& partition) {
    Request request;
    request.analysis = "xpcs";
    std::vector<std::uint8_t> counts(10 * 600);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<std::uint8_t>(i * i % 11);
    request.inputs["frames"] = {"frames", Array::of<std::uint8_t>({10, 20, 30}, counts)};
    request.inputs["partition"] = {partition};
    return request;
}

std::shared_ptr<const CorrelationProblem> load(const Request& request,
                                               std::shared_ptr<const CorrelationProblem> previous = nullptr) {
    Progress progress;
    return std::dynamic_pointer_cast<const CorrelationProblem>(
        ks::xpcs::make_analyses().front().load(request, progress, std::move(previous)));
}

std::string failure(const Request& request) {
    try {
        load(request);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2) << error.what();
        return error.what();
    }
    return "(no error)";
}

TEST(Load, RingsAndLabelsDrawnInTheRequest) {
    const auto rings = load(request_of("rings:15,10,0,3,5"));
    EXPECT_EQ(rings->partition().bins(), 5U);
    EXPECT_EQ(rings->partition().labels()[10 * 30 + 15], 1);
    Request drawn = request_of("");
    std::vector<std::int32_t> labels(600, 0);
    labels[7] = 2;
    drawn.inputs["partition"] = {"", Array::of<std::int32_t>({20, 30}, labels)};
    EXPECT_EQ(load(drawn)->partition().bins(), 2U);
}

TEST(Load, DrawnBinsThatAreOffAreNotWarnedOf) {
    Request drawn = request_of("");
    std::vector<std::int32_t> labels(600, 0);
    for (std::size_t i = 0; i < 40; ++i) labels[i] = i < 20 ? 2 : 5;  // 1, 3 and 4 are off
    drawn.inputs["partition"] = {"", Array::of<std::int32_t>({20, 30}, labels)};
    const auto warned = [](const Request& request) {
        std::string text;
        for (const std::string& one : run_host(host_variant("host.reference"), *load(request)).warnings)
            if (one.find("empty") != std::string::npos) text += one;
        return text;
    };
    EXPECT_EQ(warned(drawn), "");
    // One that is on and loses its pixels to the mask is empty.
    std::vector<std::uint8_t> mask(20 * 30, 0);
    for (std::size_t i = 0; i < 20; ++i) mask[i] = 1;
    drawn.inputs["mask"] = {"", Array::of<std::uint8_t>({20, 30}, mask)};
    EXPECT_EQ(warned(drawn), "1 of 2 bins is empty: 2");
}

TEST(Load, ARangeOfFramesIsInclusive) {
    Request request = request_of("rings:15,10,0,3,5");
    request.parameters = {{"first_frame", std::int64_t{2}}, {"last_frame", std::int64_t{5}}};
    EXPECT_EQ(load(request)->frames(), 4U);
    std::vector<std::byte> raw(600);
    load(request)->read(0, 1, raw);
    EXPECT_EQ(static_cast<int>(raw[3]), (1203 * 1203) % 11);
    request.parameters["last_frame"] = {};
    EXPECT_EQ(load(request)->frames(), 8U);
}

TEST(Load, TheParametersGiveGeometryAndFrameTime) {
    Request request = request_of("rings:15,10,0,3,5");
    request.parameters = {
        {"wavelength", 1.0}, {"distance", 1000.0}, {"pixel_size", 100.0}, {"frame_time", 0.25}};
    const auto problem = load(request);
    EXPECT_EQ(problem->frame_time, 0.25);
    EXPECT_TRUE(problem->geometry.complete());
    EXPECT_EQ(problem->geometry.beam_x, 15);
    EXPECT_EQ(problem->geometry.beam_y, 10);
    // The mean radius of the ring from 12 to 15 px times 2 pi / lambda * pixel / distance.
    const auto q = run_host(host_variant("host.reference"), *problem).at("q").values.to_doubles();
    EXPECT_NEAR(q[4], 13.5 * 6.283185e-4, 0.03 * q[4]);
    request.parameters["beam_x"] = 20.0;
    EXPECT_EQ(load(request)->geometry.beam_x, 20);
    EXPECT_FALSE(load(request_of("rings:15,10,0,3,5"))->geometry.complete());
}

TEST(Load, BeamRingsUseTheGivenCentre) {
    Request request = request_of("rings:beam,beam,0,3,2");
    EXPECT_NE(failure(request).find("no beam centre"), std::string::npos);
    request.parameters = {{"beam_x", 5.5}, {"beam_y", 7.5}};
    EXPECT_EQ(load(request)->partition().labels()[7 * 30 + 5], 1);
}

TEST(Load, RingsWithoutAPixelSayHowFarOutsideTheirCentreLies) {
    const std::string outside = failure(request_of("rings:100030,10,0,3,2"));
    EXPECT_TRUE(outside.ends_with(
        "the rings contain no pixels: their centre, x 100030, y 10, is 100000 px outside the frames of 20 x "
        "30 "
        "pixels, and their radii are 0 to 6 px; correct the centre or the radii of the rings"))
        << outside;
    Request request = request_of("rings:beam,beam,0,3,2");
    request.parameters = {{"beam_x", 5.5}, {"beam_y", -1000.0}};
    EXPECT_NE(failure(request).find("is 1000 px outside the frames of 20 x 30 pixels, and their radii are 0 "
                                    "to 6 px; correct the beam centre"),
              std::string::npos)
        << failure(request);
    EXPECT_NE(failure(request_of("rings:15,10,50,3,2")).find(", is inside the frames of 20 x 30"),
              std::string::npos);
}

class LoadFile : public ks::tests::IoTest {};

TEST_F(LoadFile, WhatOfTheFileCannotBeUsedIsToldUnlessAParameterReplacesIt) {
    {
        ks::tests::TestFile file(at("f.h5"));
        file.ramp("/entry/data/data", {10, 20, 30});
        file.number("/entry/instrument/detector/beam_center_x", 7, "pixel");
        file.number("/entry/instrument/detector/beam_center_y", 5, "pixel");
        file.number("/entry/instrument/detector/distance", 0, "mm");
        file.number("/entry/instrument/detector/frame_time", 3, "parsec");
    }
    Request request = request_of("rings:15,10,0,3,5");
    request.inputs["frames"] = {at("f.h5")};
    const auto told = load(request);
    EXPECT_EQ(told->geometry.distance, 0);
    EXPECT_FALSE(told->frame_time);
    ASSERT_EQ(told->notices.size(), 2U);
    EXPECT_TRUE(
        ks::tests::contains(told->notices[0], {"frame_time", "parsec", "delays are given in frames"}));
    EXPECT_TRUE(ks::tests::contains(told->notices[1], {"/entry/instrument/detector/distance: expected"}));
    request.parameters["distance"] = 200.0;
    request.parameters["frame_time"] = 0.5;
    EXPECT_EQ(load(request)->geometry.distance, 200);
    EXPECT_TRUE(load(request)->notices.empty());
}

TEST_F(LoadFile, FramesThatAreMissingAreAllNamedWithTheWayOut) {
    {
        ks::tests::TestFile file(at("f.h5"));
        file.make("/entry/data/data", H5T_STD_U16LE, {10, 20, 30}, nullptr, -1, {1, 20, 30});
        const hid_t dataset = H5Dopen2(file.id(), "/entry/data/data", H5P_DEFAULT);
        const std::vector<std::uint16_t> ones(600, 1);
        for (hsize_t t = 0; t < 10; ++t) {
            const hsize_t offset[] = {t, 0, 0};
            if (t == 3 || t == 7) continue;
            EXPECT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset, 1200, ones.data()), 0);
        }
        H5Dclose(dataset);
    }
    Request request = request_of("rings:15,10,0,3,5");
    request.inputs["frames"] = {at("f.h5")};
    EXPECT_TRUE(ks::tests::contains(failure(request),
                                    {"2 of 10 frames are missing (3, 7)", "a correlation needs all frames",
                                     "frame 3 was never written", "--leave-out 3,7"}));
    request.parameters["leave_out"] = std::string("3,7");
    EXPECT_EQ(load(request)->frames(), 10U);
}

TEST(Load, ErrorsSayWhatWasExpectedAndFound) {
    const std::string rings = "rings:15,10,0,3,5";
    const auto with = [&](const char* id, std::int64_t value) {
        Request request = request_of(rings);
        request.parameters[id] = value;
        return failure(request);
    };
    EXPECT_NE(with("last_frame", 10).find("at most 9, found 10"), std::string::npos);
    EXPECT_NE(with("first_frame", 10).find("empty"), std::string::npos);
    EXPECT_NE(with("two_time_bin", 6).find("from 1 to 5, found 6"), std::string::npos);
    Request reversed = request_of(rings);
    reversed.parameters = {{"first_frame", std::int64_t{5}}, {"last_frame", std::int64_t{2}}};
    EXPECT_NE(failure(reversed).find("first frame is 5, the last 2"), std::string::npos);
    EXPECT_NE(failure(request_of("rings:1,2,3")).find("five numbers"), std::string::npos);
    EXPECT_NE(failure(request_of("rings:-900,-900,0,3,5")).find("the rings contain no pixels"),
              std::string::npos);
    EXPECT_NE(failure(request_of("nowhere.h5::/q")).find("nowhere.h5"), std::string::npos);
    Request other = request_of(rings);
    other.inputs["partition"] = {"drawn", Array(ks::ElementType::i32, {30, 20})};
    EXPECT_NE(failure(other).find("20 x 30, found 30 x 20"), std::string::npos);
    Request without = request_of(rings);
    without.inputs.erase("partition");
    EXPECT_NE(failure(without).find("partition"), std::string::npos);
    Request unknown = request_of(rings);
    unknown.parameters["colour"] = std::int64_t{1};
    EXPECT_NE(failure(unknown).find("colour"), std::string::npos);
}

TEST(Load, OtherBinsOfTheSameFramesReadNothingAgain) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("load_again_" + std::to_string(getpid()) + ".h5");
    Progress progress;
    ks::xpcs::make_analyses().front().generate(
        {{"frames", std::int64_t{12}}, {"height", std::int64_t{20}}, {"width", std::int64_t{24}}}, file, true,
        progress);
    Request request;
    request.inputs["frames"] = {file.string(), {}};
    request.inputs["partition"] = {"rings:10,10,1,2,3", {}};
    const auto first = load(request);
    request.inputs["partition"] = {"rings:12,10,1,3,3", {}};
    request.parameters["max_delay"] = std::int64_t{4};
    const auto second = load(request, first);
    EXPECT_EQ(second->scan(), first->scan());
    EXPECT_EQ(second->delays(), 5U);
    EXPECT_EQ(first->delays(), 12U);
    EXPECT_NE(second->partition_key(), first->partition_key());
    EXPECT_EQ(second->max_count(), load(request)->max_count());
    request.parameters["last_frame"] = std::int64_t{8};
    EXPECT_NE(load(request, second)->scan(), first->scan());
    std::filesystem::remove(file);
}

TEST(Benchmark, IsTheNotebooksProblem) {
    const ks::Analysis analysis = ks::xpcs::make_analyses().front();
    const auto problem = std::dynamic_pointer_cast<const CorrelationProblem>(
        analysis.benchmark_problem({{"frames", std::int64_t{5}}}));
    EXPECT_EQ(problem->frames(), 5U);
    EXPECT_EQ(problem->partition().bins(), 15U);
    EXPECT_EQ(problem->partition().selected(), 48136U);
    EXPECT_EQ(problem->source_type(), ks::ElementType::u8);
    EXPECT_EQ(problem->resident().size(), 5U * 201 * 241);
}

TEST(Summary, ListsBins) {
    const auto problem = load(request_of("rings:15,10,0,3,5"));
    ks::Run run;
    run.result = run_host(host_variant("host.reference"), *problem);
    const std::string text = ks::xpcs::make_analyses().front().summary(run);
    for (const char* part : {"bin", "pixels", "g2(1)", "10 frames, 5 bins"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace

}  // namespace xpcs_load_test
