// A series in several datasets: data_000001, data_000002, ..., each behind an external link, as Eiger
// detectors write them.

#include <fmt/format.h>

#include "core/io/open_frames.h"
#include "core/io/series/file_states.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

constexpr std::size_t height = 3, width = 4;

class PartedFramesTest : public IoTest {
  protected:
    static std::string part_name(std::size_t number) { return fmt::format("data_{:06}", number); }
    /// Part `number` of `frames` frames, whose values are 100 * number and on.
    void write_part(std::size_t number, std::size_t frames, std::size_t columns = width) {
        TestFile file(at("s_" + part_name(number) + ".h5"));
        std::vector<std::uint16_t> values(frames * height * columns);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<std::uint16_t>(100 * number + i);
        file.make("/entry/data/data", H5T_STD_U16LE, {frames, height, columns}, values.data(),
                  H5T_NATIVE_UINT16, {1, height, columns}, [](hid_t p) { H5Pset_deflate(p, 1); });
    }
    /// Links to parts `first` to `parts`.
    void write_master(std::size_t parts, double images = 0, double triggers = 1, std::size_t first = 1) {
        TestFile file(at("s_master.h5"));
        file.group("/entry", "NXentry");
        file.group("/entry/data", "NXdata");
        for (std::size_t i = first; i <= parts; ++i)
            file.external_link("/entry/data/" + part_name(i), "s_" + part_name(i) + ".h5",
                               "/entry/data/data");
        const std::string specific = "/entry/instrument/detector/detectorSpecific";
        if (images > 0) file.number(specific + "/nimages", images);
        if (images > 0) file.number(specific + "/ntrigger", triggers);
    }
    std::vector<std::uint16_t> read(FrameSource& source, std::size_t first, std::size_t count) const {
        std::vector<std::uint16_t> values(count * height * width);
        source.read(first, count, std::as_writable_bytes(std::span(values)));
        return values;
    }
    std::string master() const { return at("s_master.h5"); }
};

TEST_F(PartedFramesTest, are_one_series) {
    for (const std::size_t number : {1U, 2U}) write_part(number, 4);
    write_part(3, 2);
    write_master(3);
    for (const char* object : {"", "::/entry", "::/entry/data"}) {
        const auto source = io::open_frames(master() + object);
        ASSERT_EQ(source->frames(), 10U) << object;
        EXPECT_EQ(source->name(), master() + "::/entry/data");
        const std::vector<std::uint16_t> all = read(*source, 0, 10);
        for (std::size_t frame = 0; frame < 10; ++frame) {
            EXPECT_TRUE(source->written(frame));
            const std::size_t part = frame / 4 + 1, local = frame % 4;
            EXPECT_EQ(all[frame * height * width], 100 * part + local * height * width) << frame;
        }
        // Across two borders, and from the middle of a part.
        EXPECT_EQ(read(*source, 3, 6), std::vector<std::uint16_t>(all.begin() + 3 * height * width,
                                                                  all.begin() + 9 * height * width));
    }
    EXPECT_EQ(io::open_frames(master() + "::/entry/data/data_000003")->frames(), 2U);
}

TEST_F(PartedFramesTest, keep_few_files_open) {
    constexpr std::size_t parts = 60;
    for (std::size_t number = 1; number <= parts; ++number) write_part(number, 2);
    write_master(parts);
    // HDF5 itself counts none of those behind links.
    const auto open_files = [] {
        return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
    };
    const auto before = open_files();
    const auto source = io::open_frames(master());
    const std::vector<std::uint16_t> all = read(*source, 0, 2 * parts);
    for (std::size_t frame = 0; frame < 2 * parts; ++frame) {
        EXPECT_TRUE(source->written(frame));
        EXPECT_EQ(all[frame * height * width], 100 * (frame / 2 + 1) + frame % 2 * height * width) << frame;
    }
    EXPECT_LT(open_files() - before, 30);
    EXPECT_EQ(read(*source, 0, 1)[0], 100);
}

TEST_F(PartedFramesTest, are_known_when_a_file_changes) {
    write_part(1, 2);
    write_part(2, 2);
    write_master(2);
    const auto source = io::open_frames(master());
    const auto& files = dynamic_cast<const FromFiles&>(*source).files();
    EXPECT_FALSE(files.changed());
    const std::string before = source->identity();
    { std::ofstream(at("s_data_000002.h5"), std::ios::app | std::ios::binary) << "more"; }
    EXPECT_EQ(files.changed().value_or(""), fs::path(at("s_data_000002.h5")));
}

