// Files with one frame each are one stack, named by a pattern, a folder or several files.

#include "core/io/series/series.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/data/damaged_frame.h"
#include "core/input/input_files.h"
#include "core/io/files/followed_files.h"
#include "core/io/frame_format.h"
#include "core/io/open_frames.h"
#include "core/io/series/name_pattern.h"
#include "core/io/series/series_frames.h"
#include "core/io/series/series_record.h"
#include "core/run/problem_key.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/run/own_cache.h"
#include "tests/frame_samples.h"

namespace series_test {

using namespace ks;
using ks::tests::contains;
using ks::tests::input_error;
using ks::tests::read_bytes;
using ks::tests::write_bytes;
using Names = std::vector<std::string>;
namespace fs = std::filesystem;

constexpr std::size_t height = 3, width = 4;

class Series : public ks::tests::IoTest {
  protected:
    /// A TIFF whose pixels are first, first + 1, ...
    void write(const std::string& name, std::uint16_t first = 0, std::size_t columns = width) const {
        std::vector<std::uint16_t> values(height * columns);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(first + i);
        ks::tests::write_tiff_sample(at(name), Array::of({height, columns}, values), {});
    }
    /// img_0001.tif and so on, with the number times 100 as their first pixel.
    void write_images(const std::vector<int>& numbers) const {
        for (const int number : numbers)
            write(fmt::format("img_{:04}.tif", number), static_cast<std::uint16_t>(100 * number));
    }
    void touch(const Names& names) const {
        for (const std::string& name : names) write_bytes(at(name), "x");
    }
    /// The names of the files that a name stands for, in their order.
    Names found(const std::string& name) const {
        Names names;
        for (const fs::path& file : io::files_named(at(name))) names.push_back(file.filename().string());
        return names;
    }
    std::string name_of(const Names& names) const {
        Names files;
        for (const std::string& name : names) files.push_back(at(name));
        return fs::path(io::series_name(files)).lexically_relative(folder).string();
    }
    std::string error_of(const std::string& name) const {
        return input_error([&] { io::open_frames(at(name)); });
    }
    static std::uint16_t first_pixel(FrameSource& frames, std::size_t frame) {
        std::vector<std::uint16_t> values(frames.pixels());
        frames.read(frame, 1, std::as_writable_bytes(std::span(values)));
        return values.front();
    }
};

TEST_F(Series, are_found_by_each_kind_of_pattern_in_numeric_order) {
    const Names all{"img_1.tif", "img_2.tif", "img_10.tif", "img_100.tif"};
    touch({"img_100.tif", "img_2.tif", "img_10.tif", "img_1.tif", "img_x.tif", "img_1.tiff", ".img_3.tif",
           "dark"});
    fs::create_directory(at("img_4.tif"));
    EXPECT_EQ(found("img_#.tif"), all);
    EXPECT_EQ(found("img_##.tif"), (Names{"img_10.tif", "img_100.tif"}));
    EXPECT_EQ(found("img_???.tif"), (Names{"img_100.tif"}));
    EXPECT_EQ(found("i*_#.t?f"), all);
    EXPECT_EQ(found("img_{10,1}.tif"), (Names{"img_1.tif", "img_10.tif"}));
    EXPECT_EQ(found("img_2.tif"), (Names{"img_2.tif"}));
    const io::Series series = io::find_series(at("img_#.tif"));
    EXPECT_EQ(series.first(), 1U);
    EXPECT_EQ(series.numbers(), 100U);
    EXPECT_EQ(series.missing().size(), 96U);
    EXPECT_EQ(series.pattern, "img_#.tif");
}

TEST_F(Series, a_number_of_a_pattern_ends_where_its_digits_end) {
    const auto matches = [](const char* pattern, const char* name) {
        return io::NamePattern::parse(pattern).value().matches(name);
    };
    EXPECT_TRUE(matches("a_##", "a_123"));
    EXPECT_FALSE(matches("a_##", "a_1"));
    EXPECT_FALSE(matches("a_#", "a_1b"));
    EXPECT_TRUE(matches("*#", "a_12"));
    EXPECT_TRUE(matches("*_#.tif", "a_1_2.tif"));
    EXPECT_FALSE(matches("*.tif", ".a.tif"));
    EXPECT_TRUE(matches("*", "a"));
    EXPECT_FALSE(io::NamePattern::parse("a_{1}.tif").has_value());
    EXPECT_FALSE(io::NamePattern::parse("plain.tif").has_value());
    // Takes centuries where all ways to match are tried.
    const std::string many(250, 'a');
    EXPECT_FALSE(matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", many.c_str()));
}

TEST_F(Series, a_file_that_is_called_like_a_pattern_is_that_file) {
    touch({"img_#.tif", "img_1.tif", "{1,2}", "1", "2"});
    EXPECT_EQ(found("img_#.tif"), (Names{"img_#.tif"}));
    EXPECT_EQ(found("{1,2}"), (Names{"{1,2}"}));
    fs::remove(at("{1,2}"));
    EXPECT_EQ(found("{1,2}"), (Names{"1", "2"}));
}

TEST_F(Series, several_files_are_a_pattern_if_it_means_exactly_them) {
    touch({"img_008.tif", "img_009.tif", "img_1000.tif", "a#_1.tif", "a#_2.tif", "b,_1.tif", "b,_2.tif",
           "2_a_1.tif", "2_a_2.tif"});
    const Names all{"img_009.tif", "img_1000.tif", "img_008.tif"};
    EXPECT_EQ(name_of(all), "img_###.tif");
    EXPECT_EQ(name_of({"img_1000.tif", "img_008.tif"}), "img_{008,1000}.tif");
    EXPECT_EQ(name_of({"img_008.tif"}), "img_008.tif");
    EXPECT_EQ(name_of({"a#_1.tif", "a#_2.tif"}), "a#_{1,2}.tif");
    EXPECT_EQ(name_of({"2_a_1.tif", "2_a_2.tif"}), "2_a_#.tif");
    for (const Names& files :
         {Names{"img_008.tif", "img_1000.tif"}, {"a#_1.tif", "a#_2.tif"}, {"b,_1.tif", "b,_2.tif"}})
        EXPECT_EQ(found(name_of(files)), files);
    fs::create_directory(at("other"));
    EXPECT_TRUE(contains(input_error([&] {
                             name_of({"img_008.tif", "other/img_009.tif"});
                         }),
                         {"expected files from one folder", "other/img_009.tif"}));
    EXPECT_TRUE(contains(input_error([&] { name_of({"img_008.tif", "img_008.tif"}); }), {"given twice"}));
    EXPECT_TRUE(contains(input_error([&] {
                             name_of({"s_1.h5", "s_2.h5"});
                         }),
                         {"s_1.h5", "a series of " + ks::io::series_titles() +
                                        " files, found 2 files, and the first is an HDF5 file"}));
}

TEST_F(Series, doubled_and_differing_names_are_named) {
    touch({"img_1.tif", "img_01.tif", "img_2.tif", "img_3_4.tif", "mask.tif", "two_1_1.tif", "two_2_2.tif"});
    EXPECT_TRUE(
        contains(error_of("img_#.tif"), {"expected each number once, found 1 in img_01.tif and img_1.tif"}));
    EXPECT_TRUE(contains(error_of("img_*.tif"), {"names that differ in one number", "img_3_4.tif"}));
    EXPECT_TRUE(
        contains(error_of("*2.tif"), {"names that differ in one number", "img_2.tif", "two_2_2.tif"}));
    EXPECT_TRUE(contains(error_of("two_#_#.tif"), {"two_1_1.tif", "two_2_2.tif"}));
    EXPECT_TRUE(contains(error_of("ma?k.tif"), {"expected a number in the file name mask.tif"}));
    EXPECT_TRUE(contains(error_of("none_#.tif"), {"none_#.tif", "no file matches the pattern"}));
    EXPECT_TRUE(contains(error_of("no folder/#.tif"), {"the folder cannot be read"}));
    EXPECT_TRUE(contains(error_of("img_{2,5}.tif"), {"img_5.tif", "no such file"}));
}

TEST_F(Series, has_at_most_a_hundred_thousand_numbers) {
    touch({"img_1.tif", "img_100001.tif", "far_5.tif", "far_99999999999999999999999.tif"});
    EXPECT_TRUE(contains(error_of("img_#.tif"), {"at most 100000 numbers", "found 1 to 100001"}));
    EXPECT_TRUE(contains(error_of("far_#.tif"), {"the number in the file name far_9999", "is too large"}));
}

TEST_F(Series, a_folder_is_its_only_series) {
    write_images({3, 4});
    write_bytes(at("notes.txt"), "x");
    EXPECT_EQ(found(""), (Names{"img_0003.tif", "img_0004.tif"}));
    EXPECT_EQ(io::open_frames(folder.string())->frames(), 2U);
    EXPECT_EQ(first_pixel(*io::open_frames(folder.string() + "/"), 1), 400);
    write("dark_0001.tif");
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(folder.string()); }),
                         {"expected the files of one series in the folder, found dark_#.tif and img_#.tif",
                          "name one of them: " + at("dark_#.tif")}));
    const fs::path empty = folder / "empty";
    fs::create_directory(empty);
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(empty.string()); }), {"found a directory"}));
}

