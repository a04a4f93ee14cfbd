#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/stored_frames.h"
#include "core/io/tiff/tiff_file.h"

namespace ks::io {

/// Frames that are the pages of a TIFF file, all of equal size and type. The headers of all pages are read on
/// opening, pixels page by page.
class TiffFrames : public StoredFrames {
  public:
    /// Throws ks::Error(input) naming the file and the page: not TIFF, damaged or truncated, several samples
    /// per pixel, another number of bits, pages that differ, images without a page.
    explicit TiffFrames(DataName name);

    std::string type_text() const override;
    std::string layout_text() const override;

  private:
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    std::unique_ptr<TiffFile> file_;
    TiffLayout layout_;
    std::string compression_;
    std::vector<std::uint64_t> pages_;  ///< offset of each page's directory in the file
};

}  // namespace ks::io
