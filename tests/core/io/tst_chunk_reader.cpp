// Frames by ChunkReader against HDF5's own reading, to the byte: every filter that it knows, chunks of all
// shapes, and chunks that are damaged.

#include <hdf5.h>

#include <cstring>
#include <random>

#include "core/io/hdf5/chunks/chunk_encoder.h"
#include "core/io/hdf5/chunks/chunk_reader.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

using io::h5::ChunkReader;
using io::h5::Handle;

using SetFilters = void (*)(hid_t properties);

struct Stored {
    const char* name;
    hid_t type;
    std::vector<hsize_t> shape, chunk;
    SetFilters filters;
};

std::unique_ptr<ChunkReader> reader_of(const Handle& dataset) {
    return ChunkReader::of(dataset, *io::h5::StackAxes::of(io::h5::shape_of(dataset), std::nullopt));
}

void none(hid_t /*properties*/) {}
void gzip(hid_t properties) {
    H5Pset_deflate(properties, 4);
}
void shuffled_gzip(hid_t properties) {
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, 1);
}
void bits(hid_t properties, unsigned block, unsigned compression) {
    const unsigned values[2] = {block, compression};
    H5Pset_filter(properties, 32008, H5Z_FLAG_MANDATORY, 2, values);
}
void bits_alone(hid_t properties) {
    bits(properties, 0, 0);
}
void bits_lz4(hid_t properties) {
    bits(properties, 0, 2);
}
void small_blocks(hid_t properties) {
    bits(properties, 16, 2);
}

void shuffled_zstd(hid_t properties) {
    io::h5::ChunkEncoder({io::h5::Codec::zstd, 1}, 2).set_filters(properties);
}

