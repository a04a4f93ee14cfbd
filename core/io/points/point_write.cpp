#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/frame_format.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/io/npy/npy.h"
#include "core/io/points/point_file.h"
#include "core/io/points/weight_columns.h"

namespace ks::io {
namespace {

struct WrittenColumn {
    std::string name;
    const std::vector<double>* values;
};

std::vector<WrittenColumn> columns_of(const PointSet& points) {
    std::vector<WrittenColumn> columns{{"x", &points.x}, {"y", &points.y}, {"z", &points.z}};
    for (const WeightColumn& column : weight_columns(points))
        columns.push_back(
            {column.name(), column.imaginary ? &points.im(column.vector) : &points.re(column.vector)});
    return columns;
}

void write_csv(const PointSet& points, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    const std::vector<WrittenColumn> columns = columns_of(points);
    std::string text;
    for (const WrittenColumn& column : columns) text.append(text.empty() ? "" : ",").append(column.name);
    text += '\n';
    for (std::size_t row = 0; row < points.size(); ++row) {
        if (row % 65536 == 0)
            progress.report(static_cast<double>(row) / static_cast<double>(points.size()), "write");
        for (const WrittenColumn& column : columns) {
            std::array<char, 40> digits{};
            const auto end =
                std::to_chars(digits.data(), digits.data() + digits.size(), (*column.values)[row]).ptr;
            text.append(digits.data(), end);
            text += &column == &columns.back() ? '\n' : ',';
        }
    }
    write_text(out, text, overwrite, progress);
}

void write_hdf5(const PointSet& points, const std::filesystem::path& out, bool overwrite,
                Progress& progress) {
    AtomicFile file(out, overwrite);
    h5::Writer writer(file.temporary(), out.string(), &progress);
    writer.group("/entry", "NXentry");
    writer.group("/entry/points", "NXdata");
    const std::vector<WrittenColumn> columns = columns_of(points);
    for (const WrittenColumn& column : columns)
        writer.array("/entry/points/" + column.name, Array::of<double>({points.size()}, *column.values));
    writer.attribute("/", "default", "entry");
    writer.attribute("/entry", "default", "points");
    writer.attribute("/entry/points", "signal", points.has_weights() ? "weight" : "z");
    writer.attribute("/entry/points", "axes", std::vector<std::string>{"x", "y"});
    writer.attribute("/entry/points", "x_indices", std::int64_t{0});
    writer.attribute("/entry/points", "y_indices", std::int64_t{0});
    writer.close();
    file.commit(progress);
}

void write_rows(const PointSet& points, const std::filesystem::path& out, bool overwrite,
                Progress& progress) {
    if (points.n_vectors() > 1)
        throw Error(ErrorKind::input,
                    fmt::format("expected at most one vector of weights in a NumPy file, found {}",
                                points.n_vectors()),
                    out.string(), "write CSV or HDF5");
    const std::vector<WrittenColumn> columns = columns_of(points);
    Array rows(ElementType::f64, {points.size(), columns.size()});
    for (std::size_t row = 0; row < points.size(); ++row)
        for (std::size_t i = 0; i < columns.size(); ++i)
            rows.as<double>()[row * columns.size() + i] = (*columns[i].values)[row];
    AtomicFile file(out, overwrite);
    write_npy(file, rows);
    file.commit(progress);
}

}  // namespace

void write_points(const PointSet& points, const std::filesystem::path& out, bool overwrite,
                  Progress& progress) {
    progress.report(0, "write");
    const FrameFormat* const format = format_of_suffix(out);
    if (!format || !format->tables)
        write_csv(points, out, overwrite, progress);
    else if (format->objects)
        write_hdf5(points, out, overwrite, progress);
    else
        write_rows(points, out, overwrite, progress);
    progress.report(1, "write");
}

}  // namespace ks::io
