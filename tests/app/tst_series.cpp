// A series of files is an input like any other: on the command line, in saved runs and in batches.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"
#include "tests/frame_samples.h"

namespace series_app_test {
namespace {

namespace fs = std::filesystem;
using ks::tests::Outcome;
using ks::tests::run_cli;
using Arguments = std::vector<std::string>;

constexpr std::size_t frames = 8, height = 40, width = 50;

/// Small counts with a spot of 3 x 3 pixels elsewhere in each frame.
ks::Array frame_of(std::size_t frame) {
    std::vector<std::uint16_t> values(height * width);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t x = i % width, y = i / width, centre = 5 + 5 * frame;
        const bool lit = x + 1 >= centre && x <= centre + 1 && y >= 9 && y <= 11;
        values[i] = static_cast<std::uint16_t>(lit ? 200 + i % 5 : (i + 7 * frame) * 2654435761U % 7 / 2);
    }
    return ks::Array::of({height, width}, values);
}

class SeriesApp : public testing::Test {
  protected:
    SeriesApp() {
        fs::create_directory(folder_ / "data");
        std::vector<std::uint16_t> all;
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const ks::Array values = frame_of(frame);
            ks::tests::write_tiff_sample(file(frame), values, {});
            const auto pixels = values.as<std::uint16_t>();
            all.insert(all.end(), pixels.begin(), pixels.end());
        }
        ks::tests::write_tiff_sample(folder_ / "stack.tif", ks::Array::of({frames, height, width}, all), {});
    }
    /// img_98.tif to img_105.tif: a shell lists them in another order.
    std::string file(std::size_t frame) const { return folder_ / fmt::format("data/img_{}.tif", 98 + frame); }
    static Outcome done(const Arguments& arguments) {
        Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome;
    }
    static void expect_refused(const Arguments& arguments, const std::string& part) {
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    }
    std::string csv(Arguments arguments) const {
        const std::string out = folder_ / "out.csv";
        arguments.insert(arguments.end(), {"--csv", out, "--overwrite"});
        done(arguments);
        return ks::tests::read_file(out);
    }

    ks::tests::TemporaryFolder folder_;
    const std::string pattern_ = folder_ / "data/img_##.tif";
    ks::tests::OwnCache data_{"KERNELSCOPE_DATA"};
};

TEST_F(SeriesApp, is_converted_and_a_missing_file_is_named_once) {
    fs::remove(file(3));
    const Outcome outcome = done({"convert", pattern_, "--out", folder_ / "stack.h5"});
    const std::string warning = "kernelscope-cli: warning: ";
    const std::size_t first = outcome.err.find(warning);
    ASSERT_NE(first, std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find(warning, first + 1), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("no file has the number 101"), std::string::npos) << outcome.err;
}

TEST_F(SeriesApp, gives_the_results_of_the_stack_however_it_is_named) {
    const std::string stack = folder_ / "stack.tif";
    Arguments several{"spots"};
    for (std::size_t frame = frames; frame-- > 0;) several.push_back(file(frame));
    several.insert(several.end(), {"--device", "host"});
    const std::string spots = csv({"spots", stack, "--device", "host"});
    EXPECT_GT(std::ranges::count(spots, '\n'), 3);
    EXPECT_EQ(csv({"spots", pattern_, "--device", "host"}), spots);
    EXPECT_EQ(csv({"spots", folder_ / "data/*.tif", "--device", "host"}), spots);
    EXPECT_EQ(csv({"spots", folder_ / "data", "--device", "host"}), spots);
    EXPECT_EQ(csv(several), spots);
    const Arguments rings{"--rings", "25,20,0,5,4", "--device", "host"};
    const auto curves = [&](const std::string& name) {
        Arguments all{"xpcs", name};
        all.insert(all.end(), rings.begin(), rings.end());
        return csv(all);
    };
    EXPECT_EQ(curves(pattern_), curves(stack));
}

TEST_F(SeriesApp, runs_on_a_device_as_on_the_host) {
    const std::string out =
        done({"spots", pattern_, "--device", "0", "--check", "full"}).out +
        done({"xpcs", pattern_, "--rings", "25,20,0,5,4", "--device", "0", "--check", "full"}).out;
    const std::size_t first = out.find("check: pass");
    ASSERT_NE(first, std::string::npos) << out;
    EXPECT_NE(out.find("check: pass", first + 1), std::string::npos) << out;
}

TEST_F(SeriesApp, missing_damaged_and_differing_files_are_named) {
    fs::remove(file(2));
    fs::resize_file(file(5), 100);
    const Outcome spots = done({"spots", pattern_, "--device", "host"});
    EXPECT_NE(spots.err.find("no file has the number 100"), std::string::npos) << spots.err;
    EXPECT_NE(spots.err.find("img_103.tif"), std::string::npos) << spots.err;
    EXPECT_NE(spots.out.find("1 missing"), std::string::npos) << spots.out;
    EXPECT_NE(spots.out.find("1 damaged"), std::string::npos) << spots.out;
    const Outcome info = done({"info", pattern_});
    EXPECT_NE(info.out.find("7 TIFF files, img_98.tif to img_105.tif"), std::string::npos) << info.out;
    EXPECT_NE(info.out.find("1 of 8: number 100"), std::string::npos) << info.out;
    expect_refused({"xpcs", pattern_, "--rings", "25,20,0,5,4", "--device", "host"}, "--leave-out");
    ks::tests::write_tiff_sample(file(5), ks::Array::of({2, 3}, std::vector<std::uint16_t>(6)), {});
    expect_refused({"spots", pattern_, "--device", "host"}, "img_103.tif");
    expect_refused({"spots", file(0), folder_ / "stack.tif", "--device", "host"},
                   "expected files from one folder");
}

