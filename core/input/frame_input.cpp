#include "core/input/frame_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/data/frame_ranges.h"
#include "core/io/frame_format.h"
#include "core/io/geometry/poni.h"
#include "core/run/parameter_rows.h"

namespace ks::io {

using namespace ks::parameter;

const InputRef& required_input(const Request& request, const std::string& role) {
    const auto at = request.inputs.find(role);
    if (at == request.inputs.end())
        throw Error(ErrorKind::input, "the analysis " + request.analysis + " needs the input " + role, role);
    return at->second;
}

const InputRef* given_input(const Request& request, const std::string& role) {
    const auto at = request.inputs.find(role);
    const bool given = at != request.inputs.end() && (!at->second.name.empty() || at->second.values);
    return given ? &at->second : nullptr;
}

std::string frames_help() {
    return "FILE or FILE::/path of a stack [frame][y][x] (" + format_titles() +
           "), or a series of files with one frame each (" + series_titles() +
           "): several files, a pattern with #, * or ?, or a folder";
}

std::shared_ptr<FrameSource> open_source(const InputRef& frames) {
    if (frames.values) return std::make_shared<MemoryFrames>(frames.name, *frames.values);
    return open_frames(frames.name);
}

bool uses_file_geometry(const ParameterSet& set) {
    return !set.contains("file_geometry") || boolean(set, "file_geometry");
}

Experiment experiment_of(const InputRef& frames, const ParameterSet& set) {
    Experiment all;
    if (!frames.values && uses_file_geometry(set)) {
        std::vector<GeometryFault> faults;
        const auto geometry = read_geometry(frames.name, faults);
        bool centred = true;
        for (const GeometryFault& fault : faults) {
            const bool pixel = fault.part.starts_with("pixel_size");
            if (optional_real(set, pixel ? "pixel_size" : fault.part)) continue;
            all.faults.emplace_back(fault.error.what());
            centred = centred && !fault.part.starts_with("beam");
        }
        if (geometry) {
            all.geometry = boolean(set, "swap_xy") ? geometry->swapped() : *geometry;
            all.centred = centred;
        }
    }
    const auto replace = [&set](const char* id, double& value) {
        const std::optional<double> given = optional_real(set, id);
        value = given.value_or(value);
        return given.has_value();
    };
    replace("wavelength", all.geometry.wavelength);
    replace("distance", all.geometry.distance);
    replace("pixel_size", all.geometry.pixel_size_x);
    replace("pixel_size", all.geometry.pixel_size_y);
    replace("pixel_size_y", all.geometry.pixel_size_y);
    const bool x = replace("beam_x", all.geometry.beam_x), y = replace("beam_y", all.geometry.beam_y);
    all.overridden = x || y;
    all.centred = all.centred || all.overridden;
    return all;
}

std::vector<ParameterSpec> geometry_parameters() {
    constexpr double farthest = 1e6;
    const char* file = "from the file";
    return {flag("file_geometry", "Geometry of the file", true,
                 "Take geometry values that are not given from the file; otherwise they are unknown"),
            flag("swap_xy", "Swap x and y", false, "Swap x and y of the file's beam centre"),
            optional_number("wavelength", "Wavelength", "angstrom", file, above_zero, unbounded,
                            "X-ray wavelength"),
            optional_number("distance", "Distance", "mm", file, above_zero, unbounded,
                            "Sample-to-detector distance"),
            optional_number("beam_x", "Beam x", "px", file, -farthest, farthest, "Beam centre along columns"),
            optional_number("beam_y", "Beam y", "px", file, -farthest, farthest, "Beam centre along rows"),
            optional_number("pixel_size", "Pixel size", "um", file, above_zero, unbounded,
                            "Pixel width, and pixel height unless given separately"),
            optional_number("pixel_size_y", "Pixel height", "um", "as the pixel size", above_zero, unbounded,
                            "Pixel height, if it differs from the width")};
}

void add_geometry_file(ParameterSet& given, const InputRef& frames, const std::string& file) {
    const Poni poni = read_poni(file);
    const auto source = open_source(frames);
    ParameterSet set;
    for (const ParameterSpec& spec : geometry_parameters()) {
        const auto found = given.find(spec.id);
        set[spec.id] = found == given.end() ? spec.default_value : found->second;
    }
    const Geometry geometry =
        geometry_of(poni, experiment_of(frames, set).geometry, source->height(), source->width(), file);
    const auto add = [&given](const char* id, double value) {
        if (value != 0) given.try_emplace(id, value);
    };
    add("wavelength", geometry.wavelength);
    add("distance", geometry.distance);
    given.try_emplace("beam_x", geometry.beam_x);
    given.try_emplace("beam_y", geometry.beam_y);
    // A width that was given is also the height.
    if (!given.contains("pixel_size")) add("pixel_size_y", geometry.pixel_size_y);
    add("pixel_size", geometry.pixel_size_x);
}

std::vector<ParameterSpec> frame_range_parameters() {
    return {whole("first_frame", "First frame", "", 0, 0, unbounded, "First frame to use, counted from 0"),
            optional_whole("last_frame", "Last frame", "", "to the last", 0, unbounded,
                           "Last frame to use, inclusive"),
            words("leave_out", "Leave out", "frames", no_frames,
                  "Frames to leave out, counted from 0, such as 10-19,55; the others keep their numbers")};
}

namespace {

std::vector<std::size_t> left_out_of(const ParameterSet& set, const FrameSource& source) {
    return frames_named(text(set, "leave_out"), source.frames(), "parameter leave_out");
}

}  // namespace

FrameRange frame_range(const ParameterSet& set, const FrameSource& source) {
    const std::int64_t first = integer(set, "first_frame");
    const auto frames = static_cast<std::int64_t>(source.frames());
    const std::int64_t last = optional_integer(set, "last_frame").value_or(frames - 1);
    if (last >= frames)
        throw Error(ErrorKind::input,
                    fmt::format("the last frame must be at most {}, found {}", frames - 1, last),
                    source.name());
    if (first > last)
        throw Error(
            ErrorKind::input,
            fmt::format("the range of frames is empty: the first frame is {}, the last {}", first, last),
            source.name());
    FrameRange range{static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1)};
    for (const std::size_t frame : left_out_of(set, source))
        if (frame >= range.first && frame - range.first < range.count) range.left_out.push_back(frame);
    if (range.left_out.size() == range.count)
        throw Error(ErrorKind::input,
                    fmt::format("all {} frames from {} to {} are left out", range.count, first, last),
                    "parameter leave_out", "leave fewer frames out");
    return range;
}

