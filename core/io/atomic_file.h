#pragma once

#include <filesystem>
#include <string>

#include "core/run/progress.h"

namespace ks::io {

/// A file that appears under its name only when it is whole: write to temporary(), then commit(). Without
/// commit the temporary file is removed. The constructor throws ks::Error(input) where the folder is missing
/// or read-only, or the file exists and `overwrite` is false.
class AtomicFile {
  public:
    AtomicFile(std::filesystem::path path, bool overwrite);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }
    void commit();
    /// Gives no name and throws ks::Error(cancelled) where it was asked to stop.
    void commit(const Progress& progress);

  private:
    std::filesystem::path path_, temporary_;
    bool overwrite_;
    bool committed_ = false;
};

/// Throws what the constructor of AtomicFile would: call it before a long computation.
void require_writable(const std::filesystem::path& path, bool overwrite);
/// Writes text atomically; the second way looks between pieces whether to stop.
void write_text(const std::filesystem::path& path, const std::string& text, bool overwrite);
void write_text(const std::filesystem::path& path, const std::string& text, bool overwrite,
                Progress& progress);

}  // namespace ks::io
