#include "core/io/hdf5/chunks/chunk_codec.h"

#include <libdeflate.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "core/data/packed_frames.h"
#include "core/io/hdf5/chunks/shuffle.h"
#include "core/io/hdf5/filters.h"

namespace ks::io::h5 {
namespace {

/// Calls use(begin in bytes, values) for each bitshuffle block in `bytes` bytes. Returns the number of bytes
/// that were in blocks, or nothing if a call returned false.
template <class Use>
std::optional<std::size_t> each_block(std::size_t bytes, std::size_t element, std::size_t block,
                                      const Use& use) {
    const std::size_t values = bytes / element;
    std::size_t at = 0;
    while (at < values) {
        const std::size_t count = std::min(block, (values - at) / 8 * 8);
        if (count == 0) break;
        if (!use(at * element, count)) return std::nullopt;
        at += count;
    }
    return at * element;
}

bool inflate(std::span<const std::byte> from, std::span<std::byte> into) {
    thread_local const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
        decompressor(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
    return decompressor &&
           libdeflate_zlib_decompress(decompressor.get(), from.data(), from.size(), into.data(), into.size(),
                                      nullptr) == LIBDEFLATE_SUCCESS;
}

bool undo_bits(std::span<const std::byte> from, std::span<std::byte> into, std::size_t element,
               std::size_t block) {
    if (from.size() != into.size()) return false;
    const auto done = each_block(into.size(), element, block, [&](std::size_t at, std::size_t count) {
        unshuffle_bits(from.data() + at, into.data() + at, count, element);
        return true;
    });
    if (!done) return false;
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(*done), from.end(), into.data() + *done);
    return true;
}

/// Whether `from` decompressed to exactly `into`.
bool decompress_lz4(std::span<const std::byte> from, std::span<std::byte> into) {
    return LZ4_decompress_safe(reinterpret_cast<const char*>(from.data()),
                               reinterpret_cast<char*>(into.data()), static_cast<int>(from.size()),
                               static_cast<int>(into.size())) == static_cast<int>(into.size());
}

bool decompress_zstd(std::span<const std::byte> from, std::span<std::byte> into) {
    thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                                    &ZSTD_freeDCtx);
    return context && ZSTD_decompressDCtx(context.get(), into.data(), into.size(), from.data(),
                                          from.size()) == into.size();
}

/// Bitshuffle with each block compressed.
template <class Decompress>
bool undo_packed_bits(std::span<const std::byte> from, std::span<std::byte> into, std::size_t element,
                      const Decompress& decompress) {
    const std::optional<PackedBlocks> blocks = PackedBlocks::of(from, into.size(), element);
    if (!blocks) return false;
    thread_local std::vector<std::byte> rows;
    rows.resize(std::min(blocks->values * element, into.size()));
    std::size_t next = 0;
    const auto done =
        each_block(into.size(), element, blocks->values, [&](std::size_t at, std::size_t count) {
            const std::span into_rows = std::span(rows).first(count * element);
            if (!decompress(blocks->block(from, next++), into_rows)) return false;
            unshuffle_bits(rows.data(), into.data() + at, count, element);
            return true;
        });
    if (!done) return false;
    std::ranges::copy(blocks->rest(from), into.data() + *done);
    return true;
}

}  // namespace

std::optional<ChunkCodec::Kind> ChunkCodec::kind_of_bits(unsigned compression) {
    switch (compression) {
        case bits_alone:
            return Kind::bits;
        case bits_with_lz4:
            return Kind::bits_lz4;
        case bits_with_zstd:
            return Kind::bits_zstd;
        default:
            return std::nullopt;
    }
}

bool ChunkCodec::is_bits_lz4(std::size_t element) const {
    return filters_.size() == 1 && filters_[0].kind == Kind::bits_lz4 && filters_[0].element == element;
}

std::optional<ChunkCodec> ChunkCodec::of(hid_t properties, std::size_t element, std::size_t chunk) {
    ChunkCodec codec;
    // LZ4 counts in int, and an HDF5 chunk has at most 4 GiB.
    if (chunk == 0 || chunk > std::size_t{1} << 31) return std::nullopt;
    const int count = H5Pget_nfilters(properties);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0, config = 0;
        std::array<unsigned, 8> values{};
        std::size_t given = values.size();
        const H5Z_filter_t filter = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &given,
                                                   values.data(), 0, nullptr, &config);
        const auto value = [&](std::size_t at) { return at < given ? values.at(at) : 0U; };
        if (filter == H5Z_FILTER_DEFLATE) {
            codec.filters_.push_back({Kind::inflate, element, 0});
        } else if (filter == H5Z_FILTER_SHUFFLE) {
            codec.filters_.push_back({Kind::unshuffle, given > 0 ? value(0) : element, 0});
        } else if (filter == bitshuffle_filter && given >= 3 && value(2) > 0) {
            const std::size_t block = value(3) > 0 ? value(3) : default_bits_block(value(2));
            if (block % 8 != 0 || block > (std::size_t{1} << 30) / value(2)) return std::nullopt;
            const std::optional<Kind> kind = kind_of_bits(value(4));
            if (!kind) return std::nullopt;
            codec.filters_.push_back({*kind, value(2), block});
        } else if (filter == zstd_filter) {
            codec.filters_.push_back({Kind::zstd, element, 0});
        } else {
            return std::nullopt;
        }
        if (codec.filters_.back().element == 0) return std::nullopt;
    }
    return codec;
}

bool ChunkCodec::undo(const Filter& filter, std::span<const std::byte> from,
                      std::span<std::byte> into) const {
    switch (filter.kind) {
        case Kind::inflate:
            return inflate(from, into);
        case Kind::bits:
            return undo_bits(from, into, filter.element, filter.block);
        case Kind::bits_lz4:
            return undo_packed_bits(from, into, filter.element, decompress_lz4);
        case Kind::bits_zstd:
            return undo_packed_bits(from, into, filter.element, decompress_zstd);
        case Kind::zstd:
            return decompress_zstd(from, into);
        case Kind::unshuffle:
            break;
    }
    if (from.size() != into.size()) return false;
    unshuffle_bytes(from, into.data(), filter.element);
    return true;
}

bool ChunkCodec::decode(std::span<const std::byte> stored, std::uint32_t skipped, Scratch& scratch,
                        std::span<std::byte> into) const {
    std::vector<const Filter*> used;
    for (std::size_t i = filters_.size(); i-- > 0;)
        if ((skipped >> i & 1) == 0) used.push_back(&filters_[i]);
    if (used.empty()) {
        if (stored.size() != into.size()) return false;
        std::copy(stored.begin(), stored.end(), into.begin());
        return true;
    }
    // Every filter but the last one outputs as many bytes as the chunk has.
    std::span<const std::byte> from = stored;
    for (std::size_t i = 0; i + 1 < used.size(); ++i) {
        RawBytes& between = i % 2 == 0 ? scratch.one : scratch.other;
        between.make_room(into.size());
        if (!undo(*used[i], from, between)) return false;
        from = between;
    }
    return undo(*used.back(), from, into);
}

}  // namespace ks::io::h5
