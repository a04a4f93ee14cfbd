#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/data/geometry.h"
#include "core/io/series/file_states.h"
#include "core/run/parameter_spec.h"
#include "core/run/request.h"

namespace ks::io {

/// The input of that role; throws ks::Error(input) if the request has none.
const InputRef& required_input(const Request& request, const std::string& role);
/// Null if the request has none, or an empty one.
const InputRef* given_input(const Request& request, const std::string& role);

/// The help text of an input of frames: how it is named, and which formats are read.
std::string frames_help();
/// The frames passed with the request, or those of the file "FILE" or "FILE::/path" (see open_frames).
std::shared_ptr<FrameSource> open_source(const InputRef& frames);

/// The file's geometry, overridden by the parameters; nothing if neither gives a beam centre.
struct Experiment {
    Geometry geometry;
    bool centred = false;     ///< the beam centre is known
    bool overridden = false;  ///< the beam centre was given by parameters
    /// Parts of the file's geometry that cannot be used and that no parameter replaces, one sentence each;
    /// they count as unknown.
    std::vector<std::string> faults = {};
};
/// Whether what the parameters do not give of the geometry is taken from the file; otherwise it is unknown.
/// Sets of earlier versions, which do not say so, take it from the file.
bool uses_file_geometry(const ParameterSet& set);
/// Reads the geometry of the frames.
/// @param set complete, including the geometry_parameters()
Experiment experiment_of(const InputRef& frames, const ParameterSet& set);

/// file_geometry, swap_xy, wavelength (angstrom), distance (mm), beam_x, beam_y (px), pixel_size,
/// pixel_size_y (um), in this order; an absent one is taken from the file if uses_file_geometry(), otherwise
/// unknown.
std::vector<ParameterSpec> geometry_parameters();
/// Sets those of the geometry_parameters() that `given` lacks to the geometry of a file of pyFAI (see
/// geometry_of() in core/io/geometry/poni.h); sizes and a wavelength that it does not state remain those of
/// the frames' file. Throws ks::Error(input) if it cannot be used for these frames.
void add_geometry_file(ParameterSet& given, const InputRef& frames, const std::string& file);
/// first_frame and last_frame: inclusive, counted from 0; without a last one, to the end of the file.
/// leave_out: frames of this range to exclude, in the syntax of frames_named().
std::vector<ParameterSpec> frame_range_parameters();

/// Consecutive frames of a source. Some may be left out; the others keep their place in time.
struct FrameRange {
    std::size_t first = 0, count = 0;
    std::vector<std::size_t> left_out = {};  ///< numbered as in the source, ascending, all in the range
    bool operator==(const FrameRange&) const = default;
};
/// The range selected by the frame_range_parameters() of a complete set. Throws ks::Error(input) if it is
/// empty or exceeds the source, if all of its frames are left out, or if frames_named() rejects leave_out.
FrameRange frame_range(const ParameterSet& set, const FrameSource& source);
/// "leave_out names frames 3 and 5, but only frames 10 to 19 are used": a warning; empty if all of them are
/// in the range.
std::string left_out_elsewhere(const ParameterSet& set, const FrameSource& source);
/// "--leave-out 10-19": how a message suggests leaving these frames out.
/// @param frames as in FrameRange
std::string leave_out_option(const std::vector<std::size_t>& frames);

/// The files that hold the frames, as they were when opened; none for frames in memory.
FileStates files_of(const FrameSource& source);

/// Throws ks::Error(input) if the host lacks memory for `pixel_bytes` per pixel of a frame. Checked before
/// anything of that size is allocated, since a file may claim any size.
void require_room(const FrameSource& source, std::size_t pixel_bytes);

/// Bytes of frames to keep in memory: up to a quarter of it, and up to half of the request's limit, so that a
/// variant that runs on the host has the other half.
std::uint64_t keep_bytes(const Request& request);

}  // namespace ks::io
