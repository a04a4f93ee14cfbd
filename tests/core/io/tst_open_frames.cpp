#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <thread>

#include "core/io/open_frames.h"
#include "tests/beamline_files.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

using io::open_frames;

class OpenFrames : public IoTest {
  protected:
    std::string error_of(const std::string& name) {
        return input_error([&] { open_frames(name); });
    }
    template <class T>
    static std::vector<T> values_of(FrameSource& source, std::size_t first, std::size_t count) {
        std::vector<T> values(count * source.pixels());
        source.read(first, count, std::as_writable_bytes(std::span(values)));
        return values;
    }
};

TEST_F(OpenFrames, NoSuchFile) {
    EXPECT_TRUE(contains(error_of(at("no.h5")), {"no.h5", "no such file"}));
}

TEST_F(OpenFrames, ADirectory) {
    EXPECT_TRUE(contains(error_of(folder.string()), {"found a directory"}));
}

TEST_F(OpenFrames, NotHdf5) {
    write_bytes(at("text.h5"), "module,x,y,adc\n");
    EXPECT_TRUE(contains(error_of(at("text.h5")), {"text.h5", "not an HDF5 file"}));
    write_bytes(at("empty.h5"), "");
    EXPECT_TRUE(contains(error_of(at("empty.h5")), {"found an empty file"}));
}

TEST_F(OpenFrames, TruncatedAnywhere) {
    { TestFile(at("whole.h5")).ramp("/data", {4, 64, 64}); }
    const std::string bytes = read_bytes(at("whole.h5"));
    for (const std::size_t kept : {bytes.size() - 1, bytes.size() / 2, std::size_t{600}, std::size_t{90}}) {
        write_bytes(at("part.h5"), bytes.substr(0, kept));
        EXPECT_TRUE(contains(error_of(at("part.h5")), {"part.h5", "truncated"})) << kept;
    }
}

TEST_F(OpenFrames, AFileThatShrinksAfterItWasOpened) {
    { TestFile(at("f.h5")).ramp("/data", {4, 64, 64}); }
    const auto source = open_frames(at("f.h5"));
    fs::resize_file(at("f.h5"), fs::file_size(at("f.h5")) - 64 * 64 * 2 * 2);
    EXPECT_TRUE(contains(input_error([&] { values_of<std::uint16_t>(*source, 0, 4); }),
                         {"f.h5::/data", "truncated"}));
}

TEST_F(OpenFrames, MissingDatasetNamesWhatIsThere) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/entry/data/first", {2, 3, 4});
        file.ramp("/entry/data/second", {2, 3, 4});
    }
    EXPECT_TRUE(contains(error_of(at("f.h5") + "::/entry/data/data"),
                         {"f.h5::/entry/data/data", "no such object", "/entry/data contains first, second"}));
    EXPECT_TRUE(contains(error_of(at("f.h5") + "::/entry/data/first/x"), {"/entry/data/first is a dataset"}));
}

TEST_F(OpenFrames, DanglingLinksNameTheirTarget) {
    {
        TestFile file(at("f.h5"));
        file.soft_link("/soft", "/nowhere");
        file.external_link("/away", "gone.h5", "/entry/data");
        file.external_link("/inside", "other.h5", "/entry/none");
        TestFile(at("other.h5")).ramp("/entry/data", {2, 3, 4});
    }
    EXPECT_TRUE(contains(error_of(at("f.h5") + "::/soft"), {"f.h5::/soft", "/nowhere", "does not exist"}));
    EXPECT_TRUE(contains(error_of(at("f.h5") + "::/away"), {"f.h5::/away", "gone.h5", "missing"}));
    EXPECT_TRUE(contains(error_of(at("f.h5") + "::/inside"), {"other.h5::/entry/none", "cannot be opened"}));
}

