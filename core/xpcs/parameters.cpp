#include "core/xpcs/analysis.h"

#include <utility>

#include "core/input/frame_input.h"
#include "core/input/frame_mask.h"
#include "core/io/frame_format.h"
#include "core/run/parameter_rows.h"
#include "core/xpcs/correlators/families.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/generator.h"
#include "core/xpcs/pairs/estimate.h"
#include "core/xpcs/pairs/reduced_frames.h"
#include "core/xpcs/pairs/static_bins.h"
#include "core/xpcs/series/corrected_frames.h"
#include "core/xpcs/series/normalised_frames.h"
#include "core/xpcs/stability/stability.h"

namespace ks::xpcs {
namespace {

using namespace ks::parameter;

std::vector<ParameterSpec> parameters() {
    std::vector<ParameterSpec> all = io::frame_range_parameters();
    all.back().help =
        "Frames to leave out, counted from 0, such as 10-19,55, or auto: those whose sum is an outlier; the "
        "others keep their numbers and delays";
    all.push_back(
        optional_whole("max_delay", "Maximum delay", "frames", "all", 0, unbounded, "Omit longer delays"));
    for (ParameterSpec& spec : correlator_parameters()) all.push_back(std::move(spec));
    for (ParameterSpec& spec : reduction_parameters()) all.push_back(std::move(spec));
    all.push_back(normalisation_parameter());
    for (ParameterSpec& spec : io::mask_parameters()) all.push_back(std::move(spec));
    all.push_back(optional_number("frame_time", "Frame time", "s", "from the file", above_zero, unbounded,
                                  "Time between frames"));
    for (ParameterSpec& spec : io::geometry_parameters()) {
        all.push_back(std::move(spec));
        if (all.back().id != "swap_xy") continue;
        all.push_back(optional_whole("two_time_bin", "Two-time bin", "", "none", 1, 1e6,
                                     "Label of the bin for the two-time map"));
        all.back().adds_results = true;
    }
    for (ParameterSpec& spec : estimate_parameters()) all.push_back(std::move(spec));
    all.push_back(keep_pairs_parameter());
    all.push_back(stability_parameter());
    for (ParameterSpec& spec : fit_parameters()) all.push_back(std::move(spec));
    return all;
}

std::vector<ParameterSpec> benchmark() {
    return {
        whole("frames", "Frames", "frames", 500, 1, 100000, "Number of frames"),
        whole("height", "Height", "px", 201, 1, 16384, "Number of pixel rows"),
        whole("width", "Width", "px", 241, 1, 16384, "Number of pixel columns"),
        number("ring_width", "Ring width", "px", 10, 0.5, 16384, "Width of the rings used as bins"),
        choice("kind", "Kind", {"seed", "speckle"}, "Frames as the generator makes them"),
        number("mean", "Mean counts", "counts", 10, 0, 1e9, "Mean counts per pixel, as for the generator"),
        choice("type", "Type", {"u8", "u16", "u32", "f32"},
               "Pixel type of the frames; f32: no whole numbers"),
        number("dark", "Dark counts", "counts", 0, 0, 60000,
               "Counts that are subtracted from each pixel of frames of type f32"),
        flag("two_time", "Two-time map", false, "Also compute the two-time map of the first bin")};
}

}  // namespace

AnalysisInfo analysis_info() {
    AnalysisInfo info;
    info.id = "xpcs";
    info.title = "XPCS";
    info.description =
        "Photon correlation: g2 and its error per q-bin and delay, and the two-time map of a bin";
    info.inputs = {{"frames", "Frames", "", {}, true, io::frames_help()},
                   {"partition",
                    "Bins",
                    "qmask",
                    {"rings"},
                    true,
                    "FILE or FILE::/path of labels [y][x] (0: ignored; " + io::format_titles() +
                        "). --rings X,Y,R0,WIDTH,N gives N rings instead, in pixels (X,Y may be the words "
                        "beam,beam, which stand for the beam centre of the file)"},
                   io::mask_input()};
    info.inputs.push_back(
        {bin_q_role,
         "q of the bins",
         "bin-q",
         {},
         false,
         "FILE::/path of q of each bin in 1/angstrom [bin] (HDF5), used if the geometry does "
         "not give it"});
    info.inputs.push_back({static_bins_role,
                           "Static bins",
                           "static-bins",
                           {},
                           false,
                           "FILE or FILE::/path of the static bin of each pixel [y][x] (0: in none), for the "
                           "estimator two-level; otherwise those in the file of the bins"});
    for (InputSpec& field : field_inputs()) info.inputs.push_back(std::move(field));
    info.parameters = parameters();
    info.generator = generator_parameters();
    info.benchmark = benchmark();
    info.small = {{"frames", std::int64_t{150}}, {"height", std::int64_t{32}}, {"width", std::int64_t{32}}};
    info.reference = "host.reference";
    return info;
}

}  // namespace ks::xpcs
