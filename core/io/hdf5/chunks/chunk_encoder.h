#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>

#include "core/base/raw_bytes.h"

namespace ks::io::h5 {

/// How the chunks of a dataset are stored: unchanged; shuffle and gzip; bitshuffle and LZ4, as Eiger
/// detectors write; shuffle and zstd.
enum class Codec { none, gzip, bslz4, zstd };

/// A codec, and the compression level of gzip and zstd.
struct Compression {
    Codec codec = Codec::none;
    int level = 0;
};

/// Smaller than raw at little cost: the fastest level of gzip.
constexpr Compression fast_gzip{Codec::gzip, 1};
/// For files that are kept.
constexpr Compression small_gzip{Codec::gzip, 4};

/// Compresses chunks without HDF5. So any number of threads may encode at the same time, whereas all calls of
/// HDF5 wait for one lock. ChunkCodec decodes the chunks.
class ChunkEncoder {
  public:
    /// @param element bytes per value
    ChunkEncoder(Compression compression, std::size_t element)
        : compression_(compression), element_(element) {}

    /// Sets the filters in the properties of a dataset to be created. The caller holds a Lock.
    void set_filters(hid_t properties) const;
    /// The bytes of a chunk as stored in the file. Throws ks::Error(run) if the codec's library fails.
    RawBytes encode(std::span<const std::byte> values) const;

  private:
    Compression compression_;
    std::size_t element_;
};

}  // namespace ks::io::h5
