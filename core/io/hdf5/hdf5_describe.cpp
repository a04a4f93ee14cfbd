#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/printable.h"
#include "core/io/describe_contents.h"
#include "core/io/files/followed_files.h"
#include "core/io/hdf5/hdf5_frames.h"
#include "core/io/hdf5/hdf5_read.h"
#include "core/io/hdf5/layout_text.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/hdf5/series/numbered_frames.h"

namespace ks::io {
namespace {

/// Columns of the tree: name (indented), type, shape, and the rest.
struct Line {
    std::string name, type, shape, rest;
};

/// Datasets of a group whose names differ only by a number.
struct NumberedRow {
    const FileNode *first = nullptr, *last = nullptr;
    std::size_t count = 0;
};
using RowsByName = std::map<std::string, NumberedRow>;

/// The row for each dataset that is listed as one of many.
RowsByName numbered_rows(const FileNode& group) {
    constexpr std::size_t many = 8;
    std::map<std::string, const FileNode*> frames;
    std::vector<std::string> all;
    for (const FileNode& child : group.children) {
        if (!child.frames || child.shape.size() != 2) continue;
        frames.emplace(child.name, &child);
        all.push_back(child.name);
    }
    RowsByName rows;
    for (const std::vector<std::string>& names : numbered_names(all)) {
        const FileNode &first = *frames.at(names.front()), &last = *frames.at(names.back());
        const bool alike = std::ranges::all_of(names, [&](const std::string& name) {
            const FileNode& one = *frames.at(name);
            return one.type == first.type && one.shape == first.shape && one.layout == first.layout;
        });
        if (names.size() < many || !alike) continue;
        for (const std::string& name : names) rows[name] = {&first, &last, names.size()};
    }
    return rows;
}

void add_lines(std::vector<Line>& lines, const FileNode& node, std::size_t depth);

void add_children(std::vector<Line>& lines, const FileNode& group, std::size_t depth) {
    const RowsByName rows = numbered_rows(group);
    for (const FileNode& child : group.children) {
        const auto row = rows.find(child.name);
        if (row != rows.end() && row->second.first != &child) continue;
        add_lines(lines, child, depth);
        if (row == rows.end()) continue;
        const auto& [first, last, count] = row->second;
        lines.back().name += " to " + printable(last->name);
        lines.back().rest = printable(fmt::format("{} datasets, {}", count, first->layout));
    }
}

void add_lines(std::vector<Line>& lines, const FileNode& node, std::size_t depth) {
    Line line{std::string(2 * depth, ' ') + printable(node.name), {}, {}, {}};
    switch (node.kind) {
        case FileNode::Kind::group:
            line.name += "/";
            line.rest = node.nx_class;
            if (!node.note.empty()) line.rest += (line.rest.empty() ? "" : ", ") + node.note;
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
    line.rest = printable(line.rest);
    lines.push_back(std::move(line));
    add_children(lines, node, depth + 1);
}

std::string tree_text(const FileNode& node) {
    std::vector<Line> lines;
    add_children(lines, node, 0);
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

/// How the values of a dataset of frames are narrowed.
std::string narrowing_of(hid_t dataset) {
    const h5::Handle type(H5Dget_type(dataset));
    return narrowing_text(h5::element_type(type).value_or(ElementType::u8));
}

/// The bytes that HDF5 needs to read any value of a compressed dataset.
std::uint64_t chunk_bytes(hid_t dataset) {
    const h5::Handle properties(H5Dget_create_plist(dataset)), type(H5Dget_type(dataset));
    if (H5Pget_layout(properties) != H5D_CHUNKED) return 0;
    std::vector<hsize_t> chunk(h5::shape_of(dataset).size());
    H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    return array_bytes(H5Tget_size(type), {chunk.begin(), chunk.end()});
}

/// Range of the first frame's values, read in rows that need little memory.
std::string range_text(FrameSource& source, hid_t dataset, std::optional<std::size_t> scan) {
    if (!source.written(0)) return "never written";
    if (source.frame_bytes() <= max_described) return first_frame_text(source);
    if (const PixelBlocks lacking = source.lacking(0); !lacking.empty())
        return fmt::format("not read, because {} of {} pixels are not in the file", pixels_of(lacking),
                           source.pixels());
    const std::uint64_t row_bytes = source.width() * size_of(source.type()), chunk = chunk_bytes(dataset);
    if (row_bytes > max_described || chunk > max_described)
        return "not read, because that takes " + bytes_text(std::max(row_bytes, chunk));
    const auto maximum = static_cast<std::size_t>(max_described / row_bytes);
    const h5::StackAxes axes = *h5::StackAxes::of(h5::shape_of(dataset), scan);
    ValueRange range;
    for (std::size_t y = 0; y < source.height(); y += maximum) {
        const std::size_t rows = std::min(maximum, source.height() - y);
        Array part(source.type(), {rows, source.width()});
        const h5::Handle space(H5Dget_space(dataset));
        const h5::StackAxes::Place start = axes.place(0, y, 0), block = axes.extent(1, rows, source.width());
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
        const h5::Handle memory(H5Screate_simple(static_cast<int>(axes.rank()), block.data(), nullptr));
        if (H5Dread(dataset, h5::memory_type(source.type()), memory, space, H5P_DEFAULT,
                    part.bytes().data()) < 0)
            throw Error(ErrorKind::input, "the first frame cannot be read: " + h5::last_failure(),
                        source.name());
        range.take(part);
    }
    return range.text();
}

std::string geometry_of(const DataName& frames) {
    std::vector<GeometryFault> faults;
    const std::optional<Geometry> found = read_hdf5_geometry(frames, faults);
    return geometry_text(found, faults);
}

/// Text for a series in several datasets of a group.
std::string series_text(const std::string& group, const FrameSource& source) {
    std::size_t missing = 0;
    for (std::size_t k = 0; k < source.frames(); ++k) missing += source.written(k) ? 0 : 1;
    const auto* numbered = dynamic_cast<const NumberedFrames*>(&source);
    const std::string what = numbered != nullptr ? numbered->datasets().to_string() : "the parts in " + group;
    std::string text = info_row("opens as", what + ", " + frames_text(source));
    if (missing > 0) text += info_row("missing", fmt::format("{} of {} frames", missing, source.frames()));
    return text;
}

/// @param why report why it cannot be opened; otherwise the text is then empty
std::string opening_text(const DataName& data, bool why) {
    try {
        const std::shared_ptr<FrameSource> source = open_hdf5_frames(data);
        const DataName opened = DataName::parse(source->name());
        const h5::Handle file = h5::open_file(opened.file);
        const h5::Handle object =
            h5::open_object(file, opened.file.string(), h5::ScanName::of(file, opened.object).path);
        if (h5::is_group(object)) return series_text(opened.object, *source);
        const std::string narrowing = narrowing_of(object);
        // Results of runs have 64 bits, frames of detectors seldom do.
        if (!why && !narrowing.empty()) return {};
        return info_row("opens as", opened.object + ", " + frames_text(*source) + narrowing);
    } catch (const Error& error) {
        if (!why) return {};
        return info_row("frames", error.where() == data.file.string() ? error.message() : error.what());
    }
}

/// Opening frames decides how their file is opened, for all concurrent users of the file: some sources of
/// virtual datasets need SWMR reading.
std::shared_ptr<FrameSource> frames_or_none(const DataName& name) {
    try {
        return open_hdf5_frames(name);
    } catch (const Error&) {
        return nullptr;  // the fault is reported where it matters
    }
}

/// The files that were read because this one refers to them.
std::string followed_text(const std::filesystem::path& file) {
    constexpr std::size_t most_shown = 8;
    std::vector<std::string> names;
    for (const std::filesystem::path& followed : followed_from(file)) names.push_back(followed.string());
    return names.empty() ? "" : info_row("also reads", listed(names, most_shown));
}

bool has_geometry(const DataName& frames) {
    std::vector<GeometryFault> faults;
    return read_hdf5_geometry(frames, faults).has_value();
}

bool misses_something(const FileNode& node) {
    return node.kind == FileNode::Kind::missing || std::ranges::any_of(node.children, misses_something);
}

std::string describe_dataset(const h5::Handle& file, const DataName& data) {
    const h5::ScanName scan = h5::ScanName::of(file, data.object);
    const h5::Handle dataset = h5::open_dataset(file, data.file.string(), scan.path);
    const h5::Handle type(H5Dget_type(dataset));
    const std::vector<std::size_t> shape = h5::shape_of(dataset);
    std::string text = info_row("type", h5::type_name(type));
    text += info_row("shape", shape.empty() ? "scalar" : h5::to_text(shape));
    text += info_row("layout", layout_text(dataset));
    text += info_row("stored", bytes_text(H5Dget_storage_size(dataset)));
    if (const auto unit = h5::attribute(dataset, "units")) text += info_row("unit", *unit);
    if (const auto why = why_not_frames(dataset, scan.scan)) return text + info_row("as frames", *why);
    const std::shared_ptr<FrameSource> source = open_hdf5_frames(data);
    text += info_row("as frames", frames_text(*source) + narrowing_of(dataset));
    const std::optional<double> time = source->frame_time();
    text += info_row("frame time", time ? fmt::format("{:.6g} s", *time)
                                        : source->frame_time_fault().value_or("not in the file"));
    text += info_row("first frame", range_text(*source, dataset, scan.scan));
    return text + geometry_of(data);
}

}  // namespace

std::string describe_hdf5(const DataName& data) {
    const h5::Lock lock;
    const std::shared_ptr<FrameSource> first = frames_or_none(data);
    const h5::Handle file = h5::open_file(data.file);
    const std::string object = data.object.empty() ? "/" : data.object;
    const h5::Handle opened = h5::open_object(file, data.file.string(), h5::ScanName::of(file, object).path);
    std::string text;
    if (object != "/") text += info_row("object", object);
    if (h5::is_dataset(opened)) {
        text += describe_dataset(file, {data.file, object});
        return text + followed_text(data.file);
    }
    const FileNode node = read_hdf5_tree(data.file, object);
    const std::string run = run_text(file, node);
    if (!run.empty()) text += info_row("run of", run);
    // The file may designate frames that cannot be read: opening then says why. A run may contain images that
    // are not frames.
    std::string frames;
    if (holds_frames(node) || misses_something(node)) frames = opening_text(data, run.empty());
    text += frames.empty() ? contents_text(node) : frames;
    if (object == "/" && (!frames.empty() || has_geometry(data))) text += geometry_of(data);
    return text + followed_text(data.file) + "\n" + tree_text(node);
}

}  // namespace ks::io
