#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace ks::tests {

/// While it lives, the program and its children keep what they cache in a folder that is removed afterwards;
/// or another library does, by the environment variable that names its folder.
class OwnCache {
  public:
    explicit OwnCache(const char* variable = "KERNELSCOPE_CACHE") : name_(variable) {
        std::string pattern = (std::filesystem::temp_directory_path() / "kernelscope-cache-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = pattern;
        if (const char* before = std::getenv(name_)) before_ = before;
        setenv(name_, path_.c_str(), 1);
    }
    ~OwnCache() {
        before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_);
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    OwnCache(const OwnCache&) = delete;
    OwnCache& operator=(const OwnCache&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// The only file of kept ceilings; an empty path where there is none or there are several.
    std::filesystem::path ceilings_file() const {
        std::filesystem::path found;
        if (!std::filesystem::is_directory(path_ / "ceilings")) return found;
        for (const auto& entry : std::filesystem::directory_iterator(path_ / "ceilings")) {
            if (!found.empty()) return {};
            found = entry.path();
        }
        return found;
    }

  private:
    const char* name_;
    std::filesystem::path path_;
    std::optional<std::string> before_;
};

}  // namespace ks::tests
