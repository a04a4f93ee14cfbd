#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/io/hdf5/hdf5.h"

namespace ks::io::h5 {

/// The bytes of a dataset's chunks, read from the file at their offsets: any number of threads may read at
/// the same time, whereas HDF5's calls all wait for one lock.
class ChunkFile {
  public:
    /// Null unless the file is a single file on a disk without a user block: HDF5 has other drivers, and a
    /// user block shifts all offsets.
    static std::unique_ptr<ChunkFile> of(hid_t dataset);
    ~ChunkFile();
    ChunkFile(const ChunkFile&) = delete;
    ChunkFile& operator=(const ChunkFile&) = delete;

    /// Whether finding one of `chunks` chunks takes less time than HDF5 takes to copy `bytes`
    /// bytes in memory.
    static bool worthwhile(std::size_t chunks, std::size_t bytes);

    struct Place {
        std::uint64_t at;
        std::size_t bytes;
        std::uint32_t skipped;  ///< bit i: the writer skipped filter i
    };
    /// Nothing if the chunk was never written. HDF5 1.10 searches all chunks before it; worthwhile() says for
    /// which datasets that pays off. The caller holds a Lock.
    /// @param offset of the chunk's first value
    static std::optional<Place> find(hid_t dataset, const hsize_t* offset);
    /// False if the file ends too early or cannot be read.
    bool read(std::uint64_t at, std::span<std::byte> into) const;

  private:
    explicit ChunkFile(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

}  // namespace ks::io::h5
