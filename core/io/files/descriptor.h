#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace ks::io {

/// A file that is open for reading; its number is negative if that failed, with the reason in errno. A file
/// that has meanwhile become a pipe is opened without blocking.
class Descriptor {
  public:
    explicit Descriptor(const std::filesystem::path& file)
        : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }
    bool regular() const {
        struct stat info = {};
        return number_ >= 0 && ::fstat(number_, &info) == 0 && S_ISREG(info.st_mode);
    }

  private:
    int number_;
};

}  // namespace ks::io
