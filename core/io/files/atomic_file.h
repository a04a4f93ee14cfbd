#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"

namespace ks::io {

/// A file that appears under its name only when it is complete: write to temporary(), or with write(), then
/// call commit(). Without commit the temporary file is removed. The temporary file is in the same folder,
/// named .kernelscope-NAME-PROCESS-NUMBER.part, and is locked while the process lives. If a process was
/// killed, its temporary file is removed by the next process that writes NAME. The constructor throws
/// ks::Error(input) if the folder is missing or read-only, or if the file exists and `overwrite` is false;
/// all functions throw not_written().
class AtomicFile {
  public:
    AtomicFile(std::filesystem::path path, bool overwrite);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }
    /// The name in messages: as it was passed.
    const std::filesystem::path& shown() const { return shown_; }
    /// The descriptor of the temporary file, open for reading and writing; positioned at its start until
    /// something is written.
    int descriptor() const { return number_; }
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

    /// Flushes the bytes to the disk before the file gets its name.
    void commit();
    /// If a stop was requested, throws ks::Error(cancelled) and leaves the name untouched.
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

/// Removes the temporary files of this process, which is about to end at once, whatever its threads are
/// doing. Ongoing writes then fail.
void remove_unfinished();

/// Throws whatever the constructor of AtomicFile would: call it before a long computation.
void require_writable(const std::filesystem::path& path, bool overwrite);
/// Writes text atomically; the second overload checks between pieces whether to stop.
void write_text(const std::filesystem::path& path, std::string_view text, bool overwrite);
void write_text(const std::filesystem::path& path, std::string_view text, bool overwrite, Progress& progress);

}  // namespace ks::io
