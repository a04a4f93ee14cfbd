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

/// A file that libtiff writes; by itself it does not tell why that fails.
struct TiffOutput {
    int number;
    int error = 0;  ///< errno of the first write that failed
};

/// An open file, and what libtiff says about it.
class TiffFile {
  public:
    /// For reading. Throws ks::Error(input): no regular file, not TIFF.
    explicit TiffFile(const std::filesystem::path& path);
    /// For writing; check it before use.
    explicit TiffFile(TiffOutput& output);
    ~TiffFile() { close(); }
    TiffFile(const TiffFile&) = delete;
    TiffFile& operator=(const TiffFile&) = delete;

    void close();
    operator TIFF*() const { return tiff_; }
    const std::string& message() const { return *message_; }

    /// Of the current page. Throws ks::Error(input): several samples a pixel, other bits, more pixels than an
    /// image can have.
    TiffLayout layout() const;
    /// Throws ks::Error(input) where no element type has such pixels.
    ElementType type(const TiffLayout& layout) const;
    /// "uncompressed", or the name of the compression of the current page.
    std::string compression() const;
    /// Reads the pixels of the current page into `into`, of type() and with room for all of them. Throws
    /// ks::Error(input): damaged or ending early.
    void read(const TiffLayout& layout, std::span<std::byte> into) const;

    Error wrong(const std::string& message) const { return Error(ErrorKind::input, message, path_.string()); }
    /// With libtiff's first message.
    Error damaged() const;

  private:
    using Options = std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)>;
    Options listening();
    void read_strips(const TiffLayout& layout, std::span<std::byte> into) const;
    void read_tiles(const TiffLayout& layout, std::span<std::byte> into) const;

    std::filesystem::path path_;
    const char* kept_name_ = nullptr;  ///< of a file that is read, for LibraryCall
    /// libtiff holds its address.
    std::unique_ptr<std::string> message_ = std::make_unique<std::string>();
    TIFF* tiff_ = nullptr;
};

}  // namespace ks::io
