// Frames as they lie in a file: which files have such, where their bytes are, and what becomes of a file that
// is not what it was.

#include <cstring>
#include <random>

#include "core/base/parallel.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests::packed {
namespace {

using io::h5::Codec;
using io::h5::Handle;

constexpr std::size_t frames = 7, height = 65, width = 67;

std::vector<std::uint16_t> counts() {
    std::vector<std::uint16_t> values(frames * height * width);
    std::mt19937 random(5);
    for (std::uint16_t& value : values) value = static_cast<std::uint16_t>(random() % 16 == 0 ? random() : 1);
    return values;
}

class PackedFramesTest : public IoTest {
  protected:
    /// @param first, count of the frames of counts() that it has
    std::string write(const std::string& name, Codec codec, std::size_t first = 0,
                      std::size_t count = frames) const {
        io::h5::Writer writer(at(name), name);
        const std::vector<std::uint16_t> values = counts();
        auto stack = writer.stack("/entry/data/data", ElementType::u16, count, height, width, {codec, 1});
        const std::size_t bytes = height * width * 2;
        writer.put(stack, 0, std::as_bytes(std::span(values)).subspan(first * bytes, count * bytes));
        writer.finish(std::move(stack), "/entry/data/data");
        writer.close();
        return at(name) + "::/entry/data/data";
    }
};

/// What HDF5 says the chunk is.
std::vector<std::byte> chunk_of(const std::string& file, const std::string& path,
                                std::vector<hsize_t> offset) {
    const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Handle dataset(H5Dopen2(opened, path.c_str(), H5P_DEFAULT));
    hsize_t bytes = 0;
    EXPECT_GE(H5Dget_chunk_storage_size(dataset, offset.data(), &bytes), 0);
    std::vector<std::byte> chunk(bytes);
    std::uint32_t skipped = 0;
    EXPECT_GE(H5Dread_chunk(dataset, H5P_DEFAULT, offset.data(), &skipped, chunk.data()), 0);
    EXPECT_EQ(skipped, 0U);
    return chunk;
}

std::vector<std::byte> bytes_of(const PackedFrames& packed, std::size_t frame) {
    const auto place = packed.find_packed(frame);
    if (!place) return {};
    std::vector<std::byte> bytes(place->bytes);
    EXPECT_TRUE(packed.read_packed(frame, *place, bytes)) << frame;
    return bytes;
}

TEST_F(PackedFramesTest, are_the_bytes_of_the_chunks_on_any_thread) {
    const auto source = io::open_frames(write("f.h5", Codec::bslz4));
    const PackedFrames* const packed = source->packed();
    ASSERT_NE(packed, nullptr);
    std::vector<std::vector<std::byte>> found(frames * 4);
    parallel_for(found.size(), 4, [&](std::size_t i) { found[i] = bytes_of(*packed, i % frames); });
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_EQ(found[i], chunk_of(at("f.h5"), "/entry/data/data", {i % frames, 0, 0})) << i;
}

TEST_F(PackedFramesTest, are_those_of_other_codecs_neither_nor_of_chunks_that_are_no_frames) {
    for (const Codec codec : {Codec::none, Codec::gzip, Codec::zstd})
        EXPECT_EQ(io::open_frames(write("f.h5", codec))->packed(), nullptr);
    const std::vector<std::uint64_t> values(2 * 16 * 16);
    const auto bits = [](hid_t p) {
        const unsigned numbers[2] = {0, 2};
        H5Pset_filter(p, 32008, H5Z_FLAG_MANDATORY, 2, numbers);
    };
    const auto made = [&](hid_t type, const TestFile::Shape& chunk) {
        { TestFile(at("g.h5")).make("/data", type, {2, 16, 16}, values.data(), type, chunk, bits); }
        return io::open_frames(at("g.h5") + "::/data");
    };
    EXPECT_NE(made(H5T_NATIVE_UINT16, {1, 16, 16})->packed(), nullptr);
    EXPECT_NE(made(H5T_NATIVE_INT32, {1, 16, 16})->packed(), nullptr);
    EXPECT_EQ(made(H5T_NATIVE_UINT16, {1, 8, 16})->packed(), nullptr);
    EXPECT_EQ(made(H5T_NATIVE_UINT16, {2, 16, 16})->packed(), nullptr);
    // Read as 32 bits.
    EXPECT_EQ(made(H5T_NATIVE_UINT64, {1, 16, 16})->packed(), nullptr);
}

TEST_F(PackedFramesTest, are_not_looked_for_in_a_file_that_begins_with_something_else) {
    const Handle create(H5Pcreate(H5P_FILE_CREATE));
    H5Pset_userblock(create, 512);
    const std::vector<std::uint16_t> values = counts();
    {
        TestFile file(at("u.h5"), create);
        file.make("/data", H5T_NATIVE_UINT16, {frames, height, width}, values.data(), H5T_NATIVE_UINT16,
                  {1, height, width}, [](hid_t p) {
                      const unsigned numbers[2] = {0, 2};
                      H5Pset_filter(p, 32008, H5Z_FLAG_MANDATORY, 2, numbers);
                  });
    }
    const auto source = io::open_frames(at("u.h5") + "::/data");
    EXPECT_EQ(source->packed(), nullptr);
    std::vector<std::uint16_t> found(values.size());
    source->read(0, frames, std::as_writable_bytes(std::span(found)));
    EXPECT_EQ(found, values);
}

TEST_F(PackedFramesTest, are_not_looked_for_among_so_many_small_ones_that_it_would_take_long) {
    constexpr std::size_t many = 200, side = 64;
    const std::vector<std::uint16_t> values(many * side * side, 7);
    for (const std::size_t count : {std::size_t{100}, many}) {
        {
            io::h5::Writer writer(at("m.h5"), "m.h5");
            auto stack = writer.stack("/data", ElementType::u16, count, side, side, {Codec::bslz4, 0});
            writer.put(stack, 0, std::as_bytes(std::span(values)).first(count * side * side * 2));
            writer.finish(std::move(stack), "/data");
            writer.close();
        }
        const auto source = io::open_frames(at("m.h5") + "::/data");
        EXPECT_EQ(source->packed() != nullptr, count * 64 <= side * side * 2);
        std::vector<std::uint16_t> found(count * side * side);
        source->read(0, count, std::as_writable_bytes(std::span(found)));
        EXPECT_TRUE(std::ranges::equal(found, std::span(values).first(found.size())));
    }
}

TEST_F(PackedFramesTest, of_a_scan_are_its_own) {
    const std::vector<std::uint16_t> values = counts();
    {
        TestFile(at("scans.h5"))
            .make("/data", H5T_NATIVE_UINT16, {2, 3, height, width}, values.data(), H5T_NATIVE_UINT16,
                  {1, 1, height, width}, [](hid_t p) {
                      const unsigned numbers[2] = {0, 2};
                      H5Pset_filter(p, 32008, H5Z_FLAG_MANDATORY, 2, numbers);
                  });
    }
    const auto source = io::open_frames(at("scans.h5") + "::/data[1]");
    ASSERT_NE(source->packed(), nullptr);
    for (std::size_t k = 0; k < 3; ++k)
        EXPECT_EQ(bytes_of(*source->packed(), k), chunk_of(at("scans.h5"), "/data", {1, k, 0, 0})) << k;
}

TEST_F(PackedFramesTest, of_a_series_in_parts_are_those_of_its_parts) {
    write("s_data_000001.h5", Codec::bslz4, 0, 4);
    write("s_data_000002.h5", Codec::bslz4, 4, 3);
    const auto write_master = [&](int parts) {
        TestFile file(at("s_master.h5"));
        file.group("/entry", "NXentry");
        file.group("/entry/data", "NXdata");
        for (int i = 1; i <= parts; ++i) {
            const std::string name = "data_00000" + std::to_string(i);
            file.external_link("/entry/data/" + name, "s_" + name + ".h5", "/entry/data/data");
        }
    };
    write_master(2);
    auto source = io::open_frames(at("s_master.h5"));
    ASSERT_NE(source->packed(), nullptr);
    ASSERT_EQ(source->frames(), frames);
    for (std::size_t k = 0; k < frames; ++k)
        EXPECT_EQ(bytes_of(*source->packed(), k),
                  k < 4 ? chunk_of(at("s_data_000001.h5"), "/entry/data/data", {k, 0, 0})
                        : chunk_of(at("s_data_000002.h5"), "/entry/data/data", {k - 4, 0, 0}))
            << k;
    source.reset();
    write("s_data_000002.h5", Codec::gzip, 4, 3);
    EXPECT_EQ(io::open_frames(at("s_master.h5"))->packed(), nullptr);
}

TEST_F(PackedFramesTest, whose_filter_was_left_out_lie_there_in_another_form) {
    write("f.h5", Codec::bslz4);
    const std::vector<std::byte> plain(height * width * 2, std::byte{5});
    {
        const Handle file(H5Fopen(at("f.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
        const Handle dataset(H5Dopen2(file, "/entry/data/data", H5P_DEFAULT));
        const hsize_t at_frame[3] = {2, 0, 0};
        ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 1, at_frame, plain.size(), plain.data()), 0);
    }
    const auto source = io::open_frames(at("f.h5") + "::/entry/data/data");
    ASSERT_NE(source->packed(), nullptr);
    EXPECT_TRUE(source->packed()->find_packed(1));
    EXPECT_FALSE(source->packed()->find_packed(2));
    std::vector<std::byte> found(plain.size());
    source->read(2, 1, found);
    EXPECT_EQ(found, plain);
}

TEST_F(PackedFramesTest, of_a_file_that_shrinks_are_not_there_any_more_and_reading_says_so) {
    const auto source = io::open_frames(write("f.h5", Codec::bslz4));
    const PackedFrames& packed = *source->packed();
    const auto first = packed.find_packed(0), last = packed.find_packed(frames - 1);
    ASSERT_TRUE(first && last);
    std::vector<std::byte> bytes(std::max(first->bytes, last->bytes));
    fs::resize_file(at("f.h5"), last->at + last->bytes / 2);
    EXPECT_TRUE(packed.read_packed(0, *first, std::span(bytes).first(first->bytes)));
    EXPECT_FALSE(packed.read_packed(frames - 1, *last, std::span(bytes).first(last->bytes)));
    std::vector<std::byte> values(source->frame_bytes());
    EXPECT_TRUE(contains(input_error([&] { source->read(frames - 1, 1, values); }),
                         {"frame 6 cannot be read", "f.h5"}));
}

TEST(PackedBlocks, are_found_where_all_lengths_fit) {
    // 20 values of 2 bytes in blocks of 8: two blocks, 4 values at the end.
    std::vector<unsigned char> chunk{0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 16, 0, 0, 0, 3,
                                     1, 2, 3, 0, 0, 0, 1, 9,  1, 2, 3, 4,  5, 6, 7, 8};
    const auto of = [&] { return PackedBlocks::of(std::as_bytes(std::span(chunk)), 40, 2); };
    const auto blocks = of();
    ASSERT_TRUE(blocks);
    EXPECT_EQ(blocks->values, 8U);
    EXPECT_EQ(blocks->starts, (std::vector<std::uint32_t>{16, 23, 28}));
    EXPECT_EQ(blocks->block(std::as_bytes(std::span(chunk)), 1).size(), 1U);
    EXPECT_EQ(blocks->rest(std::as_bytes(std::span(chunk))).size(), 8U);
    const std::vector<unsigned char> good = chunk;
    const auto refused = [&](std::size_t at, unsigned char value) {
        chunk = good;
        chunk[at] = value;
        return !of();
    };
    EXPECT_TRUE(refused(7, 42));   // another number of bytes
    EXPECT_TRUE(refused(11, 14));  // 7 values a block
    EXPECT_TRUE(refused(15, 4));
    EXPECT_TRUE(refused(12, 0x80));
    EXPECT_TRUE(refused(22, 200));
    chunk = good;
    chunk.push_back(0);
    EXPECT_FALSE(of());
    chunk.resize(10);
    EXPECT_FALSE(of());
    // A block size of 0 is bitshuffle's own, one of 2^31 holds all values.
    chunk = {0, 0, 0, 0, 0, 0, 0, 40, 0x80, 0, 0, 0, 0, 0, 0, 1, 9, 1, 2, 3, 4, 5, 6, 7, 8};
    ASSERT_TRUE(of());
    EXPECT_EQ(of()->count(), 1U);
    chunk[8] = 0;
    ASSERT_TRUE(of());
    EXPECT_EQ(of()->values, 4096U);
}

}  // namespace
}  // namespace ks::tests::packed