std::string left_out_elsewhere(const ParameterSet& set, const FrameSource& source) {
    const FrameRange range = frame_range(set, source);
    std::vector<std::size_t> elsewhere;
    for (const std::size_t frame : left_out_of(set, source))
        if (frame < range.first || frame - range.first >= range.count) elsewhere.push_back(frame);
    if (elsewhere.empty()) return {};
    return fmt::format("leave_out lists {}, but only frames {} to {} are used", ranges_in_words(elsewhere),
                       range.first, range.first + range.count - 1);
}

std::string leave_out_option(const std::vector<std::size_t>& frames) {
    return "--leave-out " + frame_ranges(frames);
}

FileStates files_of(const FrameSource& source) {
    const auto* from = dynamic_cast<const FromFiles*>(&source);
    return from != nullptr ? from->files() : FileStates();
}

void require_room(const FrameSource& source, std::size_t pixel_bytes) {
    require_memory(array_bytes(pixel_bytes, {source.height(), source.width()}),
                   fmt::format("frames of {} x {} pixels", source.height(), source.width()), source.name());
}

std::uint64_t keep_bytes(const Request& request) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const std::uint64_t quarter =
        pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) / 4 : 0;
    return request.memory_limit ? std::min(quarter, *request.memory_limit / 2) : quarter;
}

}  // namespace ks::io
