#include "core/io/hdf5/nxmx.h"

#include <cmath>
#include <string>
#include <vector>

namespace ks::io {
namespace {

constexpr const char* detector = "/entry/instrument/detector";

/// An axis of NXtransformations: `values` along or around `vector`, after `depends_on`. The coordinate system
/// is that of NeXus (McStas): z along the beam, y up, x to the left as seen by the beam, so columns and rows
/// of an image run along -x and -y.
struct Axis {
    std::string path;
    Array values;
    const char* unit;
    const char* kind;
    std::vector<double> vector;
    std::string depends_on;
};

void write(h5::Writer& out, const Axis& axis) {
    out.array(axis.path, axis.values, axis.unit);
    out.attribute(axis.path, "transformation_type", axis.kind);
    out.attribute(axis.path, "vector", axis.vector);
    out.attribute(axis.path, "offset", std::vector<double>{0, 0, 0});
    out.attribute(axis.path, "offset_units", "mm");
    out.attribute(axis.path, "depends_on", axis.depends_on);
}

Array one(double value) {
    return Array::of<double>({1}, {value});
}

void write_sample(h5::Writer& out, const NxmxSeries& series) {
    const std::string sample = "/entry/sample", axes = sample + "/transformations", omega = axes + "/omega";
    out.group(sample, "NXsample");
    if (!series.rotation_step) return out.text(sample + "/depends_on", ".");
    out.text(sample + "/depends_on", omega);
    out.group(axes, "NXtransformations");
    std::vector<double> angles;
    for (std::size_t k = 0; k < series.frames; ++k)
        angles.push_back(*series.rotation_step * static_cast<double>(k));
    write(out, {omega, Array::of<double>({series.frames}, angles), "deg", "rotation", {-1, 0, 0}, "."});
}

void write_module(h5::Writer& out, const NxmxSeries& series, const std::string& distance) {
    const std::string module = std::string(detector) + "/module", offset = module + "/module_offset";
    const Geometry& geometry = series.geometry;
    const double x = geometry.pixel_size_x / micrometre_per_millimetre,
                 y = geometry.pixel_size_y / micrometre_per_millimetre;
    out.group(module, "NXdetector_module");
    out.array(module + "/data_origin", Array::of<std::int64_t>({2}, {0, 0}));
    out.array(module + "/data_size", Array::of<std::int64_t>({2}, {static_cast<std::int64_t>(series.height),
                                                                   static_cast<std::int64_t>(series.width)}));
    // From the beam to the corner of the first pixel.
    const double to_x = geometry.beam_x * x, to_y = geometry.beam_y * y, length = std::hypot(to_x, to_y);
    const std::vector<double> way =
        length > 0 ? std::vector<double>{to_x / length, to_y / length, 0} : std::vector<double>{1, 0, 0};
    write(out, {offset, one(length), "mm", "translation", way, distance});
    write(out, {module + "/fast_pixel_direction", one(x), "mm", "translation", {-1, 0, 0}, offset});
    write(out, {module + "/slow_pixel_direction", one(y), "mm", "translation", {0, -1, 0}, offset});
}

void write_detector(h5::Writer& out, const NxmxSeries& series) {
    const std::string home = detector, axes = home + "/transformations", distance = axes + "/translation";
    out.text(home + "/depends_on", distance);
    out.group(axes, "NXtransformations");
    write(out, {distance, one(series.geometry.distance), "mm", "translation", {0, 0, 1}, "."});
    write_module(out, series, distance);
    if (series.sensor) {
        out.text(home + "/sensor_material", series.sensor->material);
        out.number(home + "/sensor_thickness", series.sensor->thickness, "mm");
    }
    if (series.largest_count)
        out.array(home + "/saturation_value", Array::of<std::uint64_t>({}, {*series.largest_count}));
}

}  // namespace

void write_nxmx(h5::Writer& out, const NxmxSeries& series) {
    out.text("/entry/definition", "NXmx");
    write_sample(out, series);
    write_detector(out, series);
}

}  // namespace ks::io
