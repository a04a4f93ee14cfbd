#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/io/hdf5/hdf5.h"

namespace ks::io::h5 {

/// The bytes of a dataset's chunks, read from its file by their place there: any number of threads may read
/// at the same time, where HDF5's calls all wait for one lock.
class ChunkFile {
  public:
    /// Null where the file is none that lies in one piece on a disk: HDF5 has other drivers, and a file may
    /// begin with what is not HDF5's (a user block).
    static std::unique_ptr<ChunkFile> of(hid_t dataset);
    ~ChunkFile();
    ChunkFile(const ChunkFile&) = delete;
    ChunkFile& operator=(const ChunkFile&) = delete;

    /// Whether to find a chunk, of so many, takes less than HDF5 takes to copy one of so many bytes (in
    /// memory).
    static bool worthwhile(std::size_t chunks, std::size_t bytes);

    struct Place {
        std::uint64_t at;
        std::size_t bytes;
        std::uint32_t skipped;  ///< bit i: the writer left filter i out
    };
    /// Nothing where the chunk was never written. HDF5 1.10 looks through all chunks before it: worthwhile()
    /// says for which datasets. The caller holds a Lock. @param offset of the chunk's first value
    static std::optional<Place> find(hid_t dataset, const hsize_t* offset);
    /// False where the file ends before, or cannot be read.
    bool read(std::uint64_t at, std::span<std::byte> into) const;

  private:
    explicit ChunkFile(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

}  // namespace ks::io::h5
