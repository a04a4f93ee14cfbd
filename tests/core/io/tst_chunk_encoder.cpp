#include <zstd.h>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/array.h"
#include "core/io/hdf5/chunks/chunk_codec.h"
#include "core/io/hdf5/chunks/shuffle.h"
#include "core/io/hdf5/filters.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

using io::h5::Codec;

/// Counts that compress, with a few that do not.
std::vector<std::byte> counts(std::size_t values, ElementType type) {
    std::vector<std::byte> bytes;
    std::uint32_t state = 7;
    for (std::size_t i = 0; i < values; ++i) {
        state = state * 1664525 + 1013904223;
        const std::uint32_t value = i % 97 == 0 ? state : state >> 30;
        const auto* const from = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), from, from + std::min(size_of(type), sizeof(value)));
    }
    return bytes;
}

using Row = std::tuple<Codec, ElementType, std::size_t>;

class ChunkEncoderTest : public IoTest, public ::testing::WithParamInterface<Row> {};

TEST_P(ChunkEncoderTest, what_it_writes_is_what_hdf5_and_the_frames_read) {
    const auto [codec, type, width] = GetParam();
    const std::size_t frames = 5, height = 67;
    const std::vector<std::byte> written = counts(frames * height * width, type);
    {
        io::h5::Writer out(at("f.h5"), "f.h5");
        io::h5::Writer::Stack stack = out.stack("/data", type, frames, height, width, {codec, 1});
        // In two parts, one of a single frame.
        out.put(stack, 1, std::span(written).subspan(stack.frame_bytes));
        out.put(stack, 0, std::span(written).first(stack.frame_bytes));
        out.finish(std::move(stack), "/data");
        out.close();
    }
    std::vector<std::byte> found(written.size());
    io::open_frames(at("f.h5"))->read(0, frames, found);
    EXPECT_EQ(found, written);

    std::ranges::fill(found, std::byte{0});
    const io::h5::Handle file = io::h5::open_file(at("f.h5"));
    const io::h5::Handle dataset(H5Dopen2(file, "/data", H5P_DEFAULT));
    if (codec == Codec::bslz4 && H5Zfilter_avail(io::h5::bitshuffle_filter) <= 0) {
        GTEST_SKIP() << "the package bitshuffle is not installed";
    }
    ASSERT_GE(H5Dread(dataset, io::h5::memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
    EXPECT_EQ(found, written);
    if (codec != Codec::none && width > 8) {
        EXPECT_LT(H5Dget_storage_size(dataset), written.size());
    }
}

TEST_F(IoTest, a_stack_refuses_frames_outside_of_it) {
    io::h5::Writer out(at("f.h5"), "f.h5");
    io::h5::Writer::Stack stack = out.stack("/data", ElementType::u8, 2, 3, 4, {Codec::none, 0});
    const std::vector<std::byte> values(36);
    EXPECT_THROW(out.put(stack, 0, values), Error);
    EXPECT_THROW(out.put(stack, 2, std::span(values).first(12)), Error);
    EXPECT_THROW(out.put(stack, 0, std::span(values).first(11)), Error);
    EXPECT_NO_THROW(out.put(stack, 1, std::span(values).first(12)));
    EXPECT_THROW(out.stack("/large", ElementType::u32, 1, 32768, 32768, {Codec::none, 0}), Error);
    out.finish(std::move(stack), "/data");
}

/// A chunk of bitshuffle with zstd, for which Debian's plugin is too old: made by hand.
TEST_F(IoTest, reads_bitshuffle_with_zstd) {
    constexpr std::size_t element = 2, block = 64, values = 3 * block + 24 + 5;
    const std::vector<std::byte> written = counts(values, ElementType::u16);
    std::vector<std::byte> stored;
    const auto put = [&stored](std::uint64_t value, int bytes) {
        for (int i = bytes; i-- > 0;) stored.push_back(static_cast<std::byte>(value >> (8 * i)));
    };
    put(written.size(), 8);
    put(block * element, 4);
    std::size_t done = 0;
    while (values - done >= 8) {
        const std::size_t count = std::min(block, (values - done) / 8 * 8);
        std::vector<std::byte> rows(count * element), packed(ZSTD_compressBound(count * element));
        io::h5::shuffle_bits(written.data() + done * element, rows.data(), count, element);
        packed.resize(ZSTD_compress(packed.data(), packed.size(), rows.data(), rows.size(), 1));
        put(packed.size(), 4);
        stored.insert(stored.end(), packed.begin(), packed.end());
        done += count;
    }
    stored.insert(stored.end(), written.begin() + static_cast<std::ptrdiff_t>(done * element), written.end());

    const io::h5::Handle properties(H5Pcreate(H5P_DATASET_CREATE));
    const std::array<unsigned, 5> numbers{0, 4, element, block, io::h5::bits_with_zstd};
    H5Pset_filter(properties, io::h5::bitshuffle_filter, H5Z_FLAG_OPTIONAL, numbers.size(), numbers.data());
    const auto codec = io::h5::ChunkCodec::of(properties, element, written.size());
    ASSERT_TRUE(codec);
    std::vector<std::byte> found(written.size());
    io::h5::ChunkCodec::Scratch scratch;
    ASSERT_TRUE(codec->decode(stored, 0, scratch, found));
    EXPECT_EQ(found, written);
    for (std::size_t cut = 0; cut < stored.size(); ++cut)
        EXPECT_FALSE(codec->decode(std::span(stored).first(cut), 0, scratch, found)) << cut;
}

/// Bits are taken apart one square after another, and put together by registers too where there are enough.
TEST_F(IoTest, bits_and_bytes_come_back_from_a_shuffle) {
    for (const std::size_t size : {1, 2, 3, 4, 8})
        for (const std::size_t values : {8, 64, 120, 128, 136, 1000, 1024, 4096, 4104}) {
            const std::vector<std::byte> written = counts(values * size, ElementType::u8);
            std::vector<std::byte> rows(written.size()), found(written.size());
            io::h5::shuffle_bits(written.data(), rows.data(), values, size);
            io::h5::unshuffle_bits(rows.data(), found.data(), values, size);
            EXPECT_EQ(found, written) << values << " values of " << size << " bytes, bits";
            io::h5::shuffle_bytes(written, rows.data(), size);
            io::h5::unshuffle_bytes(rows, found.data(), size);
            EXPECT_EQ(found, written) << values << " values of " << size << " bytes, bytes";
        }
}

TEST_F(IoTest, a_damaged_chunk_of_zstd_is_refused) {
    const std::vector<std::byte> written = counts(1000, ElementType::u16);
    const io::h5::ChunkEncoder encoder({Codec::zstd, 1}, 2);
    const io::h5::Handle properties(H5Pcreate(H5P_DATASET_CREATE));
    encoder.set_filters(properties);
    const auto codec = io::h5::ChunkCodec::of(properties, 2, written.size());
    ASSERT_TRUE(codec);
    const RawBytes whole = encoder.encode(written);
    const std::span<const std::byte> stored = whole;
    std::vector<std::byte> found(written.size()), shorter(written.size() - 2);
    io::h5::ChunkCodec::Scratch scratch;
    EXPECT_TRUE(codec->decode(stored, 0, scratch, found));
    EXPECT_FALSE(codec->decode(stored.first(stored.size() - 1), 0, scratch, found));
    EXPECT_FALSE(codec->decode(stored, 0, scratch, shorter));
    EXPECT_FALSE(codec->decode({}, 0, scratch, found));
}

std::string name_of_row(const ::testing::TestParamInfo<Row>& row) {
    const std::array<const char*, 4> names{"none", "gzip", "bslz4", "zstd"};
    return std::string(names.at(static_cast<std::size_t>(std::get<0>(row.param)))) + "_" +
           name_of(std::get<1>(row.param)) + "_" + std::to_string(std::get<2>(row.param));
}

INSTANTIATE_TEST_SUITE_P(Codecs, ChunkEncoderTest,
                         ::testing::Combine(::testing::Values(Codec::none, Codec::gzip, Codec::bslz4,
                                                              Codec::zstd),
                                            ::testing::Values(ElementType::u8, ElementType::u16,
                                                              ElementType::u32, ElementType::i32),
                                            ::testing::Values(1U, 61U, 512U)),
                         name_of_row);

}  // namespace
}  // namespace ks::tests