TEST_F(Series, frames_are_those_of_the_files_and_gaps_are_missing) {
    write_images({2, 3, 5, 11});
    const auto frames = io::open_frames(at("img_####.tif"));
    EXPECT_EQ(frames->name(), at("img_####.tif"));
    ASSERT_EQ(frames->frames(), 10U);
    EXPECT_EQ(frames->height(), height);
    EXPECT_EQ(frames->width(), width);
    EXPECT_EQ(frames->type(), ElementType::u16);
    EXPECT_TRUE(frames->reads_side_by_side());
    for (const auto& [frame, value] : {std::pair(0, 200), {1, 300}, {3, 500}, {9, 1100}}) {
        EXPECT_TRUE(frames->written(static_cast<std::size_t>(frame)));
        EXPECT_EQ(first_pixel(*frames, static_cast<std::size_t>(frame)), value);
    }
    for (const std::size_t frame : {2, 4, 8, 10}) EXPECT_FALSE(frames->written(frame)) << frame;
    EXPECT_TRUE(contains(input_error([&] { first_pixel(*frames, 2); }),
                         {"frame 2 is missing: no file of the series has the number 4"}));
    ASSERT_EQ(frames->contradictions().size(), 1U);
    EXPECT_TRUE(contains(frames->contradictions()[0], {"no file has the numbers 4, 6, 7, 8, 9, 10",
                                                       "frame 0 is the file with the number 2"}));
    std::vector<std::uint16_t> two(2 * frames->pixels());
    frames->read(0, 2, std::as_writable_bytes(std::span(two)));
    EXPECT_EQ(two[frames->pixels()], 300);
    EXPECT_EQ(two.back(), 300 + height * width - 1);
}