TEST_F(SeriesApp, outputs_never_replace_one_of_its_files) {
    const std::string before = ks::tests::read_file(file(3));
    for (const char* option : {"--out", "--csv"})
        expect_refused({"spots", pattern_, "--device", "host", option, file(3), "--overwrite"},
                       "would replace a file that is read as frames");
    EXPECT_EQ(ks::tests::read_file(file(3)), before);
}

TEST_F(SeriesApp, a_saved_run_finds_it_again_and_notices_a_replaced_file) {
    const std::string run = folder_ / "run.h5";
    done({"spots", pattern_, "--device", "host", "--out", run});
    EXPECT_NE(done({"info", run}).out.find("img_##.tif"), std::string::npos);
    EXPECT_TRUE(done({"repeat", run}).out.ends_with("the same bytes\n"));
    // A copy of all of it elsewhere.
    fs::create_directory(folder_ / "copy");
    fs::copy(folder_ / "data", folder_ / "copy/data");
    fs::rename(run, folder_ / "copy/run.h5");
    fs::rename(folder_ / "data", folder_ / "away");
    const Outcome moved = done({"repeat", folder_ / "copy/run.h5"});
    EXPECT_NE(moved.out.find("is read from " + (folder_ / "copy/data/img_##.tif")), std::string::npos)
        << moved.out;
    EXPECT_TRUE(moved.out.ends_with("the same bytes\n")) << moved.out;
    fs::rename(folder_ / "away", folder_ / "data");
    ks::tests::write_tiff_sample(file(3), frame_of(0), {});
    fs::rename(folder_ / "copy/run.h5", run);
    fs::remove_all(folder_ / "copy");
    const Outcome changed = run_cli({"repeat", run});
    EXPECT_EQ(changed.code, 1);
    EXPECT_NE(changed.err.find("img_##.tif has changed since (other content in img_101.tif)"),
              std::string::npos)
        << changed.err;
}

TEST_F(SeriesApp, a_repeat_names_new_missing_and_other_files) {
    const std::string run = folder_ / "run.h5";
    const auto repeated = [&run] {
        const Outcome outcome = run_cli({"repeat", run});
        EXPECT_EQ(outcome.code, 1);
        return outcome.err;
    };
    done({"spots", pattern_, "--device", "host", "--out", run});
    ks::tests::write_tiff_sample(file(8), frame_of(8), {});
    const std::string grown = repeated();
    EXPECT_NE(grown.find("data/img_##.tif has changed since (new file img_106.tif)"), std::string::npos)
        << grown;
    ks::tests::write_tiff_sample(file(9), frame_of(9), {});
    ks::tests::write_tiff_sample(file(3), frame_of(0), {});
    fs::remove(file(0));
    const std::string other = repeated();
    EXPECT_NE(other.find("img_##.tif has changed since (new files img_106.tif, img_107.tif; missing file "
                         "img_98.tif; other content in img_101.tif)"),
              std::string::npos)
        << other;
}

TEST_F(SeriesApp, is_one_item_of_a_batch_which_is_repeated_if_a_file_changes) {
    const std::string list = folder_ / "list.txt", runs = folder_ / "runs";
    std::ofstream(list) << "data/img_##.tif\nstack.tif\n";
    const Arguments batch{"batch", "spots", list, "--out", runs, "--device", "host"};
    done(batch);
    EXPECT_TRUE(fs::exists(fs::path(runs) / "img_##.h5"));
    EXPECT_NE(done(batch).out.find("done before"), std::string::npos);
    ks::tests::write_tiff_sample(file(8), frame_of(8), {});
    const Outcome more = run_cli(batch);
    EXPECT_NE(more.out.find("img_106.tif was not part of that run"), std::string::npos) << more.out;
    fs::remove(file(8));
    ks::tests::write_tiff_sample(file(3), frame_of(0), {});
    const Outcome changed = run_cli(batch);
    EXPECT_NE(changed.out.find("img_101.tif has changed since that run"), std::string::npos) << changed.out;
    ks::tests::write_tiff_sample(file(3), frame_of(3), {});
    done({"batch", "spots", list, "--out", runs, "--device", "host", "--overwrite"});
    fs::remove(file(7));
    const Outcome fewer = run_cli(batch);
    EXPECT_NE(fewer.out.find("img_105.tif is missing now"), std::string::npos) << fewer.out;
}

}  // namespace
}  // namespace series_app_test
