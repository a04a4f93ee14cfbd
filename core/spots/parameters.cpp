#include "core/spots/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/base/error.h"
#include "core/input/frame_input.h"
#include "core/input/frame_mask.h"
#include "core/run/parameter_rows.h"
#include "core/spots/synthetic/generator.h"

namespace ks::spots {
namespace {

using namespace ks::parameter;

ParameterSpec algorithm() {
    return choice(
        "algorithm", "Algorithm", {"dispersion", "dispersion_extended"},
        "dispersion: the window of a signal pixel has a large index of dispersion, and the pixel exceeds "
        "the window's mean; dispersion_extended: it exceeds a background that excludes nearby signal",
        {"dispersion", "extended dispersion"});
}

ParameterSpec kernel() {
    return words("kernel", "Window", "px", "3,3",
                 "Half-widths KX,KY of the window, 1 to 15; the window has (2 KX + 1)(2 KY + 1) pixels");
}

/// Parameters that define signal pixels.
std::vector<ParameterSpec> signal_parameters() {
    constexpr int window = 2 * Thresholds::largest_kernel + 1;
    constexpr auto logarithmic = SliderScale::logarithmic;
    return {
        algorithm(),
        with_slider(
            {.reach = 30, .step = 0.1, .decimals = 4},
            number("sigma_b", "\u03c3 background", "", 6, 0, 1e6,
                   "Number of standard deviations by which the window's index of dispersion must exceed 1")),
        with_slider(
            {.reach = 15, .step = 0.1, .decimals = 4},
            number("sigma_s", "\u03c3 strong", "", 3, 0, 1e6,
                   "Number of standard deviations by which a pixel must exceed the mean of its window")),
        kernel(),
        choice("extended_rule", "Masked pixels", {"newer", "older"},
               "Of dispersion_extended. newer: masked and other invalid pixels erode no signal, as in DIALS "
               "from 3.24 on; older: signal next to them is lost, as in DIALS up to 3.23",
               {"erode nothing (newer)", "erode signal (older)"}),
        with_slider({.reach = 49}, whole("min_local", "Valid pixels", "px", 2, 2, double{window} * window,
                                         "Minimum number of valid pixels in a window")),
        with_slider({.reach = 65535, .step = 1, .decimals = 4, .scale = logarithmic},
                    number("threshold", "Threshold", "counts", 0, -1e12, 1e12,
                           "Signal pixels must have more counts than this")),
        with_slider({.reach = 100, .step = 0.01, .decimals = 6, .scale = logarithmic},
                    number("gain", "Gain", "counts/photon", 1, 1e-6, 1e6, "Counts per photon"))};
}

/// Parameters that define spots.
std::vector<ParameterSpec> spot_parameters() {
    return {
        flag("stills", "Stills", false,
             "Search every frame separately; otherwise spots extend over consecutive frames"),
        whole("min_size", "Min. spot size", "px", 3, 1, unbounded,
              "Minimum number of signal pixels in a spot"),
        whole("max_size", "Max. spot size", "px", 1000, 1, unbounded,
              "Maximum number of signal pixels in a spot"),
        number("max_separation", "Max. peak-centroid distance", "px", 2, 0, 1e6,
               "Maximum distance of the peak from the centroid"),
        optional_number("d_min", "Min. d", "angstrom", "off", above_zero, 1e6, "Drop spots with a smaller d"),
        optional_number("d_max", "Max. d", "angstrom", "off", above_zero, 1e6, "Drop spots with a larger d"),
        optional_number("ice_width", "Ice rings", "1/angstrom^2", "off", above_zero, 1,
                        "Drop spots whose 1/d^2 is within this distance of a hexagonal ice ring")};
}

ParameterSpec modules() {
    return words("modules", "Modules", "px", "whole",
                 "H,W,GAP_Y,GAP_X: windows end at the borders of modules of H x W pixels with these gaps; "
                 "whole: they end at the border of the frame");
}

std::vector<ParameterSpec> image_parameters() {
    std::vector<ParameterSpec> all{
        modules(),
        flag("save_signal", "Save signal", false, "Include the signal mask of all pixels in the saved run"),
        flag("all_spots", "Save all spots", false, "Include dropped spots in the saved run")};
    for (ParameterSpec& spec : all) spec.adds_results = spec.id != "modules";
    return all;
}

std::vector<ParameterSpec> parameters() {
    constexpr const char* thresholds = "Thresholds";
    std::vector<ParameterSpec> mask = io::mask_parameters();
    for (ParameterSpec& spec : mask)
        if (spec.id == "saturation") spec.section = thresholds;
    std::vector<ParameterSpec> all;
    for (const auto& more :
         {in_section(thresholds, signal_parameters()), in_section("Spots", spot_parameters()), mask,
          image_parameters(), io::frame_range_parameters(), io::geometry_parameters()})
        std::copy(more.begin(), more.end(), std::back_inserter(all));
    return all;
}

std::vector<ParameterSpec> benchmark() {
    std::vector<ParameterSpec> all{
        whole("height", "Height", "px", 4362, 31, 16384, "Number of pixel rows"),
        whole("width", "Width", "px", 4148, 31, 16384, "Number of pixel columns"),
        whole("frames", "Frames", "frames", 1, 1, 1000, "Number of frames"),
        whole("spots", "Spots", "", 3000, 0, 1e6, "Total number of spots in all frames"),
        number("background", "Background", "counts", 5, 0, 10000, "Mean counts per pixel"),
        choice("type", "Type", {"u16", "u8", "u32", "f32"},
               "Pixel type of the frames; the counts are the same, of type u8 up to 255"),
        number("dark", "Dark counts", "counts", 0, 0, 60000,
               "Counts that are subtracted from each pixel of frames of type f32"),
        optional_number("saturation", "Saturation", "counts", "none", 1, 1e9,
                        "Counts from this on are invalid"),
        modules(),
        flag("critical", "Critical windows", false,
             "Put counts at the thresholds into windows all over the frames, of type u32 also beyond 16 "
             "bits, and mask some pixels")};
    for (ParameterSpec& spec : signal_parameters()) all.push_back(std::move(spec));
    return all;
}

}  // namespace

AnalysisInfo analysis_info() {
    AnalysisInfo info;
    info.id = "spots";
    info.title = "Spots";
    info.description =
        "Diffraction spots: finds pixels significantly above the local background and groups them into spots";
    info.inputs = {{"frames", "Frames", "", {}, true, io::frames_help()}, io::mask_input()};
    info.parameters = parameters();
    info.generator = generator_parameters();
    info.benchmark = benchmark();
    info.small = {{"height", std::int64_t{128}}, {"width", std::int64_t{128}}, {"spots", std::int64_t{5}}};
    info.reference = "host.reference";
    return info;
}

KernelSize kernel_from(const std::string& text) {
    const char *at = text.data(), *const end = at + text.size();
    KernelSize size;
    const auto take = [&](int& value) {
        const auto [stop, code] = std::from_chars(at, end, value);
        at = stop;
        return code == std::errc() && value >= 1 && value <= Thresholds::largest_kernel;
    };
    bool good = take(size.x);
    if (good && at == end) {
        size.y = size.x;
        return size;
    }
    good = good && *at++ == ',' && take(size.y) && at == end;
    if (!good)
        throw Error(ErrorKind::input,
                    fmt::format("expected half-widths KX,KY from 1 to {} pixels, found \"{}\"",
                                Thresholds::largest_kernel, text),
                    "parameter kernel");
    return size;
}

Thresholds thresholds_from(const ParameterSet& set) {
    Thresholds t;
    t.algorithm =
        text(set, "algorithm") == "dispersion" ? Algorithm::dispersion : Algorithm::dispersion_extended;
    t.extended_rule = text(set, "extended_rule") == "newer" ? ExtendedRule::newer : ExtendedRule::older;
    const KernelSize kernel = kernel_from(text(set, "kernel"));
    t.kernel_x = kernel.x;
    t.kernel_y = kernel.y;
    t.sigma_b = real(set, "sigma_b");
    t.sigma_s = real(set, "sigma_s");
    t.min_local = static_cast<int>(integer(set, "min_local"));
    t.global_threshold = real(set, "threshold");
    t.gain = real(set, "gain");
    return t;
}

Grouping grouping_from(const ParameterSet& set) {
    Grouping g;
    g.stills = boolean(set, "stills");
    g.min_size = static_cast<std::size_t>(integer(set, "min_size"));
    g.max_size = static_cast<std::size_t>(integer(set, "max_size"));
    g.max_separation = real(set, "max_separation");
    g.d_min = optional_real(set, "d_min");
    g.d_max = optional_real(set, "d_max");
    g.ice_width = optional_real(set, "ice_width");
    if (g.min_size > g.max_size)
        throw Error(ErrorKind::input,
                    fmt::format("the minimum spot size must not exceed the maximum, found {} and {} pixels",
                                g.min_size, g.max_size),
                    "parameter min_size");
    if (g.d_min && g.d_max && *g.d_min > *g.d_max)
        throw Error(ErrorKind::input,
                    fmt::format("the minimum d must not exceed the maximum, found {} and {} angstrom",
                                *g.d_min, *g.d_max),
                    "parameter d_min");
    return g;
}

}  // namespace ks::spots
