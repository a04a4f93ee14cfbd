#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/io/hdf5_frames.h"
#include "core/io/layout_text.h"
#include "core/io/nexus.h"
#include "core/io/open_frames.h"
#include "core/run/error.h"

namespace ks::io {
namespace {

std::string bytes_text(std::uint64_t bytes) {
    static constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string row(const std::string& label, const std::string& value) {
    return fmt::format("{:<12} {}\n", label, value);
}

/// Columns of the tree: name (indented), type, shape, and what is left.
struct Line {
    std::string name, type, shape, rest;
};

void add_lines(std::vector<Line>& lines, const FileNode& node, std::size_t depth) {
    Line line{std::string(2 * depth, ' ') + node.name, {}, {}, {}};
    switch (node.kind) {
        case FileNode::Kind::group:
            line.name += "/";
            line.rest = node.nx_class;
            break;
        case FileNode::Kind::missing:
            line.rest = "missing: " + node.type;
            break;
        case FileNode::Kind::dataset:
            line.type = node.type;
            line.shape = node.shape.empty() ? "scalar" : h5::to_text(node.shape);
            line.rest = node.value.empty() ? node.layout : node.value;
            break;
    }
    lines.push_back(std::move(line));
    for (const FileNode& child : node.children) add_lines(lines, child, depth + 1);
}

std::string tree_text(const FileNode& node) {
    std::vector<Line> lines;
    for (const FileNode& child : node.children) add_lines(lines, child, 0);
    std::size_t name = 0, type = 0, shape = 0;
    for (const Line& line : lines) {
        name = std::max(name, std::min<std::size_t>(line.name.size(), 48));
        type = std::max(type, line.type.size());
        shape = std::max(shape, std::min<std::size_t>(line.shape.size(), 24));
    }
    std::string text;
    for (const Line& line : lines) {
        std::string one = fmt::format("{:<{}}  {:<{}}  {:<{}}  {}", line.name, name, line.type, type,
                                      line.shape, shape, line.rest);
        one.erase(one.find_last_not_of(' ') + 1);
        text += one + "\n";
    }
    return text;
}

const FileNode* find(const FileNode& node, const std::string& path) {
    if (node.path == path) return &node;
    for (const FileNode& child : node.children)
        if (const FileNode* found = find(child, path)) return found;
    return nullptr;
}

std::string frames_text(FrameSource& source) {
    return fmt::format("{} frame{} of {} x {} {}, {}", source.frames(), source.frames() == 1 ? "" : "s",
                       source.height(), source.width(), name_of(source.type()), bytes_text(source.bytes()));
}

std::string range_text(FrameSource& source) {
    Array frame(source.type(), {source.height(), source.width()});
    source.read(0, 1, frame.bytes());
    double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
    std::size_t not_finite = 0;
    for (const double value : frame.to_doubles()) {
        if (!std::isfinite(value)) {
            ++not_finite;
            continue;
        }
        smallest = std::min(smallest, value);
        largest = std::max(largest, value);
    }
    std::string text =
        smallest > largest ? std::string("no finite value") : fmt::format("{} to {}", smallest, largest);
    if (not_finite > 0) text += fmt::format(", {} not finite", not_finite);
    return text;
}

/// "not in the file", unless a fault of that part tells more.
std::string unknown_text(const std::string& part, const std::vector<GeometryFault>& faults) {
    const bool faulty = std::any_of(faults.begin(), faults.end(),
                                    [&](const GeometryFault& fault) { return fault.part.starts_with(part); });
    return faulty ? "unknown, see below" : "not in the file";
}

std::string geometry_text(const std::filesystem::path& file) {
    std::vector<GeometryFault> faults;
    const std::optional<Geometry> found = read_geometry(file, faults);
    if (!found) return row("geometry", "the file has no beam centre");
    const auto part = [&faults](const std::string& label, const char* id, bool known,
                                const std::string& value) {
        return row(label, known ? value : unknown_text(id, faults));
    };
    const bool centred = std::none_of(faults.begin(), faults.end(), [](const GeometryFault& fault) {
        return fault.part.starts_with("beam");
    });
    std::string text = part(
        "beam centre", "beam", centred,
        fmt::format("x {:.3f}, y {:.3f} pixels (first pixel's centre at 0.5)", found->beam_x, found->beam_y));
    text += part("pixel size", "pixel_size", found->pixel_size_x > 0 && found->pixel_size_y > 0,
                 fmt::format("{:.6g} x {:.6g} um", found->pixel_size_x, found->pixel_size_y));
    text += part("distance", "distance", found->distance > 0, fmt::format("{:.6g} mm", found->distance));
    text += part("wavelength", "wavelength", found->wavelength > 0,
                 fmt::format("{:.6g} angstrom", found->wavelength));
    if (!found->complete()) text += row("q", "unknown until pixel size, distance and wavelength are known");
    for (const GeometryFault& fault : faults) text += row("geometry", fault.error.what());
    return text;
}

std::string describe_dataset(const h5::Handle& file, const DataName& data) {
    const h5::Handle dataset = h5::open_dataset(file, data.file.string(), data.object);
    const h5::Handle type(H5Dget_type(dataset));
    const std::vector<std::size_t> shape = h5::shape_of(dataset);
    std::string text = row("type", h5::type_name(type));
    text += row("shape", shape.empty() ? "scalar" : h5::to_text(shape));
    text += row("layout", layout_text(dataset));
    text += row("stored", bytes_text(H5Dget_storage_size(dataset)));
    if (const auto unit = h5::attribute(dataset, "units")) text += row("unit", *unit);
    if (const auto why = why_not_frames(dataset)) return text + row("as frames", *why);
    const std::shared_ptr<FrameSource> source = open_frames(data.to_string());
    text += row("as frames", frames_text(*source));
    const std::optional<double> time = source->frame_time();
    text += row("frame time", time ? fmt::format("{:.6g} s", *time) : "not in the file");
    text += row("first frame", range_text(*source));
    return text + geometry_text(data.file);
}

}  // namespace

std::string describe(const std::string& name) {
    const DataName data = DataName::parse(name);
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(data.file);
    const std::string object = data.object.empty() ? "/" : data.object;
    const h5::Handle opened = h5::open_object(file, data.file.string(), object);
    std::error_code ignored;
    std::string text =
        row("file", data.file.string() + ", " + bytes_text(std::filesystem::file_size(data.file, ignored)));
    if (object != "/") text += row("object", object);
    if (h5::is_dataset(opened)) return text + describe_dataset(file, {data.file, object});
    try {
        const std::shared_ptr<FrameSource> source = open_frames(data.to_string());
        text += row("opens as", DataName::parse(source->name()).object + ", " + frames_text(*source));
    } catch (const Error& error) {
        text += row("frames", error.where() == data.file.string() ? error.message() : error.what());
    }
    if (object == "/") text += geometry_text(data.file);
    const FileNode tree = read_tree(data.file);
    const FileNode* node = find(tree, object);
    return text + "\n" + tree_text(node != nullptr ? *node : tree);
}

}  // namespace ks::io
