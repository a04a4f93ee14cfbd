#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <hdf5.h>

#include "core/data/packed_frames.h"
#include "core/io/hdf5/chunks/chunk_codec.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/stack_axes.h"

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
    /// The place of a chunk in the file; nothing if it was never written. To find a chunk, HDF5 1.10 searches
    /// all chunks before it; worthwhile() says for which datasets that pays off. The caller holds a Lock.
    /// @param offset of the chunk's first value
    static std::optional<Place> find(hid_t dataset, const hsize_t* offset);
    /// False if the file ends too early or cannot be read.
    bool read(std::uint64_t at, std::span<std::byte> into) const;

  private:
    explicit ChunkFile(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

/// Reads frames of a chunked dataset on all cores: raw chunks are taken from the file and decoded in
/// parallel. HDF5 itself decodes one after another.
class ChunkReader : private PackedFrames {
  public:
    /// Null if HDF5 has to read the dataset, for one of these reasons: it is not chunked, it has filters that
    /// ChunkCodec does not support, the byte order or type of its values differs from that in memory, or its
    /// chunks span several scans.
    /// @param dataset open as long as the reader is used
    static std::unique_ptr<ChunkReader> of(hid_t dataset, const StackAxes& axes);

    /// Whether it reads these frames at least as fast as HDF5: chunks that contain several frames are decoded
    /// again for each call, whereas HDF5 caches them.
    bool suits(std::size_t count) const { return count >= chunk_[0]; }
    /// How chunks that were never written are handled (see Storage): read() fails, or leaves
    /// their pixels unchanged.
    enum class Absent { refused, left };
    /// False if a chunk is damaged or cannot be read; reading through HDF5 then gives the reason.
    /// @param into [count][y][x], complete frames
    bool read(std::size_t first, std::size_t count, std::span<std::byte> into,
              Absent absent = Absent::refused) const;

    /// The chunks as stored, if each is one frame compressed by bitshuffle and LZ4 only; null otherwise.
    const PackedFrames* packed() const;

  private:
    struct Corner {
        std::size_t frame, y, x;  ///< of the chunk's first value
    };
    struct Chunk {
        Corner corner;
        std::optional<ChunkFile::Place> place;  ///< nothing: the bytes have been read already
        RawBytes stored;
        std::uint32_t skipped = 0;
    };
    /// Buffers of one thread while it decodes.
    struct Room {
        ChunkCodec::Scratch scratch;
        RawBytes values;
    };
    ChunkReader(hid_t dataset, const StackAxes& axes, ChunkCodec codec)
        : dataset_(dataset), axes_(axes), codec_(std::move(codec)) {}
    std::unique_ptr<Room> room() const;
    std::vector<Corner> corners(std::size_t first, std::size_t count) const;
    enum class Look { found, absent, failed };
    Look find(const Corner& corner, Chunk& chunk) const;
    /// Whether a chunk extends beyond the dataset.
    bool is_partial(const Corner& corner) const;
    bool fetch(Chunk& chunk) const;
    bool unpack(const Chunk& chunk, std::size_t first, std::size_t count, std::span<std::byte> into,
                Room& room) const;

    std::optional<Place> find_packed(std::size_t frame) const override;
    bool read_packed(std::size_t frame, const Place& place, std::span<std::byte> into) const override;

    hid_t dataset_;
    StackAxes axes_;
    ChunkCodec codec_;
    std::unique_ptr<ChunkFile> file_;  ///< null: HDF5 reads the bytes
    std::size_t element_ = 1;
    bool partial_unfiltered_ = false;            ///< H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS
    std::array<std::size_t, 3> chunk_{1, 1, 1};  ///< frames, rows, columns
    mutable std::mutex guard_;
    mutable std::vector<std::unique_ptr<Room>> rooms_;  ///< those currently unused
};

}  // namespace ks::io::h5
