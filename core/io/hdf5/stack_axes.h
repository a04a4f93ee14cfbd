#pragma once

#include <hdf5.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ks::io::h5 {

/// How a dataset forms a stack of frames: [frame][y][x], one frame [y][x], [frame][1][y][x], or one
/// scan of [scan][frame][y][x].
class StackAxes {
  public:
    static constexpr std::size_t most_axes = 4;
    using Place = std::array<hsize_t, most_axes>;  ///< the first rank() entries are used

    /// Nothing if the dataset is not a stack: see why_not().
    /// @param scan if one was selected
    static std::optional<StackAxes> of(const std::vector<std::size_t>& shape,
                                       std::optional<std::size_t> scan);
    /// Why a dataset of that shape is not a stack ("expected ..., found ..."); nothing if it is one.
    static std::optional<std::string> why_not(const std::vector<std::size_t>& shape,
                                              std::optional<std::size_t> scan);

    std::size_t rank() const { return rank_; }
    std::size_t frames() const { return frames_; }
    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }
    std::vector<std::size_t> shape() const { return {frames_, height_, width_}; }
    std::optional<std::size_t> scan() const { return scan_; }
    /// Frames of the dataset before the first one of the stack.
    std::size_t frames_before() const { return scan_ ? *scan_ * frames_ : 0; }

    Place place(std::size_t frame, std::size_t y, std::size_t x) const;
    /// The extent of that many frames, rows and columns in the dataset.
    Place extent(std::size_t frames, std::size_t height, std::size_t width) const;
    /// Frames, rows and columns of a chunk of that extent; nothing if it spans scans.
    std::optional<std::array<std::size_t, 3>> chunk(const Place& extent) const;

  private:
    std::size_t rank_ = 3, frames_ = 1, height_ = 0, width_ = 0;
    std::optional<std::size_t> scan_;
};

/// The object that a name means: "/path[2]" is scan 2 of /path, unless an object has that name.
struct ScanName {
    std::string path;
    std::optional<std::size_t> scan;
    static ScanName of(hid_t file, const std::string& object);
};

}  // namespace ks::io::h5