TEST_F(OpenFrames, ExternalLinksAreFollowed) {
    {
        TestFile(at("other.h5")).ramp("/stack", {2, 3, 4});
        TestFile(at("f.h5")).external_link("/entry/data/data", "other.h5", "/stack");
    }
    const auto source = open_frames(at("f.h5"));
    EXPECT_EQ(values_of<std::uint16_t>(*source, 1, 1).front(), 12);
}

TEST_F(OpenFrames, WrongTypesAndShapes) {
    {
        TestFile file(at("f.h5"));
        const hid_t text = H5Tcopy(H5T_C_S1);
        H5Tset_size(text, 4);
        file.make("/strings", text, {2, 3, 4});
        H5Tclose(text);
        const hid_t pair = H5Tcreate(H5T_COMPOUND, 8);
        H5Tinsert(pair, "a", 0, H5T_STD_I32LE);
        H5Tinsert(pair, "b", 4, H5T_STD_I32LE);
        file.make("/pairs", pair, {2, 3, 4});
        H5Tclose(pair);
        file.ramp("/line", {12});
        file.ramp("/four", {2, 2, 2, 2});
        file.make("/none", H5T_STD_U16LE, {0, 3, 4});
        file.make("/flat", H5T_STD_U16LE, {2, 0, 4});
        file.group("/group");
    }
    const std::string f = at("f.h5") + "::";
    const std::string types = "u8, u16, u32, u64, i16, i32, i64, f32 or f64";
    EXPECT_TRUE(contains(error_of(f + "/strings"), {"::/strings", types, "found strings"}));
    EXPECT_TRUE(contains(error_of(f + "/pairs"), {"::/pairs", "found compound"}));
    EXPECT_TRUE(contains(error_of(f + "/line"), {"::/line", "found 1 dimension [12]"}));
    EXPECT_TRUE(contains(error_of(f + "/four"), {"::/four", "found 2 scans of 2 frames [2, 2, 2, 2]"}));
    EXPECT_TRUE(contains(error_of(f + "/none"), {"::/none", "at least one frame", "[0, 3, 4]"}));
    EXPECT_TRUE(contains(error_of(f + "/flat"), {"::/flat", "[2, 0, 4]"}));
    EXPECT_TRUE(contains(error_of(f + "/group"), {"::/group", "no numeric dataset"}));
}

TEST_F(OpenFrames, BigEndianAndEveryTypeReadAsWritten) {
    const std::vector<int> numbers{0, 1, 2, 100, 101, 102};
    {
        TestFile file(at("f.h5"));
        for (const auto& [name, type] :
             std::initializer_list<std::pair<const char*, hid_t>>{{"/u8", H5T_STD_U8BE},
                                                                  {"/u16", H5T_STD_U16BE},
                                                                  {"/u32", H5T_STD_U32BE},
                                                                  {"/i8", H5T_STD_I8LE},
                                                                  {"/i16", H5T_STD_I16BE},
                                                                  {"/i32", H5T_STD_I32BE},
                                                                  {"/i64", H5T_STD_I64BE},
                                                                  {"/f32", H5T_IEEE_F32BE}})
            file.make(name, type, {2, 1, 3}, numbers.data(), H5T_NATIVE_INT);
    }
    for (const char* name : {"u8", "u16", "u32", "i8", "i16", "i32", "i64", "f32"}) {
        const auto source = open_frames(at("f.h5") + "::/" + name);
        Array frames(source->type(), {2, 1, 3});
        source->read(0, 2, frames.bytes());
        const std::vector<double> read = frames.to_doubles();
        EXPECT_EQ(name_of(source->type()),
                  std::string(name) == "i8" ? std::string("i16") : std::string(name));
        EXPECT_TRUE(std::equal(read.begin(), read.end(), numbers.begin(), numbers.end())) << name;
    }
}

