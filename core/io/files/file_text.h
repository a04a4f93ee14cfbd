#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ks::io {

/// Bytes of a file, in memory that its copies share.
struct FileText {
    std::shared_ptr<const char[]> memory;
    std::size_t size = 0;

    std::string_view view() const { return {memory.get(), size}; }
};

/// A file that is open for reading, from several threads. Every failure is a ks::Error(input) that names it.
class TextFile {
  public:
    /// Throws as require_regular() does, too. @param expected "a CSV file"
    TextFile(const std::filesystem::path& file, const std::string& expected);
    ~TextFile();
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;

    const std::filesystem::path& name() const { return name_; }
    /// Bytes when it was opened.
    std::size_t size() const { return size_; }
    /// @return bytes that were read: fewer than `size` at the end of the file alone
    std::size_t read(char* to, std::size_t from, std::size_t size) const;
    /// As many bytes from `from` on as there are, `size` at most.
    FileText text(std::size_t from, std::size_t size) const;
    /// All of it, on all threads.
    FileText text() const;

  private:
    std::filesystem::path name_;
    int file_ = -1;
    std::size_t size_ = 0;
};

}  // namespace ks::io
