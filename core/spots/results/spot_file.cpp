#include "core/spots/analysis.h"

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/record/run_record.h"
#include "core/record/run_table.h"
#include "core/spots/results/spot_columns.h"

namespace ks::spots {
namespace {

constexpr const char* columns[] = {
    "n_signal", "x0",    "x1",  "y0",   "y1",         "z0", "z1", "x",      "y",      "z",      "var_x",
    "var_y",    "var_z", "sum", "peak", "background", "q",  "d",  "peak_x", "peak_y", "peak_z", "saturated"};
constexpr const char* frame_columns[] = {"frame",       "frame_missing", "frame_signal",
                                         "frame_spots", "frame_sum",     "frame_d"};

bool fact(const Run& run, const char* name) {
    return run.result.facts.value(name, false);
}

/// Table rows to write: all, or the kept ones.
std::vector<std::size_t> rows_to_write(const Run& run, bool all_spots) {
    const auto dropped = run.result.at("dropped").values.as<std::uint8_t>();
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < dropped.size(); ++i)
        if (dropped[i] == 0 || all_spots) rows.push_back(i);
    return rows;
}

Array some_rows(const Array& values, const std::vector<std::size_t>& rows) {
    return visit_element(values.type(), [&](auto zero) {
        using T = decltype(zero);
        const auto from = values.as<T>();
        std::vector<T> chosen;
        chosen.reserve(rows.size());
        for (const std::size_t row : rows) chosen.push_back(from[row]);
        return Array::of<T>({chosen.size()}, chosen);
    });
}

/// Adds a column of zeros to a run saved by a version without this column.
Run with_all_columns(const Run& run) {
    Run complete = run;
    if (complete.result.find("saturated") == nullptr)
        complete.result.datasets.push_back(
            {"saturated", "Saturated pixels", "px", DataKind::table,
             Array(ElementType::u32, {run.result.at("dropped").values.size()})});
    return complete;
}

/// The run with only the table rows to write.
Run written_part(const Run& run, bool all_spots) {
    const std::vector<std::size_t> rows = rows_to_write(run, all_spots);
    const std::size_t all = run.result.at("dropped").values.size();
    Run part = with_all_columns(run);
    const auto cut = [&](const char* name) {
        for (Dataset& dataset : part.result.datasets) {
            if (dataset.name != name) continue;
            if (dataset.values.rank() != 1 || dataset.values.size() != all)
                throw Error(ErrorKind::run,
                            fmt::format("expected an array with one dimension and {} values", all), name);
            dataset.values = some_rows(dataset.values, rows);
            return;
        }
        throw Error(ErrorKind::run, "the run does not have this column", name);
    };
    for (const char* name : columns) cut(name);
    cut("dropped");
    part.result.facts["all_spots"] = all_spots;
    return part;
}

std::vector<std::uint8_t> keep_column(const Run& part) {
    std::vector<std::uint8_t> keep;
    for (const std::uint8_t why : part.result.at("dropped").values.as<std::uint8_t>())
        keep.push_back(why == 0 ? 1 : 0);
    return keep;
}

void write_table(io::h5::Writer& out, const Run& part, io::DatasetPaths& placed) {
    const std::string home = "/entry/spots";
    out.group(home, "NXdata");
    const auto write = [&](const char* name) {
        const Dataset& dataset = part.result.at(name);
        placed[name] = home + "/" + name;
        out.array(placed[name], dataset.values, dataset.unit);
        out.attribute(placed[name], "long_name", dataset.title);
    };
    for (const char* name : columns) write(name);
    if (fact(part, "all_spots")) {
        write("dropped");
        const std::vector<std::uint8_t> keep = keep_column(part);
        out.array(home + "/keep", Array::of<std::uint8_t>({keep.size()}, keep));
    }
    // A scatter plot of the spots on the detector.
    out.attribute(home, "signal", "sum");
    out.attribute(home, "axes", std::vector<std::string>{"x", "y"});
    out.attribute(home, "x_indices", std::int64_t{0});
    out.attribute(home, "y_indices", std::int64_t{0});
    // z and peak_z are relative to this frame of the file.
    out.attribute(home, "first_frame", part.result.facts.value("first_frame", std::int64_t{0}));
}

void write_frames(io::h5::Writer& out, const Run& part, io::DatasetPaths& placed) {
    const std::string home = "/entry/frames";
    out.group(home, "NXdata");
    for (const char* name : frame_columns) {
        const Dataset& dataset = part.result.at(name);
        placed[name] = home + "/" + name;
        out.array(placed[name], dataset.values, dataset.unit);
        out.attribute(placed[name], "long_name", dataset.title);
    }
    out.attribute(home, "signal", "frame_spots");
    out.attribute(home, "axes", std::vector<std::string>{"frame"});
}

/// Writes the signal as images; the record contains it as lists of pixels in any case.
void write_signal(io::h5::Writer& out, const Run& part) {
    const auto& facts = part.result.facts;
    const auto height = facts.value("height", std::size_t{0}), width = facts.value("width", std::size_t{0});
    const Array& numbers = part.result.at("frame").values;
    const auto missing = part.result.at("frame_missing").values.as<std::uint8_t>();
    out.group("/entry/data", "NXdata");
    // Signal is almost all zeros: stronger compression gains nothing.
    io::h5::Writer::Stack stack =
        out.stack("/entry/data/signal", ElementType::u8, numbers.size(), height, width, io::h5::fast_gzip);
    std::vector<std::uint8_t> image(height * width);
    for (std::size_t frame = 0; frame < numbers.size(); ++frame) {
        if (missing[frame] != 0) continue;
        const auto signal = signal_of(part.result, frame);
        for (const std::uint32_t pixel : signal) {
            if (pixel >= image.size())
                throw Error(ErrorKind::run, "signal outside the frame", "signal_pixel");
            image[pixel] = 1;
        }
        out.put(stack, frame, std::as_bytes(std::span(image)));
        for (const std::uint32_t pixel : signal) image[pixel] = 0;
    }
    out.finish(std::move(stack), "/entry/data/signal");
    out.array("/entry/data/frame", numbers);
    out.attribute("/entry/data", "signal", "signal");
    out.attribute("/entry/data", "axes", std::vector<std::string>{"frame", ".", "."});
}

void describe(io::h5::Writer& out, const Run& part) {
    out.group("/entry", "NXentry");
    io::write_origin(out, part, fact(part, "save_signal") ? "data" : "frames");
}

void append(std::string& line, const Array& column, std::size_t row) {
    const auto back = std::back_inserter(line);
    visit_element(column.type(), [&](auto zero) {
        using T = decltype(zero);
        const T value = column.as<T>()[row];
        if constexpr (!std::is_floating_point_v<T>)
            fmt::format_to(back, "{}", value);
        else if (value != value)
            line += "nan";  // the sign of a NaN has no meaning
        else
            fmt::format_to(back, "{:.17g}", value);
    });
}

void write_part(const Run& part, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    io::AtomicFile file(out, overwrite);
    io::h5::Writer writer(file.temporary(), out.string(), &progress);
    io::DatasetPaths placed;
    describe(writer, part);
    write_table(writer, part, placed);
    write_frames(writer, part, placed);
    if (fact(part, "save_signal")) write_signal(writer, part);
    for (const char* name : {"signal_offset", "signal_pixel"}) {
        placed[name] = std::string("/entry/kernelscope/datasets/") + name;
        writer.array(placed[name], part.result.at(name).values, {}, true);
    }
    io::write_run_record(writer, part, placed);
    writer.close();
    file.commit(progress);
}

}  // namespace