TEST_F(OpenFrames, WideIntegersFailAtReadWithFrameAndValue) {
    const std::vector<std::int64_t> values{1, -5, 2147483647, -2147483648LL, 7, 2147483648LL};
    { TestFile(at("f.h5")).make("/data", H5T_STD_I64LE, {3, 1, 2}, values.data(), H5T_NATIVE_INT64); }
    const auto source = open_frames(at("f.h5"));
    EXPECT_EQ(values_of<std::int64_t>(*source, 0, 2),
              (std::vector<std::int64_t>{1, -5, 2147483647, -2147483648LL}));
    EXPECT_TRUE(contains(input_error([&] { values_of<std::int64_t>(*source, 1, 2); }),
                         {"2147483648", "frame 2", "row 0, column 1"}));
}

TEST_F(OpenFrames, EveryLayoutGivesTheSameFrames) {
    const hid_t with_user_block = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(with_user_block, 512);
    {
        TestFile file(at("f.h5"), with_user_block);
        file.ramp("/plain", {10, 20, 30});
        file.ramp("/by_frame", {10, 20, 30}, {1, 20, 30});
        file.ramp("/across", {10, 20, 30}, {4, 7, 9}, [](hid_t p) { H5Pset_deflate(p, 1); });
    }
    H5Pclose(with_user_block);
    for (const char* name : {"plain", "by_frame", "across"}) {
        const auto source = open_frames(at("f.h5") + "::/" + name);
        EXPECT_EQ(source->frames(), 10u);
        EXPECT_EQ(source->height(), 20u);
        EXPECT_EQ(source->width(), 30u);
        for (const auto& [first, count] :
             {std::pair<std::size_t, std::size_t>{0, 10}, {3, 1}, {7, 3}, {5, 0}}) {
            const auto values = values_of<std::uint16_t>(*source, first, count);
            for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], first * 600 + i) << name;
        }
        std::vector<std::byte> room(source->frame_bytes());
        EXPECT_THROW(source->read(10, 1, room), Error);
        EXPECT_THROW(source->read(0, 2, room), Error);
    }
}

TEST_F(OpenFrames, ATwoDimensionalDatasetIsOneFrame) {
    { TestFile(at("f.h5")).ramp("/image", {3, 4}); }
    const auto source = open_frames(at("f.h5"));
    EXPECT_EQ(source->frames(), 1u);
    EXPECT_EQ(values_of<std::uint16_t>(*source, 0, 1).back(), 11);
}

TEST_F(OpenFrames, AFrameThatWasNeverWritten) {
    {
        TestFile file(at("f.h5"));
        file.make("/late", H5T_STD_U16LE, {3, 4, 4});
        file.ramp("/whole", {20, 4, 4}, {1, 4, 4}, [](hid_t p) { H5Pset_deflate(p, 1); });
        file.make("/holes", H5T_STD_U16LE, {20, 4, 4}, nullptr, -1, {2, 4, 2});
        const hid_t dataset = H5Dopen2(file.id(), "/holes", H5P_DEFAULT);
        const hid_t space = H5Dget_space(dataset);
        const std::vector<std::uint16_t> ones(20 * 4 * 4, 1);
        for (const auto& [frame, count] : {std::pair<hsize_t, hsize_t>{0, 12}, {14, 6}}) {
            const hsize_t start[3] = {frame, 0, 0}, block[3] = {count, 4, 4};
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
            const hid_t memory = H5Screate_simple(3, block, nullptr);
            ASSERT_GE(H5Dwrite(dataset, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, ones.data()), 0);
            H5Sclose(memory);
        }
        H5Sclose(space);
        H5Dclose(dataset);
    }
    const auto holes = open_frames(at("f.h5") + "::/holes");
    EXPECT_EQ(values_of<std::uint16_t>(*holes, 0, 12), std::vector<std::uint16_t>(12 * 16, 1));
    EXPECT_EQ(values_of<std::uint16_t>(*holes, 14, 6), std::vector<std::uint16_t>(6 * 16, 1));
    EXPECT_TRUE(contains(input_error([&] { values_of<std::uint16_t>(*holes, 0, 20); }),
                         {"f.h5::/holes", "frame 12 was never written"}));
    EXPECT_TRUE(contains(input_error([&] { values_of<std::uint16_t>(*holes, 13, 1); }), {"frame 13"}));
    const auto late = open_frames(at("f.h5") + "::/late");
    EXPECT_TRUE(
        contains(input_error([&] { values_of<std::uint16_t>(*late, 1, 1); }), {"frame 1 was never written"}));
    EXPECT_EQ(values_of<std::uint16_t>(*open_frames(at("f.h5") + "::/whole"), 19, 1).back(), 319);
}

