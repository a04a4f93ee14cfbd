#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "core/io/atomic_file.h"
#include "core/particles/result.h"
#include "core/particles/sum_file.h"

namespace ks::particles {
namespace {

const std::string first_stem = "potential";

/// A number and a separator, the shortest text that reads back as the same value.
template <class T>
void append(std::string& text, T value, char then) {
    std::array<char, 40> digits{};
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    text += then;
}

using Columns = std::vector<const Dataset*>;

/// Everything but the axes; of planes those of one.
Columns columns_of(const Result& result, const std::vector<std::string>& axes = {}) {
    Columns columns;
    for (const Dataset& dataset : result.datasets)
        if (dataset.kind != DataKind::axis && (axes.empty() || dataset.axes == axes))
            columns.push_back(&dataset);
    return columns;
}

/// Names of the columns: those of the datasets without the plane, with "value" for "potential".
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

void append_plane(std::string& text, const Run& run, const std::string& plane) {
    const Columns columns = columns_of(run.result, {plane.substr(0, 1), plane.substr(1)});
    const auto along = run.result.at("x").values.as<double>();
    const char normal = plane == "xy" ? 'z' : plane == "xz" ? 'y' : 'x';
    const double fixed = real(run.request.parameters, plane + "_at");
    for (std::size_t i = 0; i < along.size(); ++i)
        for (std::size_t j = 0; j < along.size(); ++j) {
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

void append_grid(std::string& text, const Result& result) {
    const Columns columns = columns_of(result);
    const auto along = result.at("x").values.as<double>();
    const std::size_t side = along.size();
    for (std::size_t t = 0; t < side * side * side; ++t) {
        const std::size_t at[] = {t / side / side, t / side % side, t % side};
        for (const std::size_t index : at) append(text, index, ',');
        for (const std::size_t index : at) append(text, along[index], ',');
        append_values(text, columns, t);
    }
}

}  // namespace

void write_table(const Run& run, const std::filesystem::path& out, bool overwrite) {
    std::string text;
    switch (target_kind(run.result)) {
        case TargetKind::planes:
            text = "plane,i,j,x,y,z," + header_of(columns_of(run.result, {"x", "y"}), "xy");
            for (const char* plane : {"xy", "xz", "yz"}) append_plane(text, run, plane);
            break;
        case TargetKind::grid:
            text = "i,j,k,x,y,z," + header_of(columns_of(run.result), "");
            append_grid(text, run.result);
            break;
        case TargetKind::points:
            const Columns columns = columns_of(run.result);
            text = "index," + header_of(columns, "");
            for (std::size_t t = 0; t < columns.front()->values.size(); ++t) {
                append(text, t, ',');
                append_values(text, columns, t);
            }
    }
    io::write_text(out, text, overwrite);
}

}  // namespace ks::particles
