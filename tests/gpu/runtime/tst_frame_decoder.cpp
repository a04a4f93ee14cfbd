// Frames that the device decodes against HDF5's own filter and against liblz4, to the byte, also where chunks
// are damaged; and that nothing but the pixels of the frame is written.
//
// KS_MUTATED_CHUNKS is how many mutated chunks are tried (4000 else): test_gpu_runtime tst_frame_decoder.

#include <hdf5.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

#include "core/io/hdf5/chunks/chunk_codec.h"
#include "core/io/hdf5/filters.h"
#include "core/io/hdf5/hdf5.h"
#include "gpu/runtime/decode/frame_decoder.h"
#include "tests/gpu/runtime/packed_chunks.h"
#include "tests/gpu/test_devices.h"
#include "tests/gpu/under_oclgrind.h"

namespace ks::tests {
namespace {

using gpu::FrameDecoder;

constexpr unsigned char untouched = 0xe5;

struct FrameShape {
    std::size_t height, width, element;
    std::size_t bytes() const { return height * width * element; }
};

/// Frames on a device one after another, with margins.
class DecodedFrames {
  public:
    DecodedFrames(gpu::DeviceContext& device, const FrameShape& shape, std::size_t margin)
        : shape_(shape),
          layout_{shape.height, shape.width, 3 * margin, shape.height * (shape.width + margin) + 2 * margin,
                  shape.width + margin} {
        run_.variant.shared_sources = {FrameDecoder::file};
        run_.device = device.info();
        context_.emplace(device, run_, progress_);
        decoder_.emplace(*context_, shape.element, layout_);
    }

    /// @return of each chunk its values, or nothing where the decoder refused it
    std::vector<std::optional<Bytes>> of(std::span<const Bytes> chunks) {
        const std::size_t pixels = layout_.first + chunks.size() * layout_.stride + 16;
        const Bytes before(pixels * shape_.element, untouched);
        const gpu::Buffer plane = context_->uploaded<unsigned char>("upload", before);
        const gpu::Buffer damaged = context_->zeros(chunks.size() * 4);
        std::vector<bool> prepared;
        for (std::size_t k = 0; k < chunks.size(); ++k) {
            std::vector<std::uint32_t> memory(FrameDecoder::room(chunks[k].size(), shape_.bytes()) / 4);
            const std::span bytes = std::as_writable_bytes(std::span(memory));
            std::ranges::copy(std::as_bytes(std::span(chunks[k])), bytes.begin());
            const auto frame =
                FrameDecoder::prepared(bytes, chunks[k].size(), shape_.bytes(), shape_.element);
            prepared.push_back(frame.has_value());
            if (!frame) continue;
            const gpu::Buffer packed = context_->uploaded("upload", frame->bytes);
            decoder_->enqueue(*context_, *frame, packed, plane, k, damaged);
        }
        const Bytes after = context_->downloaded<unsigned char>("download", plane, before.size());
        const auto flags = context_->downloaded<std::uint32_t>("download", damaged, chunks.size());
        std::vector<std::optional<Bytes>> found;
        std::vector<bool> inside(after.size());
        for (std::size_t k = 0; k < chunks.size(); ++k) {
            Bytes values;
            for (std::size_t y = 0; y < shape_.height; ++y) {
                const std::size_t row =
                    (layout_.first + k * layout_.stride + y * layout_.pitch) * shape_.element;
                for (std::size_t i = 0; i < shape_.width * shape_.element; ++i) {
                    values.push_back(after[row + i]);
                    inside[row + i] = true;
                }
            }
            EXPECT_LE(flags[k], 1U);
            if (prepared[k] && flags[k] == 0)
                found.emplace_back(std::move(values));
            else
                found.emplace_back();
        }
        for (std::size_t i = 0; i < after.size(); ++i)
            EXPECT_TRUE(inside[i] || after[i] == untouched) << "byte " << i << " is in no frame";
        return found;
    }

