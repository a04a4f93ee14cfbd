#include "core/io/describe_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/printable.h"
#include "core/io/csv/csv.h"
#include "core/io/npy/npy.h"

namespace ks::io {
namespace {

constexpr std::size_t most_named = 12;
const std::string record = "/entry/kernelscope";  ///< of a run, beside its datasets

void find_datasets(const FileNode& node, std::vector<const FileNode*>& found) {
    if (node.kind == FileNode::Kind::dataset && node.type != "string" && !node.shape.empty())
        found.push_back(&node);
    for (const FileNode& child : node.children) find_datasets(child, found);
}

std::string text_at(const h5::Handle& file, const std::string& path) {
    const h5::Handle dataset = h5::open_object(file, "", path);
    const auto texts = h5::is_dataset(dataset) ? h5::strings(dataset) : std::nullopt;
    return texts && texts->size() == 1 ? texts->front() : std::string();
}

/// What a column of a CSV file has shown so far.
struct Column {
    std::string name;
    double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
    std::size_t empty = 0, not_a_number = 0, infinite = 0;
    bool words = false;

    void take(std::string_view text) {
        if (text.empty()) {
            ++empty;
            return;
        }
        const std::optional<double> value = words ? std::nullopt : csv_number(text);
        words = !value;
        if (!words) take(*value);
    }
    void take(double value) {
        if (!std::isfinite(value)) {
            ++(std::isnan(value) ? not_a_number : infinite);
            return;
        }
        smallest = std::min(smallest, value);
        largest = std::max(largest, value);
    }
    std::string range() const {
        std::string text = words                ? std::string("text")
                           : smallest > largest ? std::string("no finite value")
                                                : fmt::format("{} to {}", smallest, largest);
        if (empty > 0) text += fmt::format(", {} empty", empty);
        if (not_a_number > 0 && !words) text += fmt::format(", {} NaN", not_a_number);
        if (infinite > 0 && !words) text += fmt::format(", {} infinite", infinite);
        return text;
    }
};

std::string columns_text(const std::vector<Column>& columns) {
    std::size_t width = 0;
    for (const Column& column : columns) width = std::max(width, column.name.size());
    std::string text = "\n";
    for (const Column& column : columns)
        text += fmt::format("{:<{}}  {}\n", column.name, width, column.range());
    return text;
}

bool may_be_points(const std::vector<std::size_t>& shape) {
    return shape.size() == 2 && shape[1] >= 3 && shape[1] <= 5;
}

}  // namespace

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

bool holds_frames(const FileNode& node) {
    return node.frames || std::ranges::any_of(node.children, holds_frames);
}

std::string run_text(const h5::Handle& file, const FileNode& node) {
    if (find_node(node, record + "/variant") == nullptr) return {};
    const auto variant = try_parse_json(text_at(file, record + "/variant"));
    if (!variant.is_object()) return {};
    return fmt::format("{}, by {}", variant.value("analysis", "?"), variant.value("id", "?"));
}

std::string contents_text(const FileNode& node) {
    std::vector<const FileNode*> found;
    find_datasets(node, found);
    std::string list;
    for (std::size_t i = 0; i < std::min(found.size(), most_named); ++i)
        list += fmt::format("{}{} {}", i > 0 ? ", " : "", found[i]->name, h5::to_text(found[i]->shape));
    if (found.size() > most_named) list += fmt::format(" and {} more", found.size() - most_named);
    return info_row("holds", list.empty() ? "no frames and no other numbers" : "no frames, but " + list);
}

std::string describe_csv(const std::filesystem::path& file) {
    std::vector<Column> columns;
    CsvReader reader(file, {});
    for (const std::string& name : reader.header()) columns.push_back({printable(name)});
    std::size_t rows = 0;
    while (reader.next()) {
        for (std::size_t i = 0; i < columns.size(); ++i) columns[i].take(reader.fields()[i]);
        ++rows;
    }
    std::string text = info_row("holds", fmt::format("{} row{} of {} column{}", rows, rows == 1 ? "" : "s",
                                                     columns.size(), columns.size() == 1 ? "" : "s"));
    return text + columns_text(columns);
}

std::string describe_npy(const std::filesystem::path& file) {
    const NpyShape npy = read_npy_shape(file);
    std::string text = info_row("type", npy.dtype);
    text += info_row("shape", npy.shape.empty() ? "scalar" : h5::to_text(npy.shape));
    if (npy.fortran) text += info_row("order", "Fortran: the first index runs fastest");
    if (npy.shape.size() != 2)
        return text +
               info_row("can be", fmt::format("nothing here: an image or points have 2 dimensions, not {}",
                                              npy.shape.size()));
    const bool points = may_be_points(npy.shape);
    const std::string image =
        fmt::format("an image of {} x {} pixels: labels of bins, or a mask", npy.shape[0], npy.shape[1]);
    text += info_row("can be", points ? fmt::format("{} points, or {}", npy.shape[0], image) : image);
    std::vector<Column> columns;
    if (points)
        for (const char* name : {"x", "y", "z", "weight", "weight_im"})
            if (columns.size() < npy.shape[1]) columns.push_back({name});
    if (!points) columns.push_back({"values"});
    std::size_t at = 0;
    const std::size_t rows = std::max<std::size_t>(npy.shape[0], 1);
    read_npy_pieces(file, [&](const Array& piece) {
        for (const double value : piece.to_doubles()) {
            columns[(npy.fortran ? at / rows : at) % columns.size()].take(value);
            ++at;
        }
    });
    return text + columns_text(columns);
}

}  // namespace ks::io
