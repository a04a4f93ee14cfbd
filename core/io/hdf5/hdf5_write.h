#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/io/hdf5/chunks/chunk_encoder.h"
#include "core/io/hdf5/hdf5.h"

namespace ks::io::h5 {

struct DiskState;

/// Creates an HDF5 file by paths; intermediate groups are created. Write to AtomicFile::temporary(), close(),
/// then commit. Throws ks::Error(run) naming the file if it cannot be written (a full disk; see disk_access),
/// or the file and the object if HDF5 fails otherwise.
class Writer {
  public:
    /// @param shown the name in messages: the final path of the file
    /// @param progress if given, checked for a stop request before each array and between pieces
    /// of large ones
    Writer(const std::filesystem::path& file, std::string shown, const Progress* progress = nullptr);

    void group(const std::string& path, const std::string& nx_class = {});
    /// A soft link to another object of the file.
    void link(const std::string& path, const std::string& target);
    /// @param compress gzip, for label images and the like
    void array(const std::string& path, const Array& values, const std::string& unit = {},
               bool compress = false);
    void text(const std::string& path, const std::string& value);
    /// A list of strings.
    void texts(const std::string& path, const std::vector<std::string>& values);
    void number(const std::string& path, double value, const std::string& unit = {});

    void attribute(const std::string& path, const std::string& name, const std::string& value);
    void attribute(const std::string& path, const std::string& name, const std::vector<std::string>& values);
    void attribute(const std::string& path, const std::string& name, std::int64_t value);
    void attribute(const std::string& path, const std::string& name, const std::vector<double>& values);

    /// A stack [frame][y][x] that is filled frame by frame, one chunk per frame; close it with finish().
    /// Frames that are never put are not stored: readers that do not notice see the value `absent`.
    struct Stack {
        Handle dataset;
        ChunkEncoder encoder;
        std::size_t frames, frame_bytes;
    };
    Stack stack(const std::string& path, ElementType type, std::size_t frames, std::size_t height,
                std::size_t width, Compression compression, double absent = 0);
    /// Writes consecutive frames from `first` on, as many as `values` has; they are compressed in parallel.
    void put(const Stack& stack, std::size_t first, std::span<const std::byte> values);
    /// How many frames of that size are compressed in parallel: callers need not prepare more at once.
    static std::size_t frames_at_once(std::size_t frame_bytes);
    /// Writes the rest of the dataset at `path` and closes it.
    void finish(Handle dataset, const std::string& path);
    void finish(Stack stack, const std::string& path) { finish(std::move(stack.dataset), path); }

    /// Flushes everything; stacks must be finished before. The destructor does so too, but
    /// cannot report failures.
    void close();

  private:
    Handle open(const std::string& path) const;
    Handle create(const std::string& path, hid_t type, const Handle& space, const Handle& properties);
    void number_attribute(const std::string& path, const std::string& name, hid_t type, const Handle& space,
                          const void* values);
    void string_attribute(const std::string& path, const std::string& name,
                          const std::vector<std::string>& values, bool scalar);
    void require(bool done, const std::string& path) const;
    void write_rows(const Handle& dataset, const Array& values, const std::string& path);
    void check() const;

    std::string shown_;
    const char* kept_name_;  ///< the same, for Lock
    const Progress* progress_;
    std::shared_ptr<DiskState> disk_;
    Handle file_;
};

}  // namespace ks::io::h5