TEST_F(PartedFramesTest, miss_the_frames_of_a_part_that_is_not_there) {
    write_part(1, 4);
    write_part(3, 2);
    write_master(3);
    const auto source = io::open_frames(master());
    ASSERT_EQ(source->frames(), 10U);
    for (std::size_t frame = 0; frame < 10; ++frame)
        EXPECT_EQ(source->written(frame), frame < 4 || frame >= 8) << frame;
    EXPECT_EQ(read(*source, 8, 1)[0], 300);
    EXPECT_TRUE(contains(input_error([&] { read(*source, 3, 2); }),
                         {"frame 4 is in /entry/data/data_000002", "s_data_000002.h5 is missing"}));
    EXPECT_TRUE(contains(io::describe(master()),
                         {"the parts in /entry/data, 10 frames of 3 x 4 u16", "4 of 10 frames"}));
}

TEST_F(PartedFramesTest, count_what_the_last_part_should_have) {
    write_part(1, 4);
    write_part(2, 4);
    write_master(3, 5, 2);  // 5 images for each of 2 triggers
    const auto source = io::open_frames(master());
    EXPECT_EQ(source->frames(), 10U);
    EXPECT_TRUE(source->written(7));
    EXPECT_FALSE(source->written(8));
}

TEST_F(PartedFramesTest, refuse_a_series_whose_length_is_not_known) {
    write_part(1, 4);
    write_master(2);
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(master()); }),
                         {"/entry/data/data_000002 cannot be opened, so its number of frames is not known",
                          "s_data_000002.h5 is missing", "FILE::/path"}));
    // More than a part holds are left: the number is of something else.
    write_master(2, 100);
    EXPECT_TRUE(
        contains(input_error([&] { io::open_frames(master()); }), {"number of frames", "data_000002"}));
}

TEST_F(PartedFramesTest, refuse_parts_that_differ_and_parts_of_which_none_is_there) {
    write_part(1, 4);
    write_part(2, 4, width + 1);
    write_master(2);
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(master()); }),
                         {"data_000002", "expected frames of 3 x 4 u16", "found 3 x 5 u16"}));
    fs::remove(at("s_data_000001.h5"));
    fs::remove(at("s_data_000002.h5"));
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(master()); }),
                         {"none of the 2 parts of the series can be opened", "is missing"}));
}

TEST_F(PartedFramesTest, leave_the_choice_to_a_signal_and_to_a_whole_dataset) {
    write_part(1, 4);
    write_part(2, 4);
    write_master(2);
    {
        const hid_t file = H5Fopen(master().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        H5Lcreate_external("s_data_000001.h5", "/entry/data/data", file, "/entry/data/data", H5P_DEFAULT,
                           H5P_DEFAULT);
        H5Fclose(file);
    }
    EXPECT_EQ(io::open_frames(master())->frames(), 4U);
}

TEST_F(PartedFramesTest, miss_those_of_parts_that_are_not_linked) {
    struct Row {
        std::size_t first, last;  ///< parts that are linked
        std::size_t from, to;     ///< frames that are there
    };
    for (const std::size_t number : {1U, 2U}) write_part(number, 4);
    write_part(3, 2);
    for (const Row& row : {Row{2, 3, 4, 10}, Row{1, 2, 0, 8}, Row{1, 1, 0, 4}, Row{2, 2, 4, 8}}) {
        write_master(row.last, 10, 1, row.first);
        const auto source = io::open_frames(master());
        ASSERT_EQ(source->frames(), 10U) << row.first;
        EXPECT_TRUE(source->contradictions().empty());
        for (std::size_t frame = 0; frame < 10; ++frame) {
            ASSERT_EQ(source->written(frame), frame >= row.from && frame < row.to) << row.first << frame;
            if (source->written(frame)) {
                EXPECT_EQ(read(*source, frame, 1)[0], 100 * (frame / 4 + 1) + frame % 4 * height * width);
            } else {
                EXPECT_TRUE(contains(input_error([&] { read(*source, frame, 1); }),
                                     {"frame " + std::to_string(frame), "gives 10 images",
                                      "the file contains no link to this part"}));
            }
        }
    }
}

TEST_F(PartedFramesTest, tell_of_a_number_of_images_that_contradicts_them) {
    write_part(1, 4);
    write_part(2, 2);
    // A last part that is not full ends the series; fewer than there are cannot be.
    for (const double images : {100.0, 5.0}) {
        write_master(2, images);
        const auto source = io::open_frames(master());
        EXPECT_EQ(source->frames(), 6U);
        ASSERT_EQ(source->contradictions().size(), 1U);
        EXPECT_TRUE(contains(source->contradictions()[0],
                             {"gives " + std::to_string(static_cast<int>(images)) + " images", "contain 6"}));
    }
    {
        TestFile file(at("one.h5"));
        file.ramp("/entry/data/data", {4, height, width});
        file.number("/entry/instrument/detector/detectorSpecific/nimages", 5);
    }
    const auto whole = io::open_frames(at("one.h5"));
    EXPECT_EQ(whole->frames(), 4U);
    ASSERT_EQ(whole->contradictions().size(), 1U);
    EXPECT_TRUE(contains(whole->contradictions()[0], {"gives 5 images", "/entry/data/data contains 4"}));
}

}  // namespace
}  // namespace ks::tests
