#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>

#include "core/base/raw_bytes.h"

namespace ks::io::h5 {

/// How the chunks of a dataset are stored: as they are; shuffled and by gzip; bitshuffled and by LZ4, as
/// Eiger detectors write; shuffled and by zstd.
enum class Codec { none, gzip, bslz4, zstd };

/// A codec, and how hard gzip and zstd try.
struct Compression {
    Codec codec = Codec::none;
    int level = 0;
};

/// What is smaller than raw, soon: the fastest level of gzip.
constexpr Compression fast_gzip{Codec::gzip, 1};
/// For what is kept.
constexpr Compression small_gzip{Codec::gzip, 4};

/// Compresses chunks outside of HDF5, whose calls all wait for one lock: any number of threads may encode at
/// the same time. ChunkCodec is the way back.
class ChunkEncoder {
  public:
    /// @param element bytes of a value
    ChunkEncoder(Compression compression, std::size_t element)
        : compression_(compression), element_(element) {}

    /// Names the filters for a dataset that is to be created. The caller holds a Lock.
    void set_filters(hid_t properties) const;
    /// Bytes of a chunk as they lie in the file. Throws ks::Error(run) where the library of the codec fails.
    RawBytes encode(std::span<const std::byte> values) const;

  private:
    Compression compression_;
    std::size_t element_;
};

}  // namespace ks::io::h5