TEST_F(OpenFrames, SaysOfEachFrameWhetherItWasWritten) {
    const std::vector<bool> written{true, false, true, false, true};
    {
        TestFile file(at("f.h5"));
        file.ramp("/contiguous", {5, 4, 4});
        file.make("/late", H5T_STD_U16LE, {5, 4, 4});
        file.make("/holes", H5T_STD_U16LE, {5, 4, 4}, nullptr, -1, {1, 4, 4});
        file.make("/image", H5T_STD_U16LE, {4, 4}, nullptr, -1, {2, 4});
        const hid_t dataset = H5Dopen2(file.id(), "/holes", H5P_DEFAULT);
        const std::vector<std::uint16_t> ones(16, 1);
        const hsize_t block[3] = {1, 4, 4};
        const hid_t memory = H5Screate_simple(3, block, nullptr), space = H5Dget_space(dataset);
        for (std::size_t frame = 0; frame < written.size(); ++frame) {
            if (!written[frame]) continue;
            const hsize_t start[3] = {frame, 0, 0};
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
            ASSERT_GE(H5Dwrite(dataset, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, ones.data()), 0);
        }
        H5Sclose(space);
        H5Sclose(memory);
        H5Dclose(dataset);
    }
    const auto all = [&](const char* path) {
        const auto source = open_frames(at("f.h5") + path);
        std::vector<bool> found;
        for (std::size_t frame = 0; frame < source->frames(); ++frame) {
            found.push_back(source->written(frame));
            if (found.back()) {
                EXPECT_NO_THROW(values_of<std::uint16_t>(*source, frame, 1)) << path << frame;
            } else {
                input_error([&] { values_of<std::uint16_t>(*source, frame, 1); });
            }
        }
        EXPECT_FALSE(source->written(source->frames()));
        return found;
    };
    EXPECT_EQ(all("::/holes"), written);
    EXPECT_EQ(all("::/contiguous"), std::vector<bool>(5, true));
    EXPECT_EQ(all("::/late"), std::vector<bool>(5, false));
    EXPECT_EQ(all("::/image"), std::vector<bool>(1, false));
}

TEST_F(OpenFrames, ADamagedChunkFailsNamingItsFrame) {
    haddr_t address = 0;
    hsize_t size = 0;
    {
        TestFile file(at("f.h5"));
        file.ramp("/data", {3, 32, 32}, {1, 32, 32}, [](hid_t p) { H5Pset_deflate(p, 6); });
        const hid_t dataset = H5Dopen2(file.id(), "/data", H5P_DEFAULT);
        const hsize_t offset[3] = {1, 0, 0};
        unsigned mask = 0;
        ASSERT_GE(H5Dget_chunk_info_by_coord(dataset, offset, &mask, &address, &size), 0);
        H5Dclose(dataset);
    }
    std::string bytes = read_bytes(at("f.h5"));
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(address), size, '\x55');
    write_bytes(at("f.h5"), bytes);
    const auto source = open_frames(at("f.h5"));
    EXPECT_EQ(values_of<std::uint16_t>(*source, 2, 1).front(), 2048);
    EXPECT_TRUE(
        contains(input_error([&] { values_of<std::uint16_t>(*source, 1, 1); }), {"frame 1 cannot be read"}));
}

