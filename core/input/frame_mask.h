#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/element_type.h"
#include "core/data/frame_source.h"
#include "core/data/pixel_mask.h"
#include "core/run/analysis.h"
#include "core/run/request.h"

/// The one way to the pixels that an analysis of frames leaves out: the mask of the frames' own file, a mask
/// that was given, and the saturation.
namespace ks::io {

/// The input "mask", on the command line --mask.
InputSpec mask_input();
/// "saturation" and "file_mask".
std::vector<ParameterSpec> mask_parameters();

/// A mask that was given: a file, or values that come with the request.
struct GivenMask {
    InputRef input;
    std::string state;  ///< ks::file_state() of the file
    PixelMask mask;
};
/// Reads it, or gives `before` back where it is the same. A file of integers [y][x], 0 = use (see
/// read_mask()); values as u8 [y][x], or as u32 [n][2]: runs (start, length) of ignored pixels of the
/// flattened frame. Throws ks::Error(input): another shape, floats, runs that leave the frame.
std::shared_ptr<const GivenMask> given_mask(const InputRef& input, const FrameSource& frames,
                                            std::shared_ptr<const GivenMask> before);

/// What the frames' own file says about their pixels.
struct DetectorFields {
    std::string key;
    /// Empty: none, or not wanted. Pixels that none of the frames has values for are among it, wanted or not.
    PixelMask mask;
    std::optional<double> saturation;  ///< the largest valid count
    bool lacks_pixels = false;         ///< see FrameSource::lacking()
    std::vector<std::string> notices;  ///< what of it cannot be used, or is odd, one sentence each
};
/// The masks (where wanted) and the saturation of the file's FilePixels, or `before` where it is the same.
/// Throws ks::Error(input) where there is a mask, but none of the frames' shape and of integers.
std::shared_ptr<const DetectorFields> detector_fields(const InputRef& input, const FrameSource& frames,
                                                      bool want_mask,
                                                      std::shared_ptr<const DetectorFields> before);

/// What a request leaves out of every frame.
struct IgnoredPixels {
    std::shared_ptr<const DetectorFields> fields;  ///< always there
    std::shared_ptr<const GivenMask> given;        ///< null: none
    std::size_t of_file = 0, of_given = 0;         ///< pixels that each of the two masks ignores
    std::size_t masked = 0;                        ///< pixels that either ignores
    std::vector<std::string> notices;              ///< what is to be said of them, one sentence each

    /// Pixels that either mask ignores; empty: there is no mask.
    PixelMask mask() const;
};
/// The masks of a request with the input "frames" and complete parameters, among them mask_parameters(). What
/// `before` holds and is the same is not read again, and where all is, `before` itself is given back. Throws
/// ks::Error(input): what given_mask() and detector_fields() refuse.
std::shared_ptr<const IgnoredPixels> ignored_pixels(const Request& request, const FrameSource& frames,
                                                    std::shared_ptr<const IgnoredPixels> before);

/// Counts of this and more are invalid; infinite: none are. The parameter "saturation" names the first
/// invalid count, a file the last valid one; where frames lack pixels, marking_value() is invalid.
double first_invalid(const ParameterSet& set, const IgnoredPixels& ignored, ElementType type);

/// The value that detectors write for pixels without a count: the highest one of u8, u16 and u32.
std::optional<double> marking_value(ElementType type);
/// The warning of pixels that hold marking_value() although neither a mask nor a saturation leaves them out.
/// @param pixels "12 pixels in bins have a count", how the sentence starts
std::string marking_warning(const std::string& pixels, ElementType type);
/// What makes a pixel of this type invalid beside a mask: "NaN, infinite or saturated".
const char* invalid_words(ElementType type);

}  // namespace ks::io
