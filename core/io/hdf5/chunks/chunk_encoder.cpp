#include "core/io/hdf5/chunks/chunk_encoder.h"

#include <libdeflate.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/packed_frames.h"
#include "core/io/hdf5/chunks/shuffle.h"
#include "core/io/hdf5/filters.h"

namespace ks::io::h5 {
namespace {

/// The version that bitshuffle writes into files.
constexpr unsigned bits_major = 0, bits_minor = 4;

[[noreturn]] void failed(const char* library) {
    throw Error(ErrorKind::run, std::string(library) + " could not compress a chunk");
}

RawBytes cut(RawBytes bytes, std::size_t size) {
    RawBytes exact(size);
    std::copy_n(bytes.data(), size, exact.data());
    return exact;
}

RawBytes shuffled(std::span<const std::byte> values, std::size_t element) {
    RawBytes bytes(values.size());
    shuffle_bytes(values, bytes.data(), element);
    return bytes;
}

RawBytes gzip(std::span<const std::byte> from, int level) {
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
    if (!compressor) failed("libdeflate");
    RawBytes into(libdeflate_zlib_compress_bound(compressor.get(), from.size()));
    const std::size_t done =
        libdeflate_zlib_compress(compressor.get(), from.data(), from.size(), into.data(), into.size());
    if (done == 0) failed("libdeflate");
    return cut(std::move(into), done);
}

RawBytes zstd(std::span<const std::byte> from, int level) {
    RawBytes into(ZSTD_compressBound(from.size()));
    const std::size_t done = ZSTD_compress(into.data(), into.size(), from.data(), from.size(), level);
    if (ZSTD_isError(done) != 0) failed("libzstd");
    return cut(std::move(into), done);
}

/// Big-endian.
template <std::size_t bytes>
void put_number(std::uint64_t value, std::byte* to) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::byte>(value >> (8 * (bytes - 1 - i)));
}

RawBytes bits_lz4(std::span<const std::byte> from, std::size_t element) {
    constexpr std::size_t header = 12, length = 4;
    const std::size_t block = default_bits_block(element), values = from.size() / element;
    const std::size_t most = static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(block * element)));
    RawBytes into(header + (values / block + 1) * (length + most) + 8 * element);
    put_number<8>(from.size(), into.data());
    put_number<4>(block * element, into.data() + 8);
    std::vector<std::byte> rows(block * element);
    std::size_t written = header, at = 0;
    while (values - at >= 8) {
        const std::size_t count = std::min(block, (values - at) / 8 * 8);
        shuffle_bits(from.data() + at * element, rows.data(), count, element);
        const int packed = LZ4_compress_default(reinterpret_cast<const char*>(rows.data()),
                                                reinterpret_cast<char*>(into.data() + written + length),
                                                static_cast<int>(count * element), static_cast<int>(most));
        if (packed <= 0) failed("liblz4");
        put_number<4>(static_cast<std::uint64_t>(packed), into.data() + written);
        written += length + static_cast<std::size_t>(packed);
        at += count;
    }
    const std::span<const std::byte> rest = from.subspan(at * element);
    std::copy(rest.begin(), rest.end(), into.data() + written);
    return cut(std::move(into), written + rest.size());
}

}  // namespace

void ChunkEncoder::set_filters(hid_t properties) const {
    const auto level = static_cast<unsigned>(compression_.level);
    switch (compression_.codec) {
        case Codec::none:
            return;
        case Codec::gzip:
            H5Pset_shuffle(properties);
            H5Pset_deflate(properties, level);
            return;
        case Codec::zstd:
            add_zstd_filter();
            H5Pset_shuffle(properties);
            H5Pset_filter(properties, zstd_filter, H5Z_FLAG_OPTIONAL, 1, &level);
            return;
        case Codec::bslz4:
            break;
    }
    add_plugin_folder();
    // The plugin, if present, prepends its version and the value size to the parameters it receives.
    const std::array<unsigned, 5> numbers{bits_major, bits_minor, static_cast<unsigned>(element_), 0,
                                          bits_with_lz4};
    const std::size_t left_out = H5Zfilter_avail(bitshuffle_filter) > 0 ? 3 : 0;
    H5Pset_filter(properties, bitshuffle_filter, H5Z_FLAG_OPTIONAL, numbers.size() - left_out,
                  numbers.data() + left_out);
}

RawBytes ChunkEncoder::encode(std::span<const std::byte> values) const {
    switch (compression_.codec) {
        case Codec::gzip:
            return gzip(shuffled(values, element_), compression_.level);
        case Codec::zstd:
            return zstd(shuffled(values, element_), compression_.level);
        case Codec::bslz4:
            return bits_lz4(values, element_);
        case Codec::none:
            break;
    }
    RawBytes copy(values.size());
    std::ranges::copy(values, copy.data());
    return copy;
}

}  // namespace ks::io::h5