  private:
    FrameShape shape_;
    FrameDecoder::Layout layout_;
    Run run_;
    Progress progress_;
    std::optional<gpu::LaunchContext> context_;
    std::optional<FrameDecoder> decoder_;
};

/// Counts of a detector: many alike, some large.
Bytes counts_of(const FrameShape& shape, unsigned background, std::uint32_t seed) {
    std::mt19937 random(seed);
    Bytes values(shape.bytes());
    for (std::size_t i = 0; i < shape.height * shape.width; ++i) {
        const std::uint64_t count = random() % 64 == 0 ? random()
                                    : background == 0  ? 0
                                                       : random() % background;
        for (std::size_t b = 0; b < shape.element; ++b)
            values[i * shape.element + b] = static_cast<unsigned char>(count >> 8 * b);
    }
    return values;
}

/// A chunk that HDF5 wrote by its filter, and what it reads.
struct ByHdf5 {
    Bytes chunk, values;
};
ByHdf5 by_hdf5(hid_t type, const FrameShape& shape, unsigned block, const Bytes& values) {
    const io::h5::Lock lock;
    io::h5::add_plugin_folder();
    const auto name =
        std::filesystem::temp_directory_path() / ("kernelscope-decode-" + std::to_string(getpid()) + ".h5");
    ByHdf5 made{{}, Bytes(values.size())};
    {
        const io::h5::Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
        const hsize_t size[3] = {1, shape.height, shape.width};
        const io::h5::Handle space(H5Screate_simple(3, size, nullptr)),
            properties(H5Pcreate(H5P_DATASET_CREATE));
        H5Pset_chunk(properties, 3, size);
        const unsigned numbers[2] = {block, 2};
        H5Pset_filter(properties, 32008, H5Z_FLAG_MANDATORY, 2, numbers);
        const io::h5::Handle data(
            H5Dcreate2(file, "/data", type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
        EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
        H5Fflush(file, H5F_SCOPE_GLOBAL);
        const hsize_t first[3] = {0, 0, 0};
        hsize_t bytes = 0;
        H5Dget_chunk_storage_size(data, first, &bytes);
        made.chunk.resize(bytes);
        std::uint32_t skipped = 0;
        EXPECT_GE(H5Dread_chunk(data, H5P_DEFAULT, first, &skipped, made.chunk.data()), 0);
    }
    const io::h5::Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const io::h5::Handle data(H5Dopen2(file, "/data", H5P_DEFAULT));
    EXPECT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, made.values.data()), 0);
    std::filesystem::remove(name);
    return made;
}

TEST(FrameDecoder, gives_the_bytes_that_hdf5_reads) {
    struct Case {
        hid_t type;
        FrameShape shape;
        unsigned block;  ///< values; 0: bitshuffle's own
    };
    std::vector<Case> cases;
    for (const auto& [type, element] : {std::pair<hid_t, std::size_t>{H5T_NATIVE_UINT8, 1},
                                        {H5T_NATIVE_UINT16, 2},
                                        {H5T_NATIVE_UINT32, 4},
                                        {H5T_NATIVE_INT32, 4}}) {
        for (const auto& [height, width] : std::vector<std::pair<std::size_t, std::size_t>>{{2, 4},
                                                                                            {3, 3},
                                                                                            {1, 1000},
                                                                                            {1000, 1},
                                                                                            {64, 64},
                                                                                            {61, 83},
                                                                                            {128, 130},
                                                                                            {257, 100},
                                                                                            {333, 515}})
            cases.push_back({type, {height, width, element}, 0});
        for (const unsigned block : {256U, 512U, 1024U, 1040U, 2048U})
            cases.push_back({type, {61, 83, element}, block});
    }
    for (const auto& device : test_devices())
        for (const Case& one : cases)
            for (const unsigned background : {0U, 2U, 50U, 40000U}) {
                const Bytes values = counts_of(one.shape, background, 3);
                const ByHdf5 expected = by_hdf5(one.type, one.shape, one.block, values);
                ASSERT_EQ(expected.values, values);
                for (const std::size_t margin : {std::size_t{0}, std::size_t{8}, std::size_t{5}}) {
                    DecodedFrames frames(*device, one.shape, margin);
                    const auto found = frames.of(std::vector{expected.chunk, expected.chunk});
                    for (const auto& frame : found) {
                        ASSERT_TRUE(frame) << one.shape.height << " x " << one.shape.width << " of "
                                           << one.shape.element << ", block " << one.block;
                        ASSERT_EQ(*frame, values);
                    }
                }
            }
}

TEST(FrameDecoder, leaves_blocks_of_other_sizes_to_the_host) {
    const FrameShape shape{61, 83, 2};
    const Bytes values = counts_of(shape, 5, 1);
    for (const auto& device : test_devices()) {
        DecodedFrames frames(*device, shape, 2);
        for (const std::size_t block : {std::size_t{128}, std::size_t{16384}})
            EXPECT_FALSE(frames.of(std::vector<Bytes>{packed_chunk(values, 2, block)})[0]) << block;
        EXPECT_FALSE(
            DecodedFrames(*device, {1, 7, 2}, 2).of(std::vector<Bytes>{packed_chunk(Bytes(14), 2, 8192)})[0]);
    }
}

/// The host's decoder, as a file of HDF5 uses it.
std::optional<Bytes> by_host(const Bytes& chunk, const FrameShape& shape) {
    const io::h5::Lock lock;
    const io::h5::Handle properties(H5Pcreate(H5P_DATASET_CREATE));
    const unsigned numbers[5] = {0, 4, static_cast<unsigned>(shape.element), 0, 2};
    H5Pset_filter(properties, 32008, H5Z_FLAG_OPTIONAL, 5, numbers);
    const auto codec = io::h5::ChunkCodec::of(properties, shape.element, shape.bytes());
    io::h5::ChunkCodec::Scratch scratch;
    Bytes values(shape.bytes());
    if (!codec->decode(std::as_bytes(std::span(chunk)), 0, scratch,
                       std::as_writable_bytes(std::span(values))))
        return std::nullopt;
    return values;
}

struct Tally {
    std::size_t chunks = 0, sound = 0, left_to_host = 0, distance_0 = 0;
};

/// Both decoders take what liblz4 takes, with its bytes, and nothing else; but a device leaves blocks of some
/// sizes to the host, and refuses a distance of 0, which liblz4 takes.
void expect_as_liblz4(const Bytes& chunk, const FrameShape& shape, const std::optional<Bytes>& on_device,
                      Tally& tally) {
    std::vector<ChunkBlock> blocks;
    const auto expected = unpacked(chunk, shape.bytes(), shape.element, &blocks);
    const auto on_host = by_host(chunk, shape);
    ++tally.chunks;
    ASSERT_EQ(on_host.has_value(), expected.has_value());
    if (!expected) {
        ASSERT_FALSE(on_device.has_value()) << "liblz4 refuses it";
        return;
    }
    ++tally.sound;
    if (has_distance_0(chunk, blocks)) {
        ++tally.distance_0;
        ASSERT_FALSE(on_device.has_value());
        return;
    }
    ASSERT_EQ(*on_host, *expected);
    const std::size_t block = number_at(chunk, 8, 4) / shape.element * shape.element;
    if (block != 0 && (block < 256 || block > 8192)) {
        ++tally.left_to_host;
        ASSERT_FALSE(on_device.has_value());
        return;
    }
    ASSERT_TRUE(on_device.has_value()) << "liblz4 takes it";
    ASSERT_EQ(*on_device, *expected);
}

Tally try_mutated(gpu::DeviceContext& device, std::size_t count, std::size_t at_once) {
    Tally tally;
    const FrameShape shapes[] = {{61, 83, 2}, {45, 62, 4}, {97, 100, 1}, {31, 33, 2}};
    for (std::size_t s = 0; s < std::size(shapes); ++s) {
        const FrameShape& shape = shapes[s];
        Mutation mutation(static_cast<std::uint32_t>(17 + s));
        std::vector<Bytes> sound;
        for (const unsigned background : {0U, 2U, 60U})
            for (const std::size_t block : {std::size_t{8192}, std::size_t{1024}})
                sound.push_back(packed_chunk(counts_of(shape, background, 9), shape.element, block));
        DecodedFrames frames(device, shape, s);
        for (std::size_t done = 0; done < count / std::size(shapes); done += at_once) {
            std::vector<Bytes> chunks;
            for (std::size_t i = 0; i < at_once; ++i)
                chunks.push_back(mutation.of(sound[(done + i) % sound.size()], shape.bytes(), shape.element));
            const auto found = frames.of(chunks);
            for (std::size_t i = 0; i < at_once; ++i) {
                expect_as_liblz4(chunks[i], shape, found[i], tally);
                if (testing::Test::HasFatalFailure()) {
                    ADD_FAILURE() << "chunk " << done + i << " of shape " << s;
                    return tally;
                }
            }
        }
    }
    return tally;
}

TEST(FrameDecoder, takes_of_mutated_chunks_what_liblz4_takes) {
    const char* const asked = std::getenv("KS_MUTATED_CHUNKS");
    const std::size_t count = asked != nullptr ? std::stoul(asked) : 4000;
    for (const auto& device : test_devices()) {
        const Tally tally = try_mutated(*device, count, 50);
        std::printf(
            "%s: %zu mutated chunks, %zu sound, of which %zu with a distance of 0, %zu left to the host\n",
            device->info().name.c_str(), tally.chunks, tally.sound, tally.distance_0, tally.left_to_host);
        EXPECT_GE(tally.chunks, count);
        EXPECT_GT(tally.sound, count / 20);
        EXPECT_LT(tally.sound, count - count / 20);
    }
}

TEST(FrameDecoderOnOclgrind, is_clean) {
    expect_clean_under_oclgrind("decoder");
}

TEST(InsideOclgrind, mutated_chunks_are_decoded) {
    if (std::getenv(under_oclgrind) == nullptr) GTEST_SKIP() << "runs under oclgrind only";
    ASSERT_FALSE(test_devices().empty());
    for (const auto& device : test_devices()) EXPECT_GE(try_mutated(*device, 120, 5).chunks, 120U);
}

}  // namespace
}  // namespace ks::tests
