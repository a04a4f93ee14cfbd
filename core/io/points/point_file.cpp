#include "core/io/points/point_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/io/csv/csv.h"
#include "core/io/frame_format.h"
#include "core/io/hdf5/hdf5_columns.h"
#include "core/io/hdf5/hdf5_links.h"
#include "core/io/open_frames.h"
#include "core/io/points/weight_columns.h"

namespace ks::io {
namespace {

constexpr std::size_t points_per_report = 65536;
const std::vector<std::string> coordinates{"x", "y", "z"};

struct ReadColumn {
    std::string name;
    std::vector<double>* values;
};

/// x, y, z and the columns of weights, for which `points` gets room.
std::vector<ReadColumn> columns_of(PointSet& points, const std::vector<WeightColumn>& weights) {
    std::vector<ReadColumn> columns{{"x", &points.x}, {"y", &points.y}, {"z", &points.z}};
    if (!weights.empty()) points.more.resize(weights.back().vector);
    for (const WeightColumn& column : weights) columns.push_back({column.name(), &column.of(points)});
    return columns;
}

void require_finite(double value, const std::string& column, const std::string& where) {
    if (!std::isfinite(value))
        throw Error(ErrorKind::input,
                    fmt::format("expected a finite number in column {}, found {}", column, value), where);
}

void require_finite_rows(PointSet& points, const std::string& name) {
    for (const auto& [column, values] : columns_of(points, weight_columns(points)))
        for (std::size_t row = 0; row < values->size(); ++row)
            if (const double value = (*values)[row]; !std::isfinite(value))
                require_finite(value, column, fmt::format("{}, row {}", name, row));
}

PointSet read_csv(const std::string& name, Weights wanted, Progress& progress,
                  std::vector<std::string>& names, std::vector<std::string>& warnings) {
    CsvReader in(name, coordinates);
    names = in.header();
    if (std::string warning = in.end_warning(); !warning.empty()) warnings.push_back(std::move(warning));
    std::vector<WeightColumn> weights;
    if (wanted == Weights::wanted) weights = weight_columns(in.header(), name);
    PointSet points;
    const std::vector<ReadColumn> columns = columns_of(points, weights);
    for (std::size_t i = coordinates.size(); i < columns.size(); ++i) in.want(columns[i].name);
    while (in.next()) {
        if (points.size() % points_per_report == 0) progress.report(in.fraction(), "read");
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double value = in.real(i);
            if (!std::isfinite(value)) require_finite(value, columns[i].name, in.where());
            columns[i].values->push_back(value);
        }
    }
    return points;
}

/// Points from the rows of a matrix [point][3 to 5].
PointSet from_rows(const Array& rows, Weights wanted, const std::string& where) {
    const std::size_t n = rows.shape()[0], width = rows.shape()[1];
    if (width < 3 || width > 5)
        throw Error(
            ErrorKind::input,
            fmt::format(
                "expected an array [points][3 to 5] (columns x, y, z, weight, weight_im), found [{}, {}]", n,
                width),
            where);
    PointSet points;
    std::vector<WeightColumn> weights;
    if (wanted == Weights::wanted && width > 3) weights.push_back({0, false});
    if (wanted == Weights::wanted && width > 4) weights.push_back({0, true});
    const std::vector<ReadColumn> columns = columns_of(points, weights);
    const std::vector<double> values = rows.to_doubles();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i].values->resize(n);
        for (std::size_t row = 0; row < n; ++row) (*columns[i].values)[row] = values[row * width + i];
    }
    return points;
}

PointSet read_columns(const DataName& name, const std::string& group, Weights wanted,
                      std::vector<std::string>& names) {
    std::vector<WeightColumn> weights;
    if (wanted == Weights::wanted) {
        const h5::Lock lock;
        const h5::Handle file = h5::open_file(name.file);
        const h5::Handle object = h5::open_object(file, name.file.string(), group);
        names = h5::names_in(object);
        weights = weight_columns(names, DataName{name.file, group}.to_string());
    }
    PointSet points;
    for (const auto& [column, values] : columns_of(points, weights)) {
        const std::string path = DataName{name.file, column_path(group, column)}.to_string();
        *values = read_array(path, 1).to_doubles();
        if (values->size() != points.size())
            throw Error(ErrorKind::input,
                        fmt::format("expected {} values, as many as in the dataset \"x\", found {}",
                                    points.size(), values->size()),
                        path);
    }
    return points;
}

PointSet read_hdf5(const DataName& name, Weights wanted, std::vector<std::string>& names) {
    std::string group;
    bool matrix = false;
    {
        const h5::Lock lock;
        const h5::Handle file = h5::open_file(name.file);
        group = group_of_columns(file, name, {"/entry/points", "/entry", "/"}, "x");
        if (!name.object.empty())
            matrix = h5::is_dataset(h5::open_object(file, name.file.string(), name.object));
    }
    if (group.empty())
        throw Error(ErrorKind::input,
                    "expected points as the datasets \"x\", \"y\" and \"z\" in /entry/points, /entry or /",
                    name.to_string(), "name the group as FILE::/group");
    return matrix ? from_rows(read_array(name.to_string(), 2), wanted, name.to_string())
                  : read_columns(name, group, wanted, names);
}

/// " (it has x, y, z, wieght)"; empty without names.
std::string found_text(const std::vector<std::string>& names) {
    constexpr std::size_t max_named = 12;
    return names.empty() ? "" : fmt::format(" (its columns are {})", listed(names, max_named));
}

}  // namespace

bool are_columns_of_points(const std::vector<std::string>& columns) {
    return std::ranges::all_of(coordinates, [&columns](const std::string& one) {
        return std::ranges::find(columns, one) != columns.end();
    });
}

PointFile read_points(const std::string& name, Weights weights, Progress& progress) {
    const DataName parsed = DataName::parse(name);
    const FrameFormat* const format = format_of(parsed);
    const bool csv = !format || !format->tables;
    std::vector<std::string> names, warnings;  // column names, if the file has any
    PointFile file{csv ? read_csv(name, weights, progress, names, warnings)
                   : format->objects
                       ? read_hdf5(parsed, weights, names)
                       : from_rows(format_to_read(parsed).read_image(parsed.file, {}), weights, name),
                   std::move(warnings)};
    PointSet& points = file.points;
    if (points.size() == 0) throw Error(ErrorKind::input, "expected points, found none", name);
    if (!csv) require_finite_rows(points, name);
    if (weights == Weights::wanted && !points.has_weights()) {
        points.weight.assign(points.size(), 1.0);
        file.weights_assumed = true;
        file.warnings.push_back(
            fmt::format("{} has no column \"weight\"{}, so a weight of 1 is assumed for every point", name,
                        found_text(names)));
    }
    progress.report(1, "read");
    return file;
}

}  // namespace ks::io
