#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"

namespace ks::io {

/// A file that appears under its name only when it is whole: write to temporary(), or with write(), then
/// commit(). Without commit the temporary file is removed. It stands beside the file as
/// .kernelscope-NAME-PROCESS-NUMBER.part and is locked while the process lives: one that a killed
/// process left is removed by the next that writes NAME. The constructor throws ks::Error(input) where the
/// folder is missing or read-only, or the file exists and `overwrite` is false; all throw not_written().
class AtomicFile {
  public:
    AtomicFile(std::filesystem::path path, bool overwrite);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }
    /// The name in messages: as it was given.
    const std::filesystem::path& shown() const { return shown_; }
    /// Of the temporary file, open for reading and writing; at its start until something is written.
    int descriptor() const { return number_; }
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

    /// The bytes are on the disk before the file has its name.
    void commit();
    /// Gives no name and throws ks::Error(cancelled) where it was asked to stop.
    void commit(const Progress& progress);

  private:
    void create_temporary();

    std::filesystem::path shown_, path_, temporary_;
    bool overwrite_;
    bool committed_ = false;
    int number_ = -1;
};

/// "FILE: the file could not be written: no space left on the device", ks::Error(run).
/// @param reason an errno
Error not_written(const std::filesystem::path& shown, int reason);

/// Removes the temporary files of this process, which is about to end at once, whatever its threads do. What
/// is being written then fails.
void remove_unfinished();

/// Throws what the constructor of AtomicFile would: call it before a long computation.
void require_writable(const std::filesystem::path& path, bool overwrite);
/// Writes text atomically; the second way looks between pieces whether to stop.
void write_text(const std::filesystem::path& path, std::string_view text, bool overwrite);
void write_text(const std::filesystem::path& path, std::string_view text, bool overwrite, Progress& progress);

}  // namespace ks::io
