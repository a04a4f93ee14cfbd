#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "core/particles/analysis.h"
#include "core/particles/result.h"
#include "core/record/run_table.h"

namespace ks::particles {
namespace {

const std::string first_stem = "potential";

/// A number and a separator, as the shortest text that reads back as the same value.
template <class T>
void append(std::string& text, T value, char then) {
    std::array<char, 40> digits{};
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    text += then;
}

using Columns = std::vector<const Dataset*>;

/// All datasets but the axes; for planes those of one plane.
Columns columns_of(const Result& result, const std::vector<std::string>& axes = {}) {
    Columns columns;
    for (const Dataset& dataset : result.datasets)
        if (dataset.kind != DataKind::axis && (axes.empty() || dataset.axes == axes))
            columns.push_back(&dataset);
    return columns;
}

/// Column names: those of the datasets without the plane, with "value" for "potential".
std::string header_of(const Columns& columns, const std::string& plane) {
    std::string header;
    for (const Dataset* column : columns) {
        std::string name = column->name;
        if (!plane.empty()) name.erase(name.rfind("_" + plane), plane.size() + 1);
        if (name.starts_with(first_stem)) name.replace(0, first_stem.size(), "value");
        header += (header.empty() ? "" : ",") + name;
    }
    return header + "\n";
}

void append_values(std::string& text, const Columns& columns, std::size_t at) {
    for (const Dataset* column : columns) {
        const char then = column == columns.back() ? '\n' : ',';
        if (column->values.type() == ElementType::f32)
            append(text, column->values.as<float>()[at], then);
        else
            append(text, column->values.as<double>()[at], then);
    }
}

void look(Progress& progress, std::size_t row, std::size_t rows) {
    if (row % 65536 == 0) progress.report(static_cast<double>(row) / static_cast<double>(rows), "write");
}

void append_plane(std::string& text, const Run& run, const std::string& plane, Progress& progress) {
    const Columns columns = columns_of(run.result, {plane.substr(0, 1), plane.substr(1)});
    const auto along = run.result.at("x").values.as<double>();
    const char normal = plane == "xy" ? 'z' : plane == "xz" ? 'y' : 'x';
    const double fixed = real(run.request.parameters, plane + "_at");
    for (std::size_t i = 0; i < along.size(); ++i)
        for (std::size_t j = 0; j < along.size(); ++j) {
            look(progress, i * along.size() + j, along.size() * along.size());
            text.append(plane) += ',';
            append(text, i, ',');
            append(text, j, ',');
            bool first = true;
            for (const char axis : {'x', 'y', 'z'}) {
                append(text, axis == normal ? fixed : first ? along[i] : along[j], ',');
                if (axis != normal) first = false;
            }
            append_values(text, columns, i * along.size() + j);
        }
}

void append_grid(std::string& text, const Result& result, Progress& progress) {
    const Columns columns = columns_of(result);
    const auto along = result.at("x").values.as<double>();
    const std::size_t side = along.size();
    for (std::size_t t = 0; t < side * side * side; ++t) {
        look(progress, t, side * side * side);
        const std::size_t at[] = {t / side / side, t / side % side, t % side};
        for (const std::size_t index : at) append(text, index, ',');
        for (const std::size_t index : at) append(text, along[index], ',');
        append_values(text, columns, t);
    }
}

void append_points(std::string& text, const Result& result, Progress& progress) {
    const Columns columns = columns_of(result);
    Columns places;
    for (const char* name : {"target_x", "target_y", "target_z"})
        if (const Dataset* const place = result.find(name)) places.push_back(place);
    text = (places.empty() ? "index," : "index,x,y,z,") + header_of(columns, "");
    const std::size_t rows = columns.front()->values.size();
    for (std::size_t t = 0; t < rows; ++t) {
        look(progress, t, rows);
        append(text, t, ',');
        for (const Dataset* place : places) append(text, place->values.as<double>()[t], ',');
        append_values(text, columns, t);
    }
}

}  // namespace

void write_table(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    std::string text;
    switch (target_kind(run.result)) {
        case TargetKind::planes:
            text = "plane,i,j,x,y,z," + header_of(columns_of(run.result, {"x", "y"}), "xy");
            for (const char* plane : {"xy", "xz", "yz"}) append_plane(text, run, plane, progress);
            break;
        case TargetKind::grid:
            text = "i,j,k,x,y,z," + header_of(columns_of(run.result), "");
            append_grid(text, run.result, progress);
            break;
        case TargetKind::points:
            append_points(text, run.result, progress);
    }
    io::write_run_table(run, out, text, overwrite, progress);
}

}  // namespace ks::particles
