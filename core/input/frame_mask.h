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

/// The one place that decides which pixels an analysis of frames ignores: the mask in the frames' file, a
/// given mask, and the saturation.
namespace ks::io {

/// The input "mask", on the command line --mask.
InputSpec mask_input();
/// "saturation" and "file_mask".
std::vector<ParameterSpec> mask_parameters();

/// A given mask: a file, or values that come with the request.
struct GivenMask {
    InputRef input;
    std::string state;  ///< ks::file_state() of the file
    PixelMask mask;
};
/// Reads a mask, or returns `before` if it is the same. A file of integers [y][x], 0 = use (see read_mask());
/// values as u8 [y][x], or as u32 [n][2]: runs (start, length) of ignored pixels of the flattened frame.
/// Throws ks::Error(input): another shape, floats, runs that exceed the frame.
std::shared_ptr<const GivenMask> given_mask(const InputRef& input, const FrameSource& frames,
                                            std::shared_ptr<const GivenMask> before);

/// What the frames' file says about its pixels.
struct DetectorFields {
    std::string key;
    /// Empty: none, or not wanted. Always includes the pixels for which no frame has values.
    PixelMask mask;
    std::optional<double> saturation;  ///< the largest valid count
    bool lacks_pixels = false;         ///< see FrameSource::lacking()
    std::vector<std::string> notices;  ///< unusable or suspicious entries, one sentence each
};
/// The masks (if wanted) and the saturation of the file's FilePixels, or `before` if it is the same. Throws
/// ks::Error(input) if there are masks, but none with the frames' shape and of integers.
std::shared_ptr<const DetectorFields> detector_fields(const InputRef& input, const FrameSource& frames,
                                                      bool want_mask,
                                                      std::shared_ptr<const DetectorFields> before);

/// The pixels that a request ignores in every frame.
struct IgnoredPixels {
    std::shared_ptr<const DetectorFields> fields;  ///< never null
    std::shared_ptr<const GivenMask> given;        ///< null: none
    std::size_t of_file = 0, of_given = 0;         ///< pixels that each of the two masks ignores
    std::size_t masked = 0;                        ///< pixels that either ignores
    std::vector<std::string> notices;              ///< warnings about them, one sentence each

    /// Pixels that either mask ignores; empty without a mask.
    PixelMask mask() const;
};
/// The masks of a request with the input "frames" and complete parameters, including mask_parameters().
/// Unchanged parts of `before` are not read again; if nothing changed, `before` itself is returned. Throws
/// ks::Error(input) if given_mask() or detector_fields() does.
std::shared_ptr<const IgnoredPixels> ignored_pixels(const Request& request, const FrameSource& frames,
                                                    std::shared_ptr<const IgnoredPixels> before);

/// Counts of at least this value are invalid; infinite: no count is. The parameter "saturation" gives the
/// first invalid count, a file the last valid one. If frames lack pixels, marking_value() is invalid, too.
double first_invalid(const ParameterSet& set, const IgnoredPixels& ignored, ElementType type);

/// The value that detectors write for pixels without a count: the maximum of u8, u16 and u32.
std::optional<double> marking_value(ElementType type);
/// The warning about pixels that hold marking_value() although no mask and no saturation excludes them.
/// @param pixels "12 pixels in bins have a count", the start of the sentence
std::string marking_warning(const std::string& pixels, ElementType type);
/// What makes a pixel of this type invalid apart from a mask: "NaN, infinite or saturated".
const char* invalid_words(ElementType type);

}  // namespace ks::io
