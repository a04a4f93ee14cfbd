#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include <lz4.h>

namespace ks::tests {

/// Chunks of bitshuffle and LZ4, written and read by code of the tests' own: one bit and one number at a
/// time, and liblz4.
using Bytes = std::vector<unsigned char>;

inline std::uint64_t number_at(const Bytes& bytes, std::size_t at, std::size_t length) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < length; ++i) value = value * 256 + bytes[at + i];
    return value;
}
inline void set_number(Bytes& bytes, std::size_t at, std::size_t length, std::uint64_t value) {
    for (std::size_t i = length; i-- > 0; value /= 256) bytes[at + i] = static_cast<unsigned char>(value);
}

/// Bit j of value i is bit i % 8 of byte j * (values / 8) + i / 8.
inline void spread_bits(const unsigned char* values, std::size_t count, std::size_t element,
                        unsigned char* rows) {
    std::fill_n(rows, count * element, 0);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < 8 * element; ++j)
            if ((values[i * element + j / 8] >> (j % 8) & 1) != 0)
                rows[j * (count / 8) + i / 8] |= static_cast<unsigned char>(1 << (i % 8));
}
inline void gather_bits(const unsigned char* rows, std::size_t count, std::size_t element,
                        unsigned char* values) {
    std::fill_n(values, count * element, 0);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < 8 * element; ++j)
            if ((rows[j * (count / 8) + i / 8] >> (i % 8) & 1) != 0)
                values[i * element + j / 8] |= static_cast<unsigned char>(1 << (j % 8));
}

