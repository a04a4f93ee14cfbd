#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/io/hdf5/hdf5.h"

namespace ks::io::h5 {

struct DiskState;

/// Creates an HDF5 file by paths; groups on the way are made. Write to AtomicFile::temporary(), close(), then
/// commit. Throws ks::Error(run) naming the file where it cannot be written (a full disk; see disk_access),
/// or the file and the object in it where HDF5 fails otherwise.
class Writer {
  public:
    static constexpr unsigned gzip_level = 4;

    /// @param shown the name in messages: where the file will be in the end
    /// @param progress where given, is asked before each array and between pieces of large ones whether to
    /// stop
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

    /// A stack [frame][y][x] to be filled frame by frame; one chunk a frame, gzip of that level where wanted.
    Handle stack(const std::string& path, ElementType type, std::size_t frames, std::size_t height,
                 std::size_t width, bool compress, unsigned level = gzip_level);
    void frame(const Handle& stack, std::size_t index, std::span<const std::byte> values);
    /// Writes what is left of the stack at `path` and closes it.
    void finish(Handle stack, const std::string& path);

    /// Writes everything out; stacks are finished before. The destructor does so too, but cannot tell of
    /// failures.
    void close();

  private:
    Handle open(const std::string& path) const;
    Handle create(const std::string& path, hid_t type, const Handle& space, const Handle& properties);
    void string_attribute(const std::string& path, const std::string& name,
                          const std::vector<std::string>& values, bool scalar);
    void require(bool done, const std::string& path) const;
    void write_rows(const Handle& dataset, const Array& values, const std::string& path);
    void check() const;

    std::string shown_;
    const Progress* progress_;
    std::shared_ptr<DiskState> disk_;
    Handle file_;
};

}  // namespace ks::io::h5
