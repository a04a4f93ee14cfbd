#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/data/geometry.h"
#include "core/io/files/file_states.h"
#include "core/run/parameter_spec.h"
#include "core/run/request.h"

namespace ks::io {

/// The input of that role; throws ks::Error(input) where the request has none.
const InputRef& required_input(const Request& request, const std::string& role);

/// The description of an input of frames: how it is named, and the formats there are.
std::string frames_help();
/// The frames that come with the request, or those of the file "FILE" or "FILE::/path" (see open_frames).
std::shared_ptr<FrameSource> open_source(const InputRef& frames);

/// The file's geometry with what the parameters override; nothing where neither knows where the beam is.
struct Experiment {
    Geometry geometry;
    bool centred = false;     ///< the beam centre is known
    bool overridden = false;  ///< the beam centre was given by parameters
    /// Parts of the file's geometry that cannot be used and that no parameter replaces, one sentence each;
    /// they are unknown.
    std::vector<std::string> faults = {};
};
/// Reads the geometry of the frames. @param set complete, with the geometry_parameters().
Experiment experiment_of(const InputRef& frames, const ParameterSet& set);

/// swap_xy, wavelength (angstrom), distance (mm), beam_x, beam_y (px), pixel_size, pixel_size_y (um), in this
/// order; an absent one is the file's.
std::vector<ParameterSpec> geometry_parameters();
/// first_frame and last_frame: inclusive, counted from 0; without a last one to the end of the file.
/// leave_out: frames without which this range is used, as frames_named() reads them.
std::vector<ParameterSpec> frame_range_parameters();

/// Consecutive frames of a source, some of which may be left out: they keep their place in time.
struct FrameRange {
    std::size_t first = 0, count = 0;
    std::vector<std::size_t> left_out = {};  ///< as the source counts them, ascending, all in the range
    bool operator==(const FrameRange&) const = default;
};
/// The range that the frame_range_parameters() of a complete set mean; throws ks::Error(input) where it is
/// empty or leaves the source, where all of its frames are left out, or where frames_named() refuses
/// leave_out.
FrameRange frame_range(const ParameterSet& set, const FrameSource& source);
/// "frames 3 and 5, to be left out, are not among frames 10 to 19, which are used": a warning; empty where
/// all of them are.
std::string left_out_elsewhere(const ParameterSet& set, const FrameSource& source);
/// "--leave-out 10-19": how a message says what to do about these frames. @param frames as of FrameRange
std::string leave_out_option(const std::vector<std::size_t>& frames);

/// Files behind the frames, as they were when they were opened; none behind frames in memory.
FileStates files_of(const FrameSource& source);

/// Throws ks::Error(input) where the host has not `pixel_bytes` for every pixel of a frame: refused before
/// anything of that size is taken, as a file may claim any.
void require_room(const FrameSource& source, std::size_t pixel_bytes);

/// Bytes of frames to keep in memory: up to a quarter of it, and of half of the request's limit, so that a
/// variant that runs on the host has the other half.
std::uint64_t keep_bytes(const Request& request);

}  // namespace ks::io
