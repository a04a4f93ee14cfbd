#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace ks::io {

/// What is done with a compressed file, in bytes of its content.
struct ContentLimits {
    std::uint64_t largest = std::uint64_t{4} << 30;  ///< a longer one is refused
    std::uint64_t kept = std::uint64_t{64} << 20;    ///< of a longer one nothing is kept in memory
    std::uint64_t spacing = std::uint64_t{8} << 20;  ///< of states of decompression that are kept
};

/// The content of a file: its bytes or, if it is compressed as a whole by gzip or bzip2, what decompression
/// gives. A compressed file is decompressed as far as it is asked for. A short content is kept; of a longer
/// one states of decompression are, so that a part is found again without all that is in front of it (bzip2
/// starts again instead). Several threads may ask at the same time; those of one compressed file wait for
/// each other.
///
/// All functions throw ks::Error(input) naming the file if its compressed data are damaged, end early, or
/// contain too much.
class FileContent {
  public:
    explicit FileContent(std::filesystem::path file, const ContentLimits& limits = {});
    ~FileContent();
    FileContent(const FileContent&) = delete;
    FileContent& operator=(const FileContent&) = delete;

    const std::filesystem::path& file() const;
    /// "gzip" or "bzip2"; empty: the file is not compressed.
    std::string compression() const;
    bool compressed() const { return !compression().empty(); }

    /// Up to `count` bytes from `at` on; fewer if the content ends, none if the file is not regular.
    std::string peek(std::uint64_t at, std::size_t count);
    /// Fills `into` with the bytes from `at` on. Throws ks::Error(input) also if the content ends too early.
    /// @param shown the name in messages
    void read(std::uint64_t at, std::span<std::byte> into, const std::string& shown);
    /// How many of `count` bytes from `at` on there are.
    std::uint64_t available(std::uint64_t at, std::uint64_t count);
    /// Decompresses up to the end, where the check sum is.
    void require_whole();

  private:
    class Compressed;

    std::filesystem::path file_;
    std::unique_ptr<Compressed> compressed_;  ///< null: the file is not compressed
};

/// FileContent::peek() from the beginning of a file; what cannot be decompressed is left out.
std::string content_start(const std::filesystem::path& file, std::size_t count);

}  // namespace ks::io
