#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/data/frame_source.h"
#include "core/data/pixel_mask.h"
#include "core/run/request.h"

namespace ks::spots {

/// Size and time of modification; empty where there is no such file.
std::string file_state(const std::filesystem::path& file);

/// A mask that was given: a file, or values that come with the request.
struct GivenMask {
    InputRef input;
    std::string state;  ///< file_state() of the file
    PixelMask mask;
};
/// Reads it, or gives `before` back where it is the same. A file of integers [y][x], 0 = use (HDF5, NPY,
/// TIFF; where an HDF5 file is named alone: /entry/mask, else pixel_mask of its NXdetector, else its only
/// image); values as u8 [y][x], or as u32 [n][2]: runs (start, length) of ignored pixels of the flattened
/// frame. Throws ks::Error(input): another shape, floats, runs that leave the frame.
std::shared_ptr<const GivenMask> given_mask(const InputRef& input, const FrameSource& frames,
                                            std::shared_ptr<const GivenMask> before);

/// What the frames' own file says about their pixels.
struct DetectorFields {
    std::string key;
    PixelMask mask;                    ///< empty: none, or not wanted
    std::optional<double> saturation;  ///< the largest valid count
};
/// pixel_mask (where wanted) and saturation_value of the file's NXdetector, or `before` where it is the same.
/// Throws ks::Error(input) where there is a mask, but none of the frames' shape and of integers.
std::shared_ptr<const DetectorFields> detector_fields(const InputRef& input, const FrameSource& frames,
                                                      bool want_mask,
                                                      std::shared_ptr<const DetectorFields> before);

}  // namespace ks::spots
