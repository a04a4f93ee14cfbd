#include "core/xpcs/parameters.h"

#include "core/xpcs/generator.h"

namespace ks::xpcs {
namespace {

ParameterSpec whole(const char* id, const char* label, const char* unit, std::int64_t standard, double low,
                    double high, const char* help) {
    return {id, label, unit, ParameterType::integer, standard, low, high, {}, help};
}

/// A length or a time of the experiment, where 0 means "from the file".
ParameterSpec override_of(const char* id, const char* label, const char* unit, const char* help) {
    return {id, label, unit, ParameterType::real, 0.0, 0.0, 1e9, {}, help};
}

std::vector<ParameterSpec> parameters() {
    constexpr double most = 1e9;
    return {
        whole("first_frame", "First frame", "frames", 0, 0, most, "First frame to correlate, counted from 0"),
        whole("last_frame", "Last frame", "frames", -1, -1, most,
              "Last frame, inclusive; -1: the last of the file"),
        whole("max_delay", "Largest delay", "frames", -1, -1, most,
              "Longer delays are left out; -1: all are computed"),
        {"saturation",
         "Saturation",
         "counts",
         ParameterType::real,
         0.0,
         0.0,
         1e12,
         {},
         "Counts at or above this are invalid; 0: none"},
        override_of("frame_time", "Frame time", "s", "Seconds from frame to frame; 0: from the file"),
        {"swap_xy",
         "Swap x and y",
         "",
         ParameterType::boolean,
         false,
         {},
         {},
         {},
         "Exchanges x and y of the file's beam centre"},
        whole("two_time_bin", "Two-time bin", "", 0, 0, 1e6,
              "Label of the bin whose two-time map is made; 0: none"),
        override_of("wavelength", "Wavelength", "angstrom", "0: from the file"),
        override_of("distance", "Distance", "mm", "From the sample to the detector; 0: from the file"),
        {"beam_x",
         "Beam x",
         "px",
         ParameterType::real,
         0.0,
         -1e6,
         1e6,
         {},
         "Beam centre along columns; 0: from the file"},
        {"beam_y",
         "Beam y",
         "px",
         ParameterType::real,
         0.0,
         -1e6,
         1e6,
         {},
         "Beam centre along rows; 0: from the file"},
        override_of("pixel_size", "Pixel size", "um", "0: from the file"),
        override_of("pixel_size_y", "Pixel height", "um",
                    "Where it differs from the width; 0: as the pixel size")};
}

std::vector<ParameterSpec> benchmark() {
    return {whole("frames", "Frames", "frames", 500, 1, 100000, "Number of frames"),
            whole("height", "Height", "px", 201, 1, 16384, "Rows of pixels"),
            whole("width", "Width", "px", 241, 1, 16384, "Columns of pixels"),
            {"ring_width",
             "Ring width",
             "px",
             ParameterType::real,
             10.0,
             0.5,
             16384.0,
             {},
             "Bins are rings of this width"},
            {"type",
             "Type",
             "",
             ParameterType::choice,
             std::string("u8"),
             {},
             {},
             {"u8", "u16"},
             "Of the frames"}};
}

}  // namespace

AnalysisInfo analysis_info() {
    AnalysisInfo info;
    info.id = "xpcs";
    info.title = "XPCS";
    info.story = "Photon correlation: g2 and its error per q-bin and delay, and the two-time map of a bin";
    info.inputs = {{"frames", "Frames", "", {}, true, "FILE or FILE::/path of a stack [frame][y][x]"},
                   {"partition",
                    "Bins",
                    "qmask",
                    {"rings"},
                    true,
                    "FILE::/path of labels [y][x] (0 ignored), or rings X,Y,R0,WIDTH,N in pixels (X,Y may be "
                    "beam,beam)"}};
    info.parameters = parameters();
    info.generator = generator_parameters();
    info.benchmark = benchmark();
    info.reference = "host.reference";
    return info;
}

}  // namespace ks::xpcs
