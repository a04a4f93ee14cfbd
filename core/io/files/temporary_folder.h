#pragma once

#include <filesystem>
#include <string>

namespace ks::io {

/// A folder among the temporary files, which goes with all that it holds.
class TemporaryFolder {
  public:
    /// @param name what its name begins with. Throws ks::Error(run) where it cannot be made.
    explicit TemporaryFolder(const std::string& name);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace ks::io
