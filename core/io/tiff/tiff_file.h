#pragma once

#include <tiffio.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/base/element_type.h"
#include "core/base/error.h"
#include "core/io/files/library_call.h"

namespace ks::io {

/// How the pixels of a page are stored.
struct TiffLayout {
    std::uint32_t height = 0, width = 0;
    std::uint16_t bits = 1, format = SAMPLEFORMAT_UINT;
    std::size_t pixel_bytes() const { return bits / 8U; }
    bool operator==(const TiffLayout&) const = default;
};

/// A file that libtiff writes; libtiff itself does not report why writing fails.
struct TiffOutput {
    int number;
    int error = 0;  ///< errno of the first write that failed
};

/// An open file, and libtiff's messages about it.
class TiffFile {
  public:
    /// Opens a file for reading. Throws ks::Error(input): not a regular file, not TIFF.
    explicit TiffFile(const std::filesystem::path& path);
    /// For writing; check it before use.
    explicit TiffFile(TiffOutput& output);
    ~TiffFile() { close(); }
    TiffFile(const TiffFile&) = delete;
    TiffFile& operator=(const TiffFile&) = delete;

    void close();
    operator TIFF*() const { return tiff_; }
    const std::string& message() const { return *message_; }

    /// The layout of the current page. Throws ks::Error(input): several samples per pixel, another number of
    /// bits, more pixels than an image can have.
    TiffLayout layout() const;
    /// Throws ks::Error(input) if no element type matches such pixels.
    ElementType type(const TiffLayout& layout) const;
    /// "uncompressed", or the name of the compression of the current page.
    std::string compression() const;
    /// Reads the pixels of the current page into `into`, with values of type() and room for all of them.
    /// Throws ks::Error(input): damaged or truncated.
    void read(const TiffLayout& layout, std::span<std::byte> into) const;

    Error wrong(const std::string& message) const { return Error(ErrorKind::input, message, path_.string()); }
    /// Includes libtiff's first message.
    Error damaged() const;

  private:
    using Options = std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)>;
    Options listening();
    void read_strips(const TiffLayout& layout, std::span<std::byte> into) const;
    void read_tiles(const TiffLayout& layout, std::span<std::byte> into) const;

    std::filesystem::path path_;
    const char* kept_name_ = nullptr;  ///< name of the file being read, for LibraryCall
    /// libtiff holds its address.
    std::unique_ptr<std::string> message_ = std::make_unique<std::string>();
    TIFF* tiff_ = nullptr;
};

}  // namespace ks::io
