#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/stored_frames.h"
#include "core/io/tiff/tiff_file.h"

namespace ks::io {

/// Frames that are the pages of a TIFF file, all of one size and type. The headers of all pages are read when
/// it is opened, pixels page by page.
class TiffFrames : public StoredFrames {
  public:
    /// Throws ks::Error(input) naming the file and the page: not TIFF, damaged or ending early, several
    /// samples a pixel, other bits, pages that differ, images that no page describes.
    explicit TiffFrames(DataName name);

    /// "u16", "i8", ...: of the pixels in the file.
    std::string type_text() const;
    /// "3 pages, deflated"
    std::string layout_text() const;
    /// See narrowing_text().
    std::string narrowing() const { return narrowing_text(stored()); }

  private:
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    std::unique_ptr<TiffFile> file_;
    TiffLayout layout_;
    std::string compression_;
    std::vector<std::uint64_t> pages_;  ///< where the directory of each page is in the file
};

}  // namespace ks::io