void write_spots(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    write_part(written_part(run, fact(run, "all_spots")), out, overwrite, progress);
}

void keep_spots(const Run& run, const std::filesystem::path& out, Progress& progress) {
    write_part(written_part(run, true), out, true, progress);
}

Run read_spots(const std::filesystem::path& file) {
    Run run = io::read_run_of(file, "spots");
    try {
        spots_of(run.result);
        signal_of(run.result, 0);
    } catch (const Error& error) {
        throw Error(ErrorKind::input, "the saved run is damaged: " + error.message(),
                    file.string() + "::/entry/spots/" + error.where());
    }
    // For a run stored completely by the program: when the user saves it, the requested setting applies.
    const auto asked = run.request.parameters.find("all_spots");
    if (asked != run.request.parameters.end())
        run.result.facts["all_spots"] = asked->second == ParameterValue(true);
    return run;
}

void write_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    const Run part = written_part(run, fact(run, "all_spots"));
    std::vector<std::pair<std::string, Array>> table;
    for (const char* name : columns) table.emplace_back(name, part.result.at(name).values);
    if (fact(part, "all_spots")) {
        const std::vector<std::uint8_t> keep = keep_column(part);
        table.emplace_back("dropped", part.result.at("dropped").values);
        table.emplace_back("keep", Array::of<std::uint8_t>({keep.size()}, keep));
    }
    std::string csv;
    for (const auto& [name, values] : table) csv += name + ",";
    csv.back() = '\n';
    const std::size_t rows = table.front().second.size();
    for (std::size_t row = 0; row < rows; ++row) {
        if (row % 65536 == 0) progress.report(static_cast<double>(row) / static_cast<double>(rows), "write");
        for (const auto& [name, values] : table) {
            append(csv, values, row);
            csv += ',';
        }
        csv.back() = '\n';
    }
    io::write_run_table(run, out, csv, overwrite, progress);
}

}  // namespace ks::spots
