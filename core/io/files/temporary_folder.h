#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// A temporary folder, deleted with all its contents.
class TemporaryFolder {
  public:
    /// @param name prefix of its name. Throws ks::Error(run) if it cannot be created.
    explicit TemporaryFolder(const std::string& name);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace ks::io