TEST_F(Series, several_threads_read_at_once_and_leave_no_file_open) {
    write_images({1, 2, 3, 4, 5, 6, 7, 8});
    const auto frames = io::open_frames(at("img_*.tif"));
    const auto open_files = [] {
        return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
    };
    const auto before = open_files();
    std::vector<std::uint16_t> pixels(8);
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread)
        threads.emplace_back([&, thread] {
            for (std::size_t frame = thread; frame < 8; frame += 4)
                pixels[frame] = first_pixel(*frames, frame);
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(pixels, (std::vector<std::uint16_t>{100, 200, 300, 400, 500, 600, 700, 800}));
    EXPECT_EQ(open_files(), before);
}

TEST_F(Series, a_damaged_file_is_a_damaged_frame_and_named) {
    write_images({1, 2, 3, 4});
    write_bytes(at("img_0001.tif"), "");
    write_bytes(at("img_0002.tif"), "these are words");
    fs::resize_file(at("img_0004.tif"), 20);
    const auto frames = io::open_frames(at("img_####.tif"));
    EXPECT_EQ(first_pixel(*frames, 2), 300);
    const auto damaged = [&](std::size_t frame) {
        try {
            first_pixel(*frames, frame);
        } catch (const DamagedFrame& error) {
            EXPECT_EQ(error.frame(), frame);
            return error.why();
        }
        ADD_FAILURE() << "frame " << frame << " is not damaged";
        return std::string();
    };
    EXPECT_TRUE(contains(damaged(0), {"img_0001.tif", "found an empty file"}));
    EXPECT_TRUE(contains(damaged(1), {"img_0002.tif", "not a TIFF file"}));
    EXPECT_TRUE(contains(damaged(3), {"img_0004.tif"}));
    fs::remove(at("img_0003.tif"));
    EXPECT_TRUE(contains(input_error([&] { first_pixel(*frames, 2); }), {"img_0003.tif", "no such file"}));
    EXPECT_TRUE(contains(error_of("img_####.tif"), {"img_0001.tif", "found an empty file"}));
}

TEST_F(Series, a_file_that_differs_is_refused_by_name) {
    write_images({1, 2});
    write("img_0003.tif", 0, width + 1);
    ks::tests::write_tiff_sample(at("img_0004.tif"), Array::of({height, width}, std::vector<float>(12)), {});
    ks::tests::write_tiff_sample(at("img_0005.tif"),
                                 Array::of({2, height, width}, std::vector<std::uint16_t>(24)), {});
    ks::tests::write_hdf5_sample(at("img_0006.tif"), Array::of({1, 3, 4}, std::vector<std::uint16_t>(12)));
    const auto frames = io::open_frames(at("img_####.tif"));
    const auto error = [&](std::size_t frame) { return input_error([&] { first_pixel(*frames, frame); }); };
    EXPECT_TRUE(contains(
        error(2), {"img_0003.tif", "expected a frame of 3 x 4 u16 as in img_0001.tif, found 3 x 5 u16"}));
    EXPECT_TRUE(contains(error(3), {"img_0004.tif", "found 3 x 4 f32"}));
    EXPECT_TRUE(contains(error(4), {"img_0005.tif", "expected one frame per file of a series, found 2"}));
    EXPECT_TRUE(contains(error(5), {"img_0006.tif", "expected a TIFF file, found an HDF5 file"}));
    ks::tests::write_hdf5_sample(at("s_1.h5"), Array::of({1, 3, 4}, std::vector<std::uint16_t>(12)));
    EXPECT_TRUE(contains(error_of("s_#.h5"), {"s_1.h5", "expected a series of " + ks::io::series_titles() +
                                                            " files, found an HDF5 file"}));
    EXPECT_TRUE(contains(error_of("img_####.tif::/entry"), {"the object /entry was given"}));
}

TEST_F(Series, pipes_and_sockets_are_refused_by_name) {
    write_images({1, 3});
    ASSERT_EQ(::mkfifo(at("img_0002.tif").c_str(), 0600), 0);
    EXPECT_TRUE(contains(error_of("img_####.tif"), {"img_0002.tif", "the file is a pipe"}));
    fs::remove(at("img_0002.tif"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    at("img_0002.tif").copy(address.sun_path, sizeof(address.sun_path) - 1);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_TRUE(contains(error_of("img_####.tif"), {"img_0002.tif", "the file is a socket"}));
    ::close(socket);
}

TEST_F(Series, links_to_files_elsewhere_are_not_followed_unasked) {
    const ks::tests::OwnCache data("KERNELSCOPE_DATA");
    for (const char* one : {"series", "series/below", "elsewhere"}) fs::create_directory(folder / one);
    write("series/img_1.tif", 100);
    write("series/below/x.tif", 200);
    write("elsewhere/secret.tif", 300);
    fs::create_symlink("below/x.tif", at("series/img_2.tif"));
    fs::create_directory_symlink(folder / "series", folder / "link");
    EXPECT_EQ(first_pixel(*io::open_frames(at("link/img_#.tif")), 1), 200);
    fs::create_symlink(at("elsewhere/secret.tif"), at("series/img_3.tif"));
    io::take_not_followed();
    EXPECT_TRUE(contains(error_of("series/img_#.tif"), {"secret.tif is outside the folder of", "--trust"}));
    EXPECT_EQ(io::take_not_followed().size(), 1U);
    io::allow_following(
        {fs::canonical(at("elsewhere/secret.tif")), fs::canonical(folder) / "series/img_#.tif"});
    EXPECT_EQ(first_pixel(*io::open_frames(at("series/img_#.tif")), 2), 300);
}

TEST_F(Series, another_file_changes_the_identity_and_the_key) {
    write_images({1, 2, 3});
    const std::string name = at("img_####.tif");
    const auto frames = io::open_frames(name);
    const std::string key = file_state(name);
    const FileRecord record = io::record_of_all(name);
    EXPECT_EQ(io::open_frames(name)->identity(), frames->identity());
    EXPECT_EQ(file_state(name), key);
    const auto& files = dynamic_cast<const FromFiles&>(*frames).files();
    EXPECT_EQ(files.files().size(), 3U);
    EXPECT_FALSE(files.changed());
    write("img_0002.tif", 7, width + 1);
    EXPECT_EQ(files.changed().value(), at("img_0002.tif"));
    EXPECT_NE(io::open_frames(name)->identity(), frames->identity());
    EXPECT_NE(file_state(name), key);
    EXPECT_NE(io::record_of_all(name).hash, record.hash);
    const std::string before = io::open_frames(name)->identity();
    write("img_0004.tif");
    EXPECT_NE(io::open_frames(name)->identity(), before);
}

TEST_F(Series, info_describes_the_files_and_the_missing_numbers) {
    write_images({2, 3, 5});
    const std::string text = io::describe(at("img_#.tif"));
    EXPECT_TRUE(contains(text, {at("img_####.tif"), "3 TIFF files, img_0002.tif to img_0005.tif",
                                "1 of 4: number 4", "4 frames of 3 x 4 u16", "200 to 211"}));
    EXPECT_EQ(io::describe(folder.string()), text);
    const io::FileNode tree = io::read_tree(at("img_#.tif"));
    ASSERT_EQ(tree.children.size(), 1U);
    EXPECT_TRUE(tree.children[0].frames);
    EXPECT_EQ(tree.children[0].shape, (std::vector<std::size_t>{4, 3, 4}));
}

TEST_F(Series, each_of_its_files_counts_as_read) {
    write_images({1, 2});
    write("other.tif");
    fs::create_hard_link(at("img_0002.tif"), at("linked"));
    EXPECT_EQ(io::way_to(at("img_#.tif"), at("img_0002.tif")), "");
    EXPECT_EQ(io::way_to(at("img_{0001,0002}.tif"), at("linked")), "");
    EXPECT_FALSE(io::way_to(at("img_#.tif"), at("other.tif")).has_value());
    EXPECT_TRUE(contains(input_error([&] {
                             io::require_not_read("--out", at("img_0001.tif"), {{"frames", at("img_*.tif")}});
                         }),
                         {"--out would replace a file that is read as frames"}));
}

}  // namespace series_test
