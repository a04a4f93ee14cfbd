#include "core/io/point_file.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <initializer_list>

#include "core/io/csv.h"
#include "core/io/hdf5_columns.h"
#include "core/io/npy.h"
#include "core/io/open_frames.h"
#include "core/run/error.h"

namespace ks::io {
namespace {

constexpr std::size_t report_every = 65536;
constexpr std::array names{"x", "y", "z", "weight", "weight_im"};

std::vector<double>& column(PointSet& points, std::size_t index) {
    std::vector<double>* const all[] = {&points.x, &points.y, &points.z, &points.weight, &points.weight_im};
    return *all[index];
}

void require_finite(double value, std::size_t index, const std::string& where) {
    if (!std::isfinite(value))
        throw Error(ErrorKind::input,
                    fmt::format("expected a finite number in column {}, found {}", names[index], value),
                    where);
}

PointSet read_csv(const std::string& name, std::size_t columns, Progress& progress) {
    CsvReader in(name, {names[0], names[1], names[2]}, {names[3], names[4]});
    if (columns > 3 && in.has(4) && !in.has(3))
        throw Error(ErrorKind::input, "expected a column weight beside weight_im, found none", name);
    PointSet points;
    while (in.next()) {
        if (points.size() % report_every == 0) progress.report(in.fraction(), "read");
        for (std::size_t i = 0; i < columns; ++i) {
            if (i >= 3 && !in.has(i)) continue;
            const double value = in.real(i);
            if (!std::isfinite(value)) require_finite(value, i, in.where());
            column(points, i).push_back(value);
        }
    }
    return points;
}

/// Points from the rows of a matrix [point][3 to 5].
PointSet from_rows(const Array& rows, std::size_t columns, const std::string& where) {
    const std::size_t n = rows.shape()[0], width = rows.shape()[1];
    if (width < 3 || width > names.size())
        throw Error(
            ErrorKind::input,
            fmt::format("expected [points][3 to 5] (x, y, z, weight, weight_im), found [{}, {}]", n, width),
            where);
    PointSet points;
    const std::vector<double> values = rows.to_doubles();
    for (std::size_t i = 0; i < std::min(columns, width); ++i) {
        std::vector<double>& into = column(points, i);
        into.resize(n);
        for (std::size_t row = 0; row < n; ++row) into[row] = values[row * width + i];
    }
    return points;
}

PointSet read_columns(const DataName& name, const std::string& group, std::size_t columns) {
    PointSet points;
    std::array<bool, names.size()> there{};
    {
        const h5::Lock lock;
        const h5::Handle file = h5::open_file(name.file);
        for (std::size_t i = 0; i < columns; ++i)
            there[i] = i < 3 || has_object(file, column_path(group, names[i]));
    }
    for (std::size_t i = 0; i < columns; ++i) {
        if (!there[i]) continue;
        const std::string path = DataName{name.file, column_path(group, names[i])}.to_string();
        column(points, i) = read_array(path, 1).to_doubles();
        if (column(points, i).size() != points.size())
            throw Error(ErrorKind::input,
                        fmt::format("expected {} values, as x has, found {}", points.size(),
                                    column(points, i).size()),
                        path);
    }
    if (points.is_complex() && !points.has_weights())
        throw Error(ErrorKind::input, "expected a dataset weight beside weight_im, found none",
                    DataName{name.file, group}.to_string());
    return points;
}

PointSet read_hdf5(const DataName& name, std::size_t columns) {
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
        throw Error(ErrorKind::input, "expected points as datasets x, y and z in /entry/points, /entry or /",
                    name.to_string(), "name the group: FILE::/group");
    return matrix ? from_rows(read_array(name.to_string(), 2), columns, name.to_string())
                  : read_columns(name, group, columns);
}

}  // namespace

PointFile read_points(const std::string& name, Weights weights, Progress& progress) {
    const DataName parsed = DataName::parse(name);
    const std::size_t columns = weights == Weights::wanted ? names.size() : 3;
    const bool csv = !means_hdf5(parsed) && parsed.file.extension() != ".npy";
    PointFile file{csv                  ? read_csv(name, columns, progress)
                   : means_hdf5(parsed) ? read_hdf5(parsed, columns)
                                        : from_rows(read_npy(parsed.file), columns, name),
                   {}};
    PointSet& points = file.points;
    if (points.size() == 0) throw Error(ErrorKind::input, "expected points, found none", name);
    if (!csv)
        for (std::size_t i = 0; i < columns; ++i)
            for (std::size_t row = 0; row < column(points, i).size(); ++row)
                if (const double value = column(points, i)[row]; !std::isfinite(value))
                    require_finite(value, i, fmt::format("{}, row {}", name, row));
    if (weights == Weights::wanted && !points.has_weights()) {
        points.weight.assign(points.size(), 1.0);
        file.warnings.push_back(name + " has no column weight: 1 is assumed for every point");
    }
    progress.report(1, "read");
    return file;
}

}  // namespace ks::io
