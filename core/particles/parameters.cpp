#include "core/particles/parameters.h"

#include <utility>

#include "core/particles/generator.h"
#include "core/run/parameter_rows.h"

namespace ks::particles {
namespace {

using namespace parameter;

std::vector<ParameterSpec> how_to_sum() {
    return {
        choice("kernel", "Kernel", {"rbf", "laplace", "helmholtz"},
               "exp(-r^2 / (2 sigma^2)), 1 / (4 pi r), or e^(ikr) / (4 pi r)"),
        number("sigma", "Sigma", "", 0.1, 0, most, "Width of rbf, in units of the coordinates"),
        number("wavenumber", "Wavenumber", "", 10, -most, most, "k of helmholtz, radians a unit of length"),
        choice("precision", "Precision", {"f32", "f64"}, "Of the terms and of the result"),
        choice("gradient", "Gradient", {"off", "on"}, "Also df/dx, df/dy and df/dz at the targets")};
}

std::vector<ParameterSpec> where_to_sum(std::int64_t side) {
    constexpr double largest_side = 16384, largest_cube = 1290;  // targets are counted in 31 bits
    return {whole("planes", "Points along a side", "", side, 0, largest_side,
                  "Targets on three planes of that many points squared; 0: 400 where no targets are given"),
            whole("grid", "Points along a side of a cube", "", 0, 0, largest_cube,
                  "Targets that fill a cube, of that many points cubed, in place of the planes; 0: none"),
            number("plane_low", "Planes from", "", 0, -most, most, "First coordinate along the sides"),
            number("plane_high", "Planes to", "", 1, -most, most, "Last coordinate along the sides"),
            number("xy_at", "z of the xy plane", "", 0, -most, most, "Where the plane lies"),
            number("xz_at", "y of the xz plane", "", 0, -most, most, "Where the plane lies"),
            number("yz_at", "x of the yz plane", "", 0, -most, most, "Where the plane lies")};
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
    return settings;
}

PlaneGrid planes_from(const ParameterSet& set) {
    return {static_cast<std::size_t>(integer(set, "planes")),
            real(set, "plane_low"),
            real(set, "plane_high"),
            real(set, "xy_at"),
            real(set, "xz_at"),
            real(set, "yz_at")};
}

Targets grid_from(const ParameterSet& set, std::size_t usual) {
    PlaneGrid planes = planes_from(set);
    const auto cube = static_cast<std::size_t>(integer(set, "grid"));
    if (cube > 0) return CubeGrid{cube, planes.low, planes.high};
    if (planes.side == 0) planes.side = usual;
    return planes;
}

AnalysisInfo analysis_info() {
    AnalysisInfo info;
    info.id = "particles";
    info.title = "Particles";
    info.story =
        "Particle sums: f(x) = sum of g(x, y) c over sources y, for RBF, 1/r and e^(ikr)/r, on three planes";
    const char* columns =
        "x,y,z,weight[,weight_im][,weight_2[,weight_2_im]]... as CSV or HDF5 datasets, or NumPy [n][3 to 5]";
    info.inputs = {
        {"sources", "Sources", "sources", {}, true, columns},
        {"targets", "Targets", "targets", {}, false, "x,y,z as CSV, NumPy or HDF5, in place of the planes"}};
    info.parameters = how_to_sum();
    append(info.parameters, where_to_sum(0));
    info.generator = point_parameters();
    info.benchmark = point_parameters();
    info.benchmark.push_back(
        whole("targets", "Targets", "", 0, 0, 1e9, "Random points in place of the planes; 0: planes"));
    append(info.benchmark, how_to_sum());
    append(info.benchmark, where_to_sum(usual_side));
    info.reference = "host.reference";
    return info;
}

}  // namespace ks::particles
