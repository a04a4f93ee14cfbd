#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/raw_bytes.h"

namespace ks::io::h5 {

/// Reverses the filters of a dataset's chunks without HDF5. So any number of threads may decode at the same
/// time, whereas all calls of HDF5 wait for one lock. It supports gzip (by libdeflate), zstd, shuffle, and
/// bitshuffle alone or with LZ4 or zstd, in any order; anything else is left to HDF5.
class ChunkCodec {
  public:
    /// Nothing if there is another filter.
    /// @param properties creation properties of a chunked dataset
    /// @param element bytes per value
    /// @param chunk bytes of a chunk in memory
    static std::optional<ChunkCodec> of(hid_t properties, std::size_t element, std::size_t chunk);

    /// Whether bitshuffle with LZ4 is the only filter, for values of that size.
    bool is_bits_lz4(std::size_t element) const;

    /// Buffers of one thread for data between two filters.
    struct Scratch {
        RawBytes one, other;
    };

    /// Decodes a chunk as stored in the file. False if it is damaged.
    /// @param skipped bit i: the writer skipped filter i (the mask of H5Dread_chunk)
    /// @param into as many bytes as a chunk has in memory
    bool decode(std::span<const std::byte> stored, std::uint32_t skipped, Scratch& scratch,
                std::span<std::byte> into) const;

  private:
    enum class Kind { inflate, zstd, unshuffle, bits, bits_lz4, bits_zstd };
    struct Filter {
        Kind kind;
        std::size_t element;  ///< bytes per shuffled value
        std::size_t block;    ///< of bitshuffle without compression: values per block, a multiple of 8
    };
    ChunkCodec() = default;
    static std::optional<Kind> kind_of_bits(unsigned compression);
    bool undo(const Filter& filter, std::span<const std::byte> from, std::span<std::byte> into) const;

    std::vector<Filter> filters_;  ///< in the order applied when writing
};

}  // namespace ks::io::h5
