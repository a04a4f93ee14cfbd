#include "core/io/describe_contents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/printable.h"
#include "core/io/csv/csv.h"
#include "core/io/stored_frames.h"

namespace ks::io {
namespace {

constexpr std::size_t max_named = 12;
const std::string record = "/entry/kernelscope";  ///< record of a run, next to its datasets

/// "counts [3, 5]" of each.
void find_datasets(const FileNode& node, std::vector<std::string>& found) {
    if (node.kind == FileNode::Kind::dataset && node.type != "string" && !node.shape.empty())
        found.push_back(node.name + ' ' + h5::to_text(node.shape));
    for (const FileNode& child : node.children) find_datasets(child, found);
}

std::vector<std::size_t> shape_of(const FrameSource& frames) {
    if (frames.frames() == 1) return {frames.height(), frames.width()};
    return {frames.frames(), frames.height(), frames.width()};
}

std::string text_at(const h5::Handle& file, const std::string& path) {
    const h5::Handle dataset = h5::open_object(file, "", path);
    const auto texts = h5::is_dataset(dataset) ? h5::strings(dataset) : std::nullopt;
    return texts && texts->size() == 1 ? texts->front() : std::string();
}

/// "not in the file", unless a fault of that part says more.
std::string unknown_text(const std::string& part, const std::vector<GeometryFault>& faults) {
    const bool faulty = std::any_of(faults.begin(), faults.end(),
                                    [&](const GeometryFault& fault) { return fault.part.starts_with(part); });
    return faulty ? "unknown, see below" : "not in the file";
}

}  // namespace

std::string geometry_text(const std::optional<Geometry>& found, const std::vector<GeometryFault>& faults) {
    if (!found) return info_row("geometry", "the file has no beam centre");
    const auto part = [&faults](const std::string& label, const char* id, bool known,
                                const std::string& value) {
        return info_row(label, known ? value : unknown_text(id, faults));
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
    if (!found->complete())
        text += info_row("q", "unknown until pixel size, distance and wavelength are known");
    for (const GeometryFault& fault : faults) text += info_row("geometry", fault.error.what());
    return text;
}

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

std::string info_row(const std::string& label, const std::string& value) {
    return fmt::format("{:<12} {}\n", label, printable(value));
}

const FileNode* find_node(const FileNode& node, const std::string& path) {
    if (node.path == path) return &node;
    for (const FileNode& child : node.children)
        if (const FileNode* found = find_node(child, path)) return found;
    return nullptr;
}

FileNode tree_of_one(const std::filesystem::path& file, FileNode array) {
    FileNode root;
    root.name = file.filename().string();
    root.path.assign(1, '/');
    root.children.push_back(std::move(array));
    return root;
}

FileNode tree_of_frames(const std::filesystem::path& file, const StoredFrames& frames) {
    FileNode stack;
    stack.name = frames.frames() == 1 ? "frame" : "frames";
    stack.kind = FileNode::Kind::dataset;
    stack.type = frames.type_text();
    stack.shape = shape_of(frames);
    stack.layout = frames.layout_text();
    stack.frames = true;
    return tree_of_one(file, std::move(stack));
}

std::string describe_frames(StoredFrames& frames) {
    std::string text = info_row("type", frames.type_text());
    text += info_row("shape", fmt::format("[{}]", fmt::join(shape_of(frames), ", ")));
    if (const std::string layout = frames.layout_text(); !layout.empty()) text += info_row("layout", layout);
    if (frames.frames() == 1) text += info_row("can be", image_text(frames.height(), frames.width()));
    text += info_row("as frames", frames_text(frames) + narrowing_text(frames.stored()));
    return text + info_row("first frame", first_frame_text(frames));
}

bool holds_frames(const FileNode& node) {
    return node.frames || std::ranges::any_of(node.children, holds_frames);
}

std::string run_text(const h5::Handle& file, const FileNode& node) {
    if (find_node(node, record + "/variant") == nullptr) return {};
    const auto variant = try_parse_json(text_at(file, record + "/variant"));
    if (!variant.is_object()) return {};
    const auto text = [&variant](const char* key) {
        const auto found = variant.find(key);
        return found != variant.end() && found->is_string() ? found->get<std::string>() : "?";
    };
    return fmt::format("{}, by {}", text("analysis"), text("id"));
}

std::string contents_text(const FileNode& node) {
    std::vector<std::string> found;
    find_datasets(node, found);
    return info_row("contents", found.empty() ? "no frames and no other numbers"
                                              : "no frames, but " + listed(found, max_named));
}

std::string describe_csv(const std::filesystem::path& file) {
    std::vector<ColumnRange> columns;
    CsvReader reader(file, {});
    for (const std::string& name : reader.header()) columns.push_back({printable(name)});
    std::size_t rows = 0;
    while (reader.next()) {
        for (std::size_t i = 0; i < columns.size(); ++i) columns[i].take(reader.fields()[i]);
        ++rows;
    }
    std::string text = info_row("contents", fmt::format("{} row{} of {} column{}", rows, rows == 1 ? "" : "s",
                                                        columns.size(), columns.size() == 1 ? "" : "s"));
    return text + columns_text(columns);
}

void ValueRange::take(const Array& values) {
    visit_element(values.type(), [&](auto zero) {
        for (const auto stored : values.as<decltype(zero)>()) {
            const auto value = static_cast<double>(stored);
            if (!std::isfinite(value)) {
                ++not_finite;
                continue;
            }
            smallest = std::min(smallest, value);
            largest = std::max(largest, value);
        }
    });
}

std::string ValueRange::text() const {
    std::string range =
        smallest > largest ? std::string("no finite value") : fmt::format("{} to {}", smallest, largest);
    if (not_finite > 0) range += fmt::format(", {} not finite", not_finite);
    return range;
}

std::string first_frame_text(FrameSource& source) {
    if (source.frame_bytes() > max_described)
        return "not read, because that takes " + bytes_text(source.frame_bytes());
    Array frame(source.type(), {source.height(), source.width()});
    source.read(0, 1, frame.bytes());
    const PixelBlocks lacking = source.lacking(0);
    if (!lacking.empty()) {
        // A stored value, as a substitute for the missing ones.
        const PixelBlock there = disjoint({{0, source.height(), 0, source.width()}}, lacking).front();
        const std::size_t bytes = size_of(source.type());
        const auto value = frame.bytes().subspan((there.top * source.width() + there.left) * bytes, bytes);
        for (const PixelBlock& rect : lacking)
            for (std::size_t row = rect.top; row < rect.bottom; ++row)
                for (std::size_t column = rect.left; column < rect.right; ++column)
                    std::ranges::copy(value,
                                      frame.bytes().subspan((row * source.width() + column) * bytes).begin());
    }
    ValueRange range;
    range.take(frame);
    if (lacking.empty()) return range.text();
    return fmt::format("{}, {} of {} pixels are not in the file", range.text(), pixels_of(lacking),
                       source.pixels());
}

void ColumnRange::take(std::string_view field) {
    if (field.empty()) {
        ++empty;
        return;
    }
    const std::optional<double> value = words ? std::nullopt : csv_number(field);
    words = !value;
    if (!words) take(*value);
}

void ColumnRange::take(double value) {
    if (!std::isfinite(value)) {
        ++(std::isnan(value) ? not_a_number : infinite);
        return;
    }
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
}

std::string ColumnRange::text() const {
    std::string range = words                ? std::string("text")
                        : smallest > largest ? std::string("no finite value")
                                             : fmt::format("{} to {}", smallest, largest);
    if (empty > 0) range += fmt::format(", {} empty", empty);
    if (not_a_number > 0 && !words) range += fmt::format(", {} NaN", not_a_number);
    if (infinite > 0 && !words) range += fmt::format(", {} infinite", infinite);
    return range;
}

std::string image_text(std::size_t height, std::size_t width) {
    return fmt::format("an image of {} x {} pixels: labels of bins, or a mask", height, width);
}

bool may_be_points(const std::vector<std::size_t>& shape) {
    return shape.size() == 2 && shape[1] >= 3 && shape[1] <= 5;
}

std::string columns_text(const std::vector<ColumnRange>& columns) {
    std::size_t width = 0;
    for (const ColumnRange& column : columns) width = std::max(width, column.name.size());
    std::string text = "\n";
    for (const ColumnRange& column : columns)
        text += fmt::format("{:<{}}  {}\n", column.name, width, column.text());
    return text;
}

}  // namespace ks::io
