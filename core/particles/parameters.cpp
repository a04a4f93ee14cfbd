#include "core/particles/parameters.h"

#include <utility>

#include "core/base/error.h"
#include "core/particles/generator.h"
#include "core/particles/treecode/treecode_result.h"
#include "core/run/parameter_rows.h"
#include "core/run/user/user_variant.h"

namespace ks::particles {
namespace {

using namespace parameter;

/// The sliders assume coordinates over a length of 1.
std::vector<ParameterSpec> kernel_parameters() {
    return {
        choice("kernel", "Kernel", {"rbf", "laplace", "helmholtz"},
               "Contribution of a source at distance r: exp(-r^2 / (2 sigma^2)), 1 / (4 pi r), or "
               "e^(ikr) / (4 pi r)",
               {"rbf  exp(\u2212r\u00b2/2\u03c3\u00b2)", "laplace  1/4\u03c0r", "helmholtz  e^ikr/4\u03c0r"}),
        with_slider({.reach = 10, .step = 1e-3, .decimals = 12, .scale = SliderScale::logarithmic},
                    number("sigma", "Width \u03c3", "", 0.1, above_zero, unbounded,
                           "Width of the rbf kernel, in units of the coordinates")),
        with_slider(
            {.reach = 200, .step = 0.5, .decimals = 9},
            number("wavenumber", "Wavenumber k", "", 10, -unbounded, unbounded,
                   "k of the helmholtz kernel, in radians per unit of length; negative for incoming waves"))};
}

std::vector<ParameterSpec> result_parameters() {
    return {
        choice("precision", "Precision", {"f32", "f64"}, "Precision of the terms and of the result"),
        choice("gradient", "Gradient", {"off", "on"}, "Also compute df/dx, df/dy and df/dz at the targets"),
        number("tolerance", "Tolerance", "", 1e-4, 1e-10, 0.1,
               "Allowed rms error relative to the rms of the sums, for treecode variants")};
}

std::vector<ParameterSpec> where_to_sum() {
    constexpr double largest_side = 16384, largest_cube = 1290;  // targets are counted in 31 bits
    return {
        optional_whole("planes", "Points per side", "", "automatic", 1, largest_side,
                       "Targets on three planes with this number of points per side; automatic: 400 if no "
                       "other targets are given"),
        optional_whole("grid", "Points per cube side", "", "none", 1, largest_cube,
                       "Targets that fill a cube with this number of points per side, instead of the planes"),
        number("plane_low", "Planes from", "", 0, -unbounded, unbounded, "Lowest coordinate along each side"),
        number("plane_high", "Planes to", "", 1, -unbounded, unbounded, "Highest coordinate along each side"),
        number("xy_at", "z of xy", "", 0, -unbounded, unbounded, "Position of the xy plane"),
        number("xz_at", "y of xz", "", 0, -unbounded, unbounded, "Position of the xz plane"),
        number("yz_at", "x of yz", "", 0, -unbounded, unbounded, "Position of the yz plane")};
}

bool is_given(const ParameterSet& set, const char* id) {
    const auto found = set.find(id);
    return found != set.end() && !is_absent(found->second);
}

void append(std::vector<ParameterSpec>& to, std::vector<ParameterSpec> more) {
    for (ParameterSpec& spec : more) to.push_back(std::move(spec));
}

}  // namespace

SumSettings settings_from(const ParameterSet& set) {
    SumSettings settings;
    const std::string& kernel = text(set, "kernel");
    settings.kernel = kernel == "rbf"       ? Kernel::rbf
                      : kernel == "laplace" ? Kernel::laplace
                                            : Kernel::helmholtz;
    settings.sigma = real(set, "sigma");
    settings.wavenumber = real(set, "wavenumber");
    settings.precision = text(set, "precision") == "f32" ? Precision::f32 : Precision::f64;
    settings.gradient = text(set, "gradient") == "on";
    settings.tolerance = real(set, "tolerance");
    return settings;
}

PlaneGrid planes_from(const ParameterSet& set) {
    return {static_cast<std::size_t>(optional_integer(set, "planes").value_or(0)),
            real(set, "plane_low"),
            real(set, "plane_high"),
            real(set, "xy_at"),
            real(set, "xz_at"),
            real(set, "yz_at")};
}

Targets grid_from(const ParameterSet& set, std::size_t usual) {
    PlaneGrid planes = planes_from(set);
    if (const auto cube = optional_integer(set, "grid"))
        return CubeGrid{static_cast<std::size_t>(*cube), planes.low, planes.high};
    if (planes.side == 0) planes.side = usual;
    return planes;
}

void require_one_kind(const ParameterSet& set, bool at_points) {
    const bool planes = is_given(set, "planes"), grid = is_given(set, "grid");
    const auto exclude = [](const std::string& one, const std::string& other) {
        throw Error(ErrorKind::input, one + " and " + other + " cannot be used together", other,
                    "leave out one of them");
    };
    if (planes && grid) exclude("planes", "grid");
    if (planes && at_points) exclude("planes", "targets");
    if (grid && at_points) exclude("grid", "targets");
}

std::vector<IdleParameter> idle_parameters(const Request& request) {
    const ParameterSet& set = request.parameters;
    const std::string kernel = set.contains("kernel") ? text(set, "kernel") : "rbf";
    const bool points = request.inputs.contains("targets") || is_given(set, "targets");
    const bool cube = is_given(set, "grid");
    std::vector<IdleParameter> idle;
    const auto say = [&](const char* id, const std::string& why) {
        if (set.contains(id)) idle.push_back({id, why});
    };
    if (kernel != "rbf") say("sigma", "the kernel is " + kernel);
    if (kernel != "helmholtz") say("wavenumber", "the kernel is " + kernel);
    // Sizes of a benchmark name neither analysis nor variant. The base of a user's variant is not known here.
    if (!request.analysis.empty() && !is_treecode(request.variant) && !is_user_variant(request.variant))
        say("tolerance", (request.variant.empty() ? "the default variant" : request.variant) + " is exact");
    if (points)
        for (const char* id : {"plane_low", "plane_high"}) say(id, "the targets are points");
    if (points || cube)
        for (const char* id : {"xy_at", "xz_at", "yz_at"})
            say(id, points ? "the targets are points" : "the targets fill a cube");
    return idle;
}

ParameterSet benchmark_sizes(ParameterSet sizes) {
    const bool points = is_given(sizes, "targets");
    require_one_kind(sizes, points);
    if (!points && !is_given(sizes, "grid") && !is_given(sizes, "planes"))
        sizes["planes"] = static_cast<std::int64_t>(usual_side);
    for (const char* id : {"planes", "grid", "targets"})
        if (!is_given(sizes, id)) sizes.erase(id);
    return sizes;
}

AnalysisInfo analysis_info() {
    AnalysisInfo info;
    info.id = "particles";
    info.title = "Particles";
    info.description =
        "Particle sums: f(x) = sum of g(x, y) c over sources y, for RBF, 1/(4 pi r) and e^(ikr)/(4 pi r), on "
        "three planes, in a cube or at points from a file";
    const char* columns =
        "x,y,z,weight[,weight_im][,weight_2[,weight_2_im]]... as CSV or HDF5 datasets, or NumPy [n][3 to 5]";
    info.inputs = {{"sources", "Sources", "sources", {}, true, columns},
                   {"targets",
                    "Targets",
                    "targets",
                    {},
                    false,
                    "x,y,z as CSV, NumPy or HDF5, instead of planes or cube"}};
    info.parameters = in_section("Sum", kernel_parameters());
    append(info.parameters, result_parameters());
    append(info.parameters, in_section("Planes", where_to_sum()));
    info.generator = point_parameters();
    info.benchmark = point_parameters();
    info.benchmark.push_back(
        optional_whole("targets", "Targets", "", "none", 1, 1e9, "Random points instead of the planes"));
    append(info.benchmark, kernel_parameters());
    append(info.benchmark, result_parameters());
    append(info.benchmark, where_to_sum());
    info.small = {{"planes", std::int64_t{67}}};
    info.reference = "host.reference";
    return info;
}

}  // namespace ks::particles
