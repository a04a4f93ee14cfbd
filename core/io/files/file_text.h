#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ks::io {

/// The whole text of a file that is read at once. Throws ks::Error(input) naming the file: as
/// require_regular() does, if it cannot be read, and if it has more than `largest` bytes.
/// @param expected "a kernel's source"
std::string small_text(const std::filesystem::path& file, const std::string& expected, std::size_t largest);

/// Size limits for a kernel's source, and for JSON reports and tables.
inline constexpr std::size_t largest_kernel = std::size_t{4} << 20;
inline constexpr std::size_t largest_report = std::size_t{64} << 20;

/// Bytes of a file, in memory shared by its copies.
struct FileText {
    std::shared_ptr<const char[]> memory;
    std::size_t size = 0;

    std::string_view view() const { return {memory.get(), size}; }
};

/// A file that is open for reading from several threads. Every failure is a ks::Error(input) that names it.
class TextFile {
  public:
    /// Also throws as require_regular() does.
    /// @param expected "a CSV file"
    TextFile(const std::filesystem::path& file, const std::string& expected);
    ~TextFile();
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;

    const std::filesystem::path& name() const { return name_; }
    /// Size in bytes when it was opened.
    std::size_t size() const { return size_; }
    /// @return bytes that were read: fewer than `size` only at the end of the file
    std::size_t read(char* to, std::size_t from, std::size_t size) const;
    /// The bytes from `from` on, up to `size`.
    FileText text(std::size_t from, std::size_t size) const;
    /// The whole file, read in parallel.
    FileText text() const;

  private:
    std::filesystem::path name_;
    int file_ = -1;
    std::size_t size_ = 0;
};

}  // namespace ks::io