TEST_F(OpenFrames, DefaultSignal) {
    {
        TestFile file(at("nexus.h5"));
        file.group("/a", "NXentry");
        file.group("/b", "NXentry");
        file.text_attribute("/", "default", "b");
        file.group("/b/other", "NXdata");
        file.group("/b/shown", "NXdata");
        file.text_attribute("/b", "default", "shown");
        file.text_attribute("/b/shown", "signal", "counts");
        file.ramp("/b/other/data", {2, 3, 4});
        file.ramp("/b/shown/counts", {5, 3, 4});
        file.ramp("/b/shown/more", {2, 3, 4});
    }
    EXPECT_EQ(open_frames(at("nexus.h5"))->name(), at("nexus.h5") + "::/b/shown/counts");
    EXPECT_EQ(open_frames(at("nexus.h5") + "::/b/other")->name(), at("nexus.h5") + "::/b/other/data");
    {
        TestFile file(at("old.h5"));
        file.group("/entry", "NXentry");
        file.group("/entry/data", "NXdata");
        file.ramp("/entry/data/aaa", {2, 3, 4});
        file.ramp("/entry/data/image", {3, 4});
        file.text_attribute("/entry/data/image", "signal", "1");
    }
    EXPECT_EQ(open_frames(at("old.h5"))->name(), at("old.h5") + "::/entry/data/image");
}

TEST_F(OpenFrames, WithoutNexusTheUsualPlaceThenTheOnlyCandidate) {
    {
        TestFile usual(at("usual.h5"));
        usual.ramp("/entry/data/data", {2, 3, 4});
        usual.ramp("/reference/other", {2, 3, 4});
        TestFile only(at("only.h5"));
        only.ramp("/x/stack", {2, 3, 4});
        only.ramp("/x/mask", {3, 4});
        only.soft_link("/x/again", "/x/stack");
        TestFile several(at("several.h5"));
        several.ramp("/p", {2, 3, 4});
        several.ramp("/q", {2, 3, 4});
    }
    EXPECT_EQ(io::DataName::parse(open_frames(at("usual.h5"))->name()).object, "/entry/data/data");
    EXPECT_EQ(open_frames(at("only.h5"))->frames(), 2u);
    EXPECT_TRUE(
        contains(error_of(at("several.h5")), {"2 datasets could be the frames: /p, /q", "FILE::/path"}));
}

TEST_F(OpenFrames, GroupCyclesEnd) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/a/b/stack", {2, 3, 4});
        H5Lcreate_hard(file.id(), "/a", file.id(), "/a/b/back", H5P_DEFAULT, H5P_DEFAULT);
    }
    EXPECT_EQ(open_frames(at("f.h5"))->frames(), 2u);
    EXPECT_EQ(io::read_tree(at("f.h5")).children.size(), 1u);
}

TEST_F(OpenFrames, IdentityFollowsTheFile) {
    { TestFile(at("f.h5")).ramp("/data", {2, 3, 4}); }
    const std::string before = open_frames(at("f.h5"))->identity();
    EXPECT_EQ(open_frames(at("f.h5"))->identity(), before);
    fs::create_symlink(at("f.h5"), at("link.h5"));
    EXPECT_EQ(open_frames(at("link.h5") + "::/data")->identity().substr(0, at("f.h5").size()),
              fs::canonical(at("f.h5")));
    fs::last_write_time(at("f.h5"), fs::last_write_time(at("f.h5")) + std::chrono::seconds(1));
    EXPECT_NE(open_frames(at("f.h5"))->identity(), before);
}

TEST_F(OpenFrames, FrameTimeInItsUnit) {
    struct Row {
        const char* unit;
        double seconds;
    };
    for (const Row row :
         {Row{"", 20}, Row{"s", 20}, Row{"ms", 0.02}, Row{"us", 2e-5}, Row{"ns", 2e-8}, Row{"parsec", 0}}) {
        {
            TestFile file(at("f.h5"));
            file.ramp("/entry/data/data", {2, 3, 4});
            file.group("/entry/instrument/eiger", "NXdetector");
            file.number("/entry/instrument/eiger/frame_time", 20, row.unit);
            file.number("/entry/instrument/eiger/count_time", 7);
        }
        const auto time = open_frames(at("f.h5"))->frame_time();
        EXPECT_EQ(time.has_value(), row.seconds > 0) << row.unit;
        if (time) {
            EXPECT_DOUBLE_EQ(*time, row.seconds) << row.unit;
        }
    }
    { TestFile(at("none.h5")).ramp("/data", {2, 3, 4}); }
    EXPECT_FALSE(open_frames(at("none.h5"))->frame_time());
}