/// @param block bytes of a block, a multiple of 8 * element
inline Bytes packed_chunk(const Bytes& values, std::size_t element, std::size_t block) {
    Bytes chunk(12);
    set_number(chunk, 0, 8, values.size());
    set_number(chunk, 8, 4, block);
    std::size_t at = 0;
    while (values.size() - at >= 8 * element) {
        const std::size_t size = std::min(block, (values.size() - at) / (8 * element) * 8 * element);
        Bytes rows(size), packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(size))));
        spread_bits(values.data() + at, size / element, element, rows.data());
        const int bytes = LZ4_compress_default(reinterpret_cast<const char*>(rows.data()),
                                               reinterpret_cast<char*>(packed.data()), static_cast<int>(size),
                                               static_cast<int>(packed.size()));
        const std::size_t length = chunk.size();
        chunk.resize(length + 4);
        set_number(chunk, length, 4, static_cast<std::uint64_t>(bytes));
        chunk.insert(chunk.end(), packed.begin(), packed.begin() + bytes);
        at += size;
    }
    chunk.insert(chunk.end(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    return chunk;
}

/// Where a chunk's blocks are, as far as its lengths lead to some.
struct ChunkBlock {
    std::size_t at, bytes;    ///< in the chunk
    std::size_t first, size;  ///< of the values, in bytes
};

/// What the chunk decodes to, or nothing where liblz4 refuses a block or a length does not fit.
/// @param blocks where given, what was found until then
inline std::optional<Bytes> unpacked(const Bytes& chunk, std::size_t bytes, std::size_t element,
                                     std::vector<ChunkBlock>* blocks = nullptr) {
    if (chunk.size() < 12 || number_at(chunk, 0, 8) != bytes) return std::nullopt;
    std::size_t block = number_at(chunk, 8, 4) / element;
    if (block == 0) block = 8192 / element;
    if (block % 8 != 0) return std::nullopt;
    Bytes values(bytes);
    std::size_t at = 12, first = 0;
    bool sound = true;
    while ((bytes - first) / element >= 8) {
        const std::size_t count = std::min(block, (bytes - first) / element / 8 * 8), size = count * element;
        if (chunk.size() - at < 4) return std::nullopt;
        const std::size_t length = number_at(chunk, at, 4);
        at += 4;
        if (length > chunk.size() - at) return std::nullopt;
        if (blocks != nullptr) blocks->push_back({at, length, first, size});
        Bytes rows(size);
        sound = LZ4_decompress_safe(reinterpret_cast<const char*>(chunk.data() + at),
                                    reinterpret_cast<char*>(rows.data()), static_cast<int>(length),
                                    static_cast<int>(size)) == static_cast<int>(size) &&
                sound;
        gather_bits(rows.data(), count, element, values.data() + first);
        at += length;
        first += size;
    }
    if (chunk.size() - at != bytes - first || !sound) return std::nullopt;
    std::copy(chunk.begin() + static_cast<std::ptrdiff_t>(at), chunk.end(),
              values.begin() + static_cast<std::ptrdiff_t>(first));
    return values;
}

/// Where the matches of a block have their distance, as far as its tokens lead to some.
inline std::vector<std::size_t> distances_of(const Bytes& chunk, const ChunkBlock& block) {
    std::vector<std::size_t> found;
    std::size_t at = block.at;
    const std::size_t end = block.at + block.bytes;
    const auto more = [&](std::size_t length) {
        while (length >= 15 && at < end) {
            const unsigned char next = chunk[at++];
            length += next;
            if (next != 255) break;
        }
        return length;
    };
    while (at < end) {
        const unsigned token = chunk[at++];
        const std::size_t literals = token / 16 == 15 ? more(15) : token / 16;
        if (literals > end - at || end - at - literals < 2) break;
        at += literals;
        found.push_back(at);
        at += 2;
        if (token % 16 == 15) more(15);
    }
    return found;
}
inline bool has_distance_0(const Bytes& chunk, const std::vector<ChunkBlock>& blocks) {
    for (const ChunkBlock& block : blocks)
        for (const std::size_t at : distances_of(chunk, block))
            if (chunk[at] == 0 && chunk[at + 1] == 0) return true;
    return false;
}

/// A chunk that is no more what it was, in one of many ways.
class Mutation {
  public:
    explicit Mutation(std::uint32_t seed) : random_(seed) {}
    /// @param bytes, element of the values
    Bytes of(Bytes chunk, std::size_t bytes, std::size_t element) {
        std::vector<ChunkBlock> blocks;
        unpacked(chunk, bytes, element, &blocks);
        const ChunkBlock block = blocks[below(blocks.size())];
        switch (below(10)) {
            case 0:  // bits
                for (std::size_t n = 1 + below(6); n > 0; --n)
                    chunk[below(chunk.size())] ^= static_cast<unsigned char>(1 << below(8));
                break;
            case 1:  // a byte of a block
                if (block.bytes > 0) chunk[block.at + below(block.bytes)] = any_byte();
                break;
            case 2:  // truncated
                chunk.resize(below(chunk.size()));
                break;
            case 3:  // trailing bytes
                for (std::size_t n = 1 + below(20); n > 0; --n) chunk.push_back(any_byte());
                break;
            case 4: {  // the size of a block
                const std::uint64_t sizes[] = {
                    0, std::uint64_t{1} << 31, 8 * element, 512, below(8192), 0xffffffff, 4096, 8192 * 8};
                set_number(chunk, 8, 4, sizes[below(std::size(sizes))]);
                break;
            }
            case 5:  // a length, of all values or of a block
                if (below(4) == 0)
                    set_number(chunk, 0, 8, below(2) == 0 ? bytes + below(9) - 4 : random_());
                else
                    set_number(chunk, block.at - 4, 4,
                               below(2) == 0 ? block.bytes + below(9) - 4 : random_());
                break;
            case 6: {  // a distance
                const std::vector<std::size_t> all = distances_of(chunk, block);
                if (all.empty()) break;
                const std::size_t at = all[below(all.size())];
                const std::size_t values[] = {0, 1, 2, 31, 32, 33, 0xffff, block.size, below(block.size)};
                const std::size_t value = values[below(std::size(values))];
                chunk[at] = static_cast<unsigned char>(value);
                chunk[at + 1] = static_cast<unsigned char>(value / 256);
                break;
            }
            case 7: {  // a run of one byte, as of lengths that go on
                const std::size_t at = below(chunk.size()), n = std::min(chunk.size() - at, below(40));
                std::fill_n(chunk.begin() + static_cast<std::ptrdiff_t>(at), n,
                            below(2) == 0 ? 255 : any_byte());
                break;
            }
            case 8: {  // a piece of it elsewhere
                const std::size_t n = 1 + below(30), from = below(chunk.size()), to = below(chunk.size());
                for (std::size_t i = 0; i < n && std::max(from, to) + i < chunk.size(); ++i)
                    chunk[to + i] = chunk[from + i];
                break;
            }
            default:
                replace(chunk, block, tokens(block.size));
        }
        return chunk;
    }

  private:
    std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
    unsigned char any_byte() { return static_cast<unsigned char>(random_()); }

    static void put_length(Bytes& stream, std::size_t more) {
        for (; more >= 255; more -= 255) stream.push_back(255);
        stream.push_back(static_cast<unsigned char>(more));
    }
    /// Sequences that fill a block of `size` bytes about as the format wants it: ends are where its rules
    /// are.
    Bytes tokens(std::size_t size) {
        Bytes stream;
        const std::size_t last = below(20);
        std::size_t done = 0;
        while (true) {
            const std::size_t left = size - done;
            std::size_t literals = below(4) == 0 ? below(600) : below(20);
            if (left <= last + 12 || literals + last >= left) literals = left;
            const bool ends = literals == left;
            std::size_t length = 4 + (below(4) == 0 ? below(2000) : below(24));
            const std::size_t room = left - literals > last ? left - literals - last : 0;
            if (length > room) length = std::max<std::size_t>(room, 4);
            stream.push_back(static_cast<unsigned char>(std::min<std::size_t>(literals, 15) * 16 +
                                                        (ends ? 0 : std::min<std::size_t>(length - 4, 15))));
            if (literals >= 15) put_length(stream, literals - 15);
            for (std::size_t i = 0; i < literals; ++i) stream.push_back(any_byte());
            done += literals;
            if (ends) return stream;
            const std::size_t distance =
                below(40) == 0 ? done + below(2) : 1 + below(below(2) == 0 ? 40 : done);
            stream.push_back(static_cast<unsigned char>(distance));
            stream.push_back(static_cast<unsigned char>(distance / 256));
            if (length - 4 >= 15) put_length(stream, length - 4 - 15);
            done += length;
            if (done >= size) return stream;
        }
    }
    static void replace(Bytes& chunk, const ChunkBlock& block, const Bytes& stream) {
        const auto at = chunk.begin() + static_cast<std::ptrdiff_t>(block.at);
        chunk.erase(at, at + static_cast<std::ptrdiff_t>(block.bytes));
        chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(block.at), stream.begin(), stream.end());
        set_number(chunk, block.at - 4, 4, stream.size());
    }

    std::mt19937 random_;
};

}  // namespace ks::tests