class ChunkReaderTest : public IoTest, public ::testing::WithParamInterface<Stored> {
  protected:
    std::size_t values() const {
        std::size_t n = 1;
        for (const hsize_t one : GetParam().shape) n *= one;
        return n;
    }
    /// Detector counts: mostly small, some large, in bytes of the type.
    std::vector<std::byte> counts() const {
        const std::size_t size = H5Tget_size(GetParam().type);
        std::vector<std::byte> bytes(values() * size);
        std::mt19937 random(7);
        for (std::size_t i = 0; i < values(); ++i) {
            const std::uint64_t count = random() % 16 == 0 ? random() : random() % 12;
            std::memcpy(bytes.data() + i * size, &count, size);
        }
        return bytes;
    }
    /// The dataset without its values.
    Handle created(const Handle& file) const {
        const Stored& stored = GetParam();
        const Handle space(
            H5Screate_simple(static_cast<int>(stored.shape.size()), stored.shape.data(), nullptr));
        const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
        H5Pset_chunk(properties, static_cast<int>(stored.chunk.size()), stored.chunk.data());
        stored.filters(properties);
        return Handle(H5Dcreate2(file, "/frames", stored.type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    }
    Handle written(const Handle& file) const {
        Handle dataset = created(file);
        const std::vector<std::byte> bytes = counts();
        EXPECT_GE(H5Dwrite(dataset, GetParam().type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0);
        H5Fflush(file, H5F_SCOPE_GLOBAL);
        return dataset;
    }
};

TEST_P(ChunkReaderTest, gives_the_same_bytes_as_hdf5) {
    const Handle file(H5Fcreate(at("f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const Handle dataset = written(file);
    const auto reader = reader_of(dataset);
    ASSERT_TRUE(reader);
    const std::vector<std::byte> expected = counts();
    const std::size_t frames = GetParam().shape.size() == 3 ? GetParam().shape[0] : 1;
    const std::size_t bytes = expected.size() / frames;
    for (std::size_t first = 0; first < frames; ++first)
        for (std::size_t count = 1; first + count <= frames; ++count) {
            std::vector<std::byte> found(count * bytes, std::byte{0xee});
            ASSERT_TRUE(reader->read(first, count, found));
            ASSERT_EQ(std::memcmp(found.data(), expected.data() + first * bytes, found.size()), 0)
                << count << " frames from " << first;
        }
}

TEST_P(ChunkReaderTest, refuses_a_chunk_that_is_damaged) {
    // The file holds no size of a chunk without filters: nothing tells that it is damaged.
    if (GetParam().filters == none) return;
    const Handle file(H5Fcreate(at("f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const Handle dataset = written(file);
    const auto reader = reader_of(dataset);
    ASSERT_TRUE(reader);
    const std::vector<hsize_t> first(GetParam().shape.size(), 0);
    const std::vector<std::byte> expected = counts();
    std::vector<std::byte> found(expected.size());
    std::mt19937 random(3);
    for (const std::size_t size : {std::size_t{1}, std::size_t{11}, std::size_t{13}, std::size_t{200}}) {
        std::vector<std::byte> noise(size);
        for (std::byte& byte : noise) byte = static_cast<std::byte>(random());
        ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, first.data(), size, noise.data()), 0);
        EXPECT_FALSE(reader->read(0, GetParam().shape.size() == 3 ? GetParam().shape[0] : 1, found)) << size;
    }
    // Every byte of a good chunk changed in turn: another value or a refusal, and no crash.
    hsize_t stored = 0;
    const Handle other(H5Fcreate(at("g.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const Handle good = written(other);
    ASSERT_GE(H5Dget_chunk_storage_size(good, first.data(), &stored), 0);
    std::vector<std::byte> chunk(stored);
    std::uint32_t mask = 0;
    ASSERT_GE(H5Dread_chunk(good, H5P_DEFAULT, first.data(), &mask, chunk.data()), 0);
    const auto again = reader_of(good);
    for (std::size_t i = 0; i < std::min<std::size_t>(chunk.size(), 64); ++i) {
        std::vector<std::byte> changed = chunk;
        changed[i] ^= std::byte{0xff};
        ASSERT_GE(H5Dwrite_chunk(good, H5P_DEFAULT, mask, first.data(), changed.size(), changed.data()), 0);
        again->read(
            0, 1,
            std::span(found).first(found.size() / (GetParam().shape.size() == 3 ? GetParam().shape[0] : 1)));
    }
}

TEST_P(ChunkReaderTest, reads_a_chunk_whose_filters_were_left_out) {
    std::size_t bytes = H5Tget_size(GetParam().type);
    for (const hsize_t one : GetParam().chunk) bytes *= one;
    {
        const Handle file(H5Fcreate(at("f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
        const Handle dataset = created(file);
        const std::vector<std::byte> plain(bytes, std::byte{5});
        const std::vector<hsize_t>&shape = GetParam().shape, &chunk = GetParam().chunk;
        std::vector<hsize_t> at(shape.size(), 0);
        while (at[0] < shape[0]) {
            ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0xff, at.data(), bytes, plain.data()), 0);
            for (std::size_t axis = shape.size(); axis-- > 0;) {
                at[axis] += chunk[axis];
                if (at[axis] < shape[axis] || axis == 0) break;
                at[axis] = 0;
            }
        }
    }
    // Opened anew: HDF5 1.10 forgets the mask of a chunk that it wrote itself.
    const Handle file(H5Fopen(at("f.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Handle dataset(H5Dopen2(file, "/frames", H5P_DEFAULT));
    const auto reader = reader_of(dataset);
    ASSERT_TRUE(reader);
    std::vector<std::byte> found(counts().size());
    ASSERT_TRUE(reader->read(0, GetParam().shape.size() == 3 ? GetParam().shape[0] : 1, found));
    EXPECT_EQ(found, std::vector<std::byte>(found.size(), std::byte{5}));
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, ChunkReaderTest,
    ::testing::Values(
        Stored{"no_filter_u16", H5T_NATIVE_UINT16, {3, 20, 30}, {1, 20, 30}, none},
        Stored{"gzip_u8", H5T_NATIVE_UINT8, {3, 20, 31}, {1, 20, 31}, gzip},
        Stored{"shuffled_gzip_u16", H5T_NATIVE_UINT16, {4, 21, 30}, {1, 21, 30}, shuffled_gzip},
        Stored{"shuffled_gzip_tiles_f32", H5T_NATIVE_FLOAT, {5, 21, 30}, {2, 8, 16}, shuffled_gzip},
        Stored{"shuffled_gzip_image_i64", H5T_NATIVE_INT64, {21, 30}, {21, 7}, shuffled_gzip},
        Stored{"bits_u16", H5T_NATIVE_UINT16, {2, 33, 31}, {1, 33, 31}, bits_alone},
        Stored{"shuffled_zstd_u16", H5T_NATIVE_UINT16, {4, 21, 30}, {1, 21, 30}, shuffled_zstd},
        Stored{"bits_lz4_u8", H5T_NATIVE_UINT8, {3, 120, 131}, {1, 120, 131}, bits_lz4},
        Stored{"bits_lz4_u16", H5T_NATIVE_UINT16, {3, 120, 131}, {1, 120, 131}, bits_lz4},
        Stored{"bits_lz4_u32", H5T_NATIVE_UINT32, {3, 65, 67}, {1, 65, 67}, bits_lz4},
        Stored{"bits_lz4_tiles_i32", H5T_NATIVE_INT32, {3, 65, 67}, {3, 10, 67}, bits_lz4},
        Stored{"bits_lz4_small_blocks_u16", H5T_NATIVE_UINT16, {1, 7, 19}, {1, 7, 19}, small_blocks}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(IoTest, leaves_to_hdf5_what_it_does_not_know) {
    const Handle file(H5Fcreate(at("f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const hsize_t shape[3] = {2, 8, 8}, chunk[3] = {1, 8, 8};
    const Handle space(H5Screate_simple(3, shape, nullptr));
    const auto made = [&](const char* name, hid_t type, SetFilters set, bool chunked) {
        const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
        if (chunked) H5Pset_chunk(properties, 3, chunk);
        if (chunked) set(properties);
        return Handle(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    };
    EXPECT_FALSE(reader_of(made("/contiguous", H5T_NATIVE_UINT16, none, false)));
    EXPECT_FALSE(reader_of(made("/big_endian", H5T_STD_U16BE, gzip, true)));
    EXPECT_FALSE(reader_of(made(
        "/checksum", H5T_NATIVE_UINT16, [](hid_t p) { H5Pset_fletcher32(p); }, true)));
    EXPECT_TRUE(reader_of(made("/gzip", H5T_NATIVE_UINT16, gzip, true)));
}

TEST_F(IoTest, ChunksAtTheBorderThatAreStoredWithoutFiltersAreReadAsTheyLie) {
    constexpr std::size_t frames = 7, height = 24, width = 32;
    std::vector<std::uint16_t> values(frames * height * width);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i * 131 % 251);
    for (const SetFilters filters : {gzip, shuffled_gzip, shuffled_zstd}) {
        for (const std::vector<hsize_t>& chunk :
             {std::vector<hsize_t>{1, 16, 20}, {3, height, width}, {2, 7, width}}) {
            const hid_t access = H5Pcreate(H5P_FILE_ACCESS), made = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
            H5Pset_chunk(made, 3, chunk.data());
            H5Pset_chunk_opts(made, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
            filters(made);
            const hid_t file = H5Fcreate(at("f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
            const hsize_t shape[] = {frames, height, width};
            const hid_t space = H5Screate_simple(3, shape, nullptr);
            const hid_t dataset =
                H5Dcreate2(file, "data", H5T_STD_U16LE, space, H5P_DEFAULT, made, H5P_DEFAULT);
            ASSERT_GE(H5Dwrite(dataset, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
            H5Dclose(dataset);
            H5Sclose(space);
            H5Fclose(file);
            H5Pclose(made);
            H5Pclose(access);
            const auto source = io::open_frames(at("f.h5"));
            std::vector<std::uint16_t> all(values.size()), one(height * width);
            source->read(0, frames, std::as_writable_bytes(std::span(all)));
            EXPECT_EQ(all, values);
            source->read(6, 1, std::as_writable_bytes(std::span(one)));
            EXPECT_TRUE(std::equal(one.begin(), one.end(), values.end() - height * width));
        }
    }
}

}  // namespace
}  // namespace ks::tests