TEST_F(OpenFrames, TwoThreadsReadTwoFiles) {
    for (const char* name : {"a.h5", "b.h5"})
        TestFile(at(name)).ramp("/data", {40, 20, 20}, {1, 20, 20}, [](hid_t p) { H5Pset_deflate(p, 1); });
    std::array<std::size_t, 2> wrong{};
    const auto work = [&](std::size_t which) {
        const auto source = open_frames(at(which == 0 ? "a.h5" : "b.h5"));
        for (std::size_t t = 0; t < 40; ++t)
            if (values_of<std::uint16_t>(*source, t, 1).back() != t * 400 + 399) ++wrong[which];
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
    EXPECT_EQ(wrong[0] + wrong[1], 0u);
}

TEST_F(OpenFrames, ReadArray) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/labels", {3, 4});
        file.ramp("/line", {5});
        const hid_t boolean = H5Tenum_create(H5T_STD_I8LE);
        const std::int8_t no = 0, yes = 1;
        H5Tenum_insert(boolean, "FALSE", &no);
        H5Tenum_insert(boolean, "TRUE", &yes);
        const std::int8_t mask[4] = {0, 1, 1, 0};
        file.make("/sub/mask", boolean, {2, 2, 1}, mask, boolean);
        H5Tclose(boolean);
    }
    const Array labels = io::read_array(at("f.h5"), 2);
    EXPECT_EQ(labels.shape(), (std::vector<std::size_t>{3, 4}));
    EXPECT_EQ(labels.as<std::uint16_t>()[11], 11);
    EXPECT_EQ(io::read_array(at("f.h5") + "::/sub/mask", 3).to_doubles(), (std::vector<double>{0, 1, 1, 0}));
    EXPECT_TRUE(contains(input_error([&] { io::read_array(at("f.h5") + "::/line", 2); }),
                         {"::/line", "expected 2 dimensions, found 1 [5]"}));
    EXPECT_TRUE(contains(input_error([&] { io::read_array(at("f.h5") + "::/labels", 1); }),
                         {"::/labels", "expected 1 dimension, found 2 [3, 4]"}));
    EXPECT_TRUE(contains(input_error([&] { io::read_array(at("f.h5"), 4); }), {"no numeric dataset of 4"}));
}

TEST_F(OpenFrames, FilesOfBeamlinesAndTheReference) {
    beamline::write_series(at("series.h5"));
    beamline::write_rings(at("rings.h5"));
    const auto saxs = open_frames(at("series.h5"));
    EXPECT_EQ(io::DataName::parse(saxs->name()).object, "/entry/data/frames");
    EXPECT_EQ(saxs->frames(), 10u);
    EXPECT_EQ(saxs->height(), 195u);
    EXPECT_EQ(saxs->width(), 487u);
    EXPECT_EQ(saxs->type(), ElementType::i32);
    const auto one = open_frames(at("rings.h5"));
    EXPECT_EQ(io::DataName::parse(one->name()).object, "/entry/data/data");
    EXPECT_EQ(one->frames(), 1u);
    const auto pixels = values_of<std::int32_t>(*one, 0, 1);
    EXPECT_EQ(*std::max_element(pixels.begin(), pixels.end()), beamline::rings_largest);
    const auto rings = open_frames(reference_data("xpcs_rings_u8.h5"));
    EXPECT_EQ(io::DataName::parse(rings->name()).object, "/entry/data/data");
    EXPECT_EQ(rings->type(), ElementType::u8);
    EXPECT_EQ(rings->frames(), 300u);
}

}  // namespace
}  // namespace ks::tests
