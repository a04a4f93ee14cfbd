// The same frames give the same result, whatever the format of their file.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/io/frame_format.h"
#include "tests/app/cli_process.h"
#include "tests/frame_samples.h"

namespace frame_formats_test {

namespace {

using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

constexpr std::size_t frames = 16, height = 40, width = 50;

/// Small counts with a spot of 3 x 3 pixels elsewhere in each frame.
ks::Array stack() {
    std::vector<std::uint16_t> values(frames * height * width);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t frame = i / (height * width), x = i % width, y = i / width % height;
        const std::size_t centre = 5 + 13 * frame % 40;
        const bool lit = x + 1 >= centre && x <= centre + 1 && y >= 9 && y <= 11;
        values[i] = static_cast<std::uint16_t>(lit ? 200 + i % 5 : i * 2654435761U % 7 / 2);
    }
    return ks::Array::of({frames, height, width}, values);
}

class FrameFormats : public testing::Test {
  protected:
    FrameFormats() {
        for (const ks::io::FrameFormat& format : ks::io::frame_formats()) {
            const ks::tests::FrameSample& sample = ks::tests::frame_samples().at(format.id);
            const std::string name = folder_ / ("stack." + format.id);
            (sample.stacks ? files_ : series_).push_back(name);
            if (sample.stacks)
                sample.write(name, stack());
            else
                write_series(sample, name, format.suffixes.front());
        }
    }
    /// A folder with one file per frame.
    static void write_series(const ks::tests::FrameSample& sample, const std::string& folder,
                             const std::string& suffix) {
        std::filesystem::create_directory(folder);
        const ks::Array all = stack();
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const auto values = all.as<std::uint16_t>().subspan(frame * height * width, height * width);
            sample.write(fmt::format("{}/img_{:02}{}", folder, frame, suffix),
                         ks::Array::of({height, width}, std::vector(values.begin(), values.end())));
        }
    }
    /// The CSV of a run.
    std::string csv(std::vector<std::string> arguments) const {
        const std::string out = folder_ / "out.csv";
        arguments.insert(arguments.end(), {"--device", "host", "--csv", out, "--overwrite"});
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return ks::tests::read_file(out);
    }
    TemporaryFolder folder_;
    std::vector<std::string> files_, series_;
};

TEST_F(FrameFormats, give_the_same_spots_and_curves_to_the_byte) {
    std::vector<std::string> spots, curves, names = files_;
    names.insert(names.end(), series_.begin(), series_.end());
    for (const std::string& file : names) {
        spots.push_back(csv({"spots", file}));
        curves.push_back(csv({"xpcs", file, "--rings", "25,20,0,5,4"}));
    }
    EXPECT_GT(std::ranges::count(spots.front(), '\n'), 3);
    EXPECT_GT(std::ranges::count(curves.front(), '\n'), 3);
    for (std::size_t i = 1; i < names.size(); ++i) {
        EXPECT_EQ(spots[i], spots[0]) << names[i];
        EXPECT_EQ(curves[i], curves[0]) << names[i];
    }
}

TEST_F(FrameFormats, are_described_and_refused_by_name) {
    for (const std::string& file : files_) {
        const Outcome told = run_cli({"info", file});
        EXPECT_EQ(told.code, 0) << told.err;
        EXPECT_NE(told.out.find("16 frames of 40 x 50 u16"), std::string::npos) << told.out;
        // Not between two images: no EDF file says how many there are.
        std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2 - 1);
        const Outcome cut = run_cli({"spots", file, "--device", "host"});
        EXPECT_EQ(cut.code, 2);
        EXPECT_NE(cut.err.find(file), std::string::npos) << cut.err;
    }
    const Outcome object = run_cli({"info", (folder_ / "stack.npy") + "::/entry"});
    EXPECT_EQ(object.code, 2);
    EXPECT_NE(object.err.find("the object /entry was given"), std::string::npos) << object.err;
}

}  // namespace

}  // namespace frame_formats_test
