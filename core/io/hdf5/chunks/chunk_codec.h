#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/raw_bytes.h"

namespace ks::io::h5 {

/// Undoes the filters of a dataset's chunks outside of HDF5, whose calls all wait for one lock: any number of
/// threads may decode at the same time. It knows gzip (by libdeflate), zstd, shuffle, and bitshuffle alone or
/// with LZ4 or zstd, in any order; what else there is, HDF5 reads.
class ChunkCodec {
  public:
    /// Nothing where a filter is another one. @param properties of the creation of a chunked dataset
    /// @param element bytes of a value @param chunk bytes of a chunk as it is in memory
    static std::optional<ChunkCodec> of(hid_t properties, std::size_t element, std::size_t chunk);

    /// Whether bitshuffle with LZ4 is all there is, of values of that size.
    bool is_bits_lz4(std::size_t element) const;

    /// Of one thread: what lies between two filters.
    struct Scratch {
        RawBytes one, other;
    };

    /// The values of a chunk as it lies in the file. False where it is damaged.
    /// @param skipped bit i: the writer left filter i out (H5Dread_chunk's mask)
    /// @param into as many bytes as a chunk has in memory
    bool decode(std::span<const std::byte> stored, std::uint32_t skipped, Scratch& scratch,
                std::span<std::byte> into) const;

  private:
    enum class Kind { inflate, zstd, unshuffle, bits, bits_lz4, bits_zstd };
    struct Filter {
        Kind kind;
        std::size_t element;  ///< bytes of what is shuffled
        std::size_t block;    ///< of bitshuffle without compression: values, a multiple of 8
    };
    ChunkCodec() = default;
    static std::optional<Kind> kind_of_bits(unsigned compression);
    bool undo(const Filter& filter, std::span<const std::byte> from, std::span<std::byte> into) const;

    std::vector<Filter> filters_;  ///< in the order of writing
};

}  // namespace ks::io::h5
