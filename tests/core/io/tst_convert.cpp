#include "core/io/digis/convert.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/io/open_frames.h"
#include "core/record/run_record.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class ConvertTest : public IoTest {
  protected:
    io::Converted convert(const std::string& csv, std::size_t height, std::size_t width) {
        write_bytes(at("digis.csv"), csv);
        return io::convert_digis(at("digis.csv"), height, width, at("out.h5"), false, progress);
    }
    std::string error_of(const std::string& csv, std::size_t height = 3, std::size_t width = 4) {
        const std::string text = input_error([&] { convert(csv, height, width); });
        EXPECT_FALSE(fs::exists(at("out.h5")));
        return text;
    }
    Progress progress;
};

TEST_F(ConvertTest, HitsOfOnePixelAddUpAndSaturate) {
    const io::Converted done = convert(
        "adc,index,y,x,module\n5,0,2,3,2\n7,1,2,3,2\n65535,2,0,0,0\n1,3,0,0,0\n65535,4,1,0,0\n", 3, 4);
    EXPECT_EQ(done.digis, 5u);
    EXPECT_EQ(done.frames, 3u);
    EXPECT_EQ(done.saturated, 1u);
    const Array frames = io::read_array(at("out.h5") + "::/entry/data/data", 3);
    std::vector<std::uint16_t> expected(3 * 3 * 4, 0);
    expected[0] = 65535;
    expected[4] = 65535;
    expected[2 * 12 + 2 * 4 + 3] = 12;
    EXPECT_EQ(frames.shape(), (std::vector<std::size_t>{3, 3, 4}));
    EXPECT_TRUE(std::ranges::equal(frames.as<std::uint16_t>(), expected));
    EXPECT_EQ(io::open_frames(at("out.h5"))->frames(), 3u);
}

TEST_F(ConvertTest, AConvertedFileIsDataAndNoSavedRun) {
    convert("module,x,y,adc\n0,1,1,5\n", 3, 4);
    EXPECT_FALSE(io::holds_run(at("out.h5")));
    EXPECT_TRUE(contains(input_error([&] { io::recorded_analysis(at("out.h5")); }),
                         {"out.h5", "expected a saved run, found an HDF5 file without"}));
}

TEST_F(ConvertTest, EventsOfOneModuleAreFrames) {
    const io::Converted done = convert("event,module,x,y,adc\n2,5,0,0,7\n0,5,0,0,1\n2,5,0,0,1.0e1\n", 1, 2);
    EXPECT_EQ(done.frames, 3u);
    EXPECT_TRUE(done.warnings.empty());
    const Array frames = io::read_array(at("out.h5") + "::/entry/data/data", 3);
    EXPECT_TRUE(
        std::ranges::equal(frames.as<std::uint16_t>(), std::vector<std::uint16_t>{1, 0, 0, 0, 17, 0}));
}

TEST_F(ConvertTest, OneEventOfSeveralModulesHasAFrameForEach) {
    const io::Converted done = convert("event,module,x,y,adc\n4000000000,1,0,0,7\n4000000000,0,0,0,1", 1, 1);
    EXPECT_EQ(done.frames, 2u);
    ASSERT_EQ(done.warnings.size(), 1u);
    EXPECT_TRUE(contains(done.warnings[0], {"digis.csv", "the file may be truncated"}));
}

TEST_F(ConvertTest, SeveralEventsOfSeveralModulesAreNotAddedUp) {
    EXPECT_TRUE(contains(error_of("event,module,x,y,adc\n0,0,1,1,5\n1,1,1,1,5\n"),
                         {"digis.csv", "several events and several modules", "each event separately"}));
}

TEST_F(ConvertTest, WhatIsWrongIsNamedAndNothingIsWritten) {
    const std::string head = "index,module,x,y,adc\n";
    EXPECT_TRUE(
        contains(error_of(head + "0,0,1,1,5\n1,0,4,1,5\n"), {"digis.csv, line 3", "x from 0 to 3, found 4"}));
    EXPECT_TRUE(contains(error_of(head + "0,0,1,3,5\n"), {"line 2", "y from 0 to 2, found 3"}));
    EXPECT_TRUE(contains(error_of(head + "0,-1,1,1,5\n"), {"line 2", "module", "-1"}));
    EXPECT_TRUE(contains(error_of(head + "0,0,1,1,-5\n"), {"line 2", "adc", "-5"}));
    EXPECT_TRUE(contains(error_of(head + "0,0,1,one,5\n"), {"line 2", "column y", "one"}));
    EXPECT_TRUE(contains(error_of("x,y\n1,1\n"), {"columns module,x,y,adc"}));
    EXPECT_TRUE(contains(error_of(head), {"only a header"}));
    EXPECT_TRUE(contains(error_of(head + "0,0,1,1,5\n", 0, 4), {"shape"}));
}

TEST_F(ConvertTest, CancelLeavesNothing) {
    write_bytes(at("digis.csv"), "index,module,x,y,adc\n0,0,1,1,5\n");
    progress.cancel();
    try {
        io::convert_digis(at("digis.csv"), 3, 4, at("out.h5"), false, progress);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(ConvertTest, TimepixRun) {
    const std::string data = reference_data("timepix_sr90_0.00mm.csv");
    std::istringstream in(read_bytes(data));
    std::string line;
    std::getline(in, line);
    std::vector<std::uint64_t> per_frame(600, 0);
    std::size_t digis = 0;
    for (; std::getline(in, line); ++digis) {
        unsigned index = 0, module = 0, x = 0, y = 0, adc = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%u,%u,%u,%u,%u", &index, &module, &x, &y, &adc), 5);
        per_frame.at(module) += adc;
    }
    const io::Converted done = io::convert_digis(data, 256, 256, at("out.h5"), false, progress);
    EXPECT_EQ(done.digis, digis);
    EXPECT_EQ(done.digis, 269369u);
    EXPECT_EQ(done.saturated, 0u);
    const auto source = io::open_frames(at("out.h5"));
    ASSERT_EQ(source->frames(), 600u);
    EXPECT_EQ(source->height(), 256u);
    EXPECT_EQ(source->width(), 256u);
    std::vector<std::uint16_t> frame(source->pixels());
    for (std::size_t t = 0; t < 600; ++t) {
        source->read(t, 1, std::as_writable_bytes(std::span(frame)));
        EXPECT_EQ(std::accumulate(frame.begin(), frame.end(), std::uint64_t{0}), per_frame[t]) << t;
    }
}

}  // namespace
}  // namespace ks::tests
