#include "core/xpcs/parameters.h"

#include <utility>

#include "core/io/frame_input.h"
#include "core/xpcs/generator.h"

namespace ks::xpcs {
namespace {

ParameterSpec whole(const char* id, const char* label, const char* unit, std::int64_t standard, double low,
                    double high, const char* help) {
    return {id, label, unit, ParameterType::integer, standard, low, high, {}, help};
}

std::vector<ParameterSpec> parameters() {
    constexpr double most = 1e9;
    std::vector<ParameterSpec> all = io::frame_range_parameters();
    all.push_back(whole("max_delay", "Largest delay", "frames", -1, -1, most,
                        "Longer delays are left out; -1: all are computed"));
    all.push_back({"saturation",
                   "Saturation",
                   "counts",
                   ParameterType::real,
                   0.0,
                   0.0,
                   1e12,
                   {},
                   "Counts at or above this are invalid; 0: none"});
    all.push_back({"frame_time",
                   "Frame time",
                   "s",
                   ParameterType::real,
                   0.0,
                   0.0,
                   most,
                   {},
                   "Seconds from frame to frame; 0: from the file"});
    for (ParameterSpec& spec : io::geometry_parameters()) {
        all.push_back(std::move(spec));
        if (all.back().id == "swap_xy")
            all.push_back(whole("two_time_bin", "Two-time bin", "", 0, 0, 1e6,
                                "Label of the bin whose two-time map is made; 0: none"));
    }
    return all;
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
