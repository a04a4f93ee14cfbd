#include "core/record/result_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/error.h"
#include "core/data/missing_value.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/record/run_record.h"
#include "core/record/run_table.h"
#include "core/run/tables/shown_facts.h"

namespace ks::io {
namespace {

const std::string home_of_results = "/entry/data";
using DatasetList = std::vector<const Dataset*>;

bool is_plotted(const Dataset& dataset) {
    return dataset.kind == DataKind::curves || dataset.kind == DataKind::table ||
           dataset.kind == DataKind::image;
}

/// Signal and axes of the NXdata: the first dataset that is plotted, and the others that have the same axes.
void describe_signals(h5::Writer& out, const Result& result) {
    std::set<std::string> errors;
    for (const Dataset& dataset : result.datasets)
        if (!dataset.errors.empty()) errors.insert(dataset.errors);
    const Dataset* signal = nullptr;
    std::vector<std::string> others;
    for (const Dataset& dataset : result.datasets) {
        if (!is_plotted(dataset) || errors.contains(dataset.name)) continue;
        if (signal == nullptr)
            signal = &dataset;
        else if (dataset.axes == signal->axes && dataset.values.shape() == signal->values.shape())
            others.push_back(dataset.name);
    }
    if (signal == nullptr) return;
    out.attribute(home_of_results, "signal", signal->name);
    if (!others.empty()) out.attribute(home_of_results, "auxiliary_signals", others);
    std::vector<std::string> axes = signal->axes;
    for (std::string& axis : axes) {
        const Dataset* const values = axis.empty() ? nullptr : result.find(axis);
        if (values == nullptr || values->kind == DataKind::text) axis = ".";  // NeXus: the index
    }
    if (std::ranges::all_of(axes, [](const std::string& axis) { return axis == "."; })) return;
    out.attribute(home_of_results, "axes", axes);
}

/// The datasets of the CSV's rows: curves and columns, or images if there are neither.
DatasetList columns_of_rows(const Run& run) {
    DatasetList columns, images;
    for (const Dataset& dataset : run.result.datasets) {
        if (dataset.kind == DataKind::curves || dataset.kind == DataKind::table) columns.push_back(&dataset);
        if (dataset.kind == DataKind::image) images.push_back(&dataset);
    }
    if (columns.empty()) columns = std::move(images);
    if (columns.empty())
        throw Error(ErrorKind::input, "the result has no curves, table or image to write as CSV",
                    run.request.analysis, "save the run as HDF5");
    for (const Dataset* const column : columns)
        if (column->values.shape() != columns.front()->values.shape() ||
            column->axes != columns.front()->axes)
            throw Error(ErrorKind::input,
                        fmt::format("{} [{}] and {} [{}] have different axes and do not fit into one table",
                                    columns.front()->name, fmt::join(columns.front()->values.shape(), ", "),
                                    column->name, fmt::join(column->values.shape(), ", ")),
                        run.request.analysis, "save the run as HDF5");
    return columns;
}

/// The datasets of a shape's axes; null for an axis that is an index.
DatasetList axes_of(const Result& result, const Dataset& dataset) {
    DatasetList axes(dataset.values.rank(), nullptr);
    for (std::size_t i = 0; i < std::min(axes.size(), dataset.axes.size()); ++i) {
        const Dataset* const axis = dataset.axes[i].empty() ? nullptr : result.find(dataset.axes[i]);
        if (axis != nullptr && axis->kind != DataKind::text &&
            axis->values.size() == dataset.values.shape()[i])
            axes[i] = axis;
    }
    return axes;
}

std::string index_name(std::size_t dimension, std::size_t rank) {
    return rank == 1 ? "index" : std::string(1, static_cast<char>('i' + dimension));
}

/// Quoted if it contains a comma or quotes.
void append_field(std::string& text, const std::string& words) {
    if (words.find_first_of(",\"") == std::string::npos) {
        text += words;
        return;
    }
    text += '"';
    for (const char one : words) text += one == '"' ? std::string(2, one) : std::string(1, one);
    text += '"';
}

/// The shortest text that reads back as the same value. The sign of NaN is ignored. Empty for a missing
/// value.
void append_value(std::string& text, const Array& values, std::size_t at) {
    visit_element(values.type(), [&](auto zero) {
        using T = decltype(zero);
        const T value = values.as<T>()[at];
        if constexpr (std::is_floating_point_v<T>) {
            if (is_missing(value)) return;
            if (std::isnan(value)) {
                text += "nan";
                return;
            }
        }
        std::array<char, 40> digits{};
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    });
}

}  // namespace

void write_result(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    AtomicFile file(out, overwrite);
    h5::Writer writer(file.temporary(), out.string(), &progress);
    writer.group("/entry", "NXentry");
    writer.group(home_of_results, "NXdata");
    write_origin(writer, run, "data");
    DatasetPaths placed;
    for (const Dataset& dataset : run.result.datasets) {
        if (dataset.kind == DataKind::text) {  // its bytes are in the record
            const std::string note = "/entry/notes/" + dataset.name;
            writer.group(note, "NXnote");
            writer.text(note + "/description", dataset.title);
            writer.text(note + "/data", text_of(dataset));
            continue;
        }
        const std::string path = home_of_results + "/" + dataset.name;
        placed[dataset.name] = path;
        writer.array(path, dataset.values, dataset.unit, dataset.kind == DataKind::overlay);
        writer.attribute(path, "long_name", dataset.title);
    }
    // NXdata identifies the errors of a signal by this name.
    for (const Dataset& dataset : run.result.datasets)
        if (const auto errors = placed.find(dataset.errors);
            errors != placed.end() && run.result.find(dataset.name + "_errors") == nullptr)
            writer.link(home_of_results + "/" + dataset.name + "_errors", errors->second);
    describe_signals(writer, run.result);
    write_run_record(writer, run, placed);
    writer.close();
    file.commit(progress);
}

void write_result_table(const Run& run, const std::filesystem::path& out, bool overwrite,
                        Progress& progress) {
    const DatasetList columns = columns_of_rows(run);
    const std::vector<std::size_t>& shape = columns.front()->values.shape();
    const DatasetList axes = axes_of(run.result, *columns.front());
    const Dataset* const named = row_names_of(run.result, *columns.front());
    const std::vector<std::string> names = named != nullptr ? row_names(*named) : std::vector<std::string>();
    std::string text;
    for (std::size_t i = 0; i < axes.size(); ++i)
        text += (axes[i] != nullptr           ? axes[i]->name
                 : i == 0 && named != nullptr ? named->name
                                              : index_name(i, axes.size())) +
                ",";
    for (const Dataset* const column : columns) text += column->name + ",";
    text.back() = '\n';
    const std::size_t rows = columns.front()->values.size();
    std::vector<std::size_t> at(shape.size(), 0);
    for (std::size_t row = 0; row < rows; ++row) {
        if (row % 65536 == 0) progress.report(static_cast<double>(row) / static_cast<double>(rows), "write");
        for (std::size_t i = 0; i < axes.size(); ++i) {
            if (axes[i] != nullptr)
                append_value(text, axes[i]->values, at[i]);
            else if (i == 0 && named != nullptr)
                append_field(text, names[at[i]]);
            else
                text += std::to_string(at[i]);
            text += ',';
        }
        for (const Dataset* const column : columns) {
            append_value(text, column->values, row);
            text += ',';
        }
        text.back() = '\n';
        for (std::size_t i = shape.size(); i-- > 0 && ++at[i] == shape[i];) at[i] = 0;
    }
    write_run_table(run, out, text, overwrite, progress);
}

}  // namespace ks::io
