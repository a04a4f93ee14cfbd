#include "core/io/digis/digi_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "core/base/error.h"
#include "core/io/csv/csv.h"
#include "core/io/digis/digi_rows.h"
#include "core/io/frame_format.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/hdf5_columns.h"
#include "core/io/open_frames.h"

namespace ks::io {
namespace {

constexpr std::size_t report_every = 65536;

enum CsvColumn : std::size_t { module, x, y, adc, row_index, event, geometry_id, channel0, channel1, value };
const std::vector<std::string> csv_columns_of_digis{"module", "x",           "y",        "adc",      "index",
                                                    "event",  "geometry_id", "channel0", "channel1", "value"};

bool has_all(const std::vector<std::string>& header, std::initializer_list<CsvColumn> columns) {
    return std::ranges::all_of(columns, [&header](CsvColumn column) {
        return std::ranges::find(header, csv_columns_of_digis[column]) != header.end();
    });
}
bool is_plain(const std::vector<std::string>& header) {
    return has_all(header, {module, x, y, adc});
}
bool is_traccc(const std::vector<std::string>& header) {
    return has_all(header, {geometry_id, channel0, channel1, value});
}

void require_some(std::size_t digis, const std::string& name) {
    if (digis == 0) throw Error(ErrorKind::input, "expected digis, found none", name);
}

DigiFile read_plain(CsvReader& in, const std::string& name, const DigiLimits& limits, Progress& progress) {
    const bool indexed = in.has(row_index), events = in.has(event);
    DigiRows rows(limits, events, false);
    std::string first_wrong;
    while (in.next()) {
        if (rows.size() % report_every == 0) progress.report(in.fraction(), "read");
        if (indexed && first_wrong.empty() && in.integer(row_index) != static_cast<std::int64_t>(rows.size()))
            first_wrong = fmt::format("{}: index {} is not the row number {}; labels count rows", in.where(),
                                      in.integer(row_index), rows.size());
        rows.add({in.integer(module), in.integer(x), in.integer(y), in.integer(adc),
                  events ? in.integer(event) : 0},
                 [&in] { return in.where(); });
    }
    require_some(rows.size(), name);
    DigiFile file{rows.take(), {}};
    if (!first_wrong.empty()) file.warnings.push_back(first_wrong);
    return file;
}

/// Charges of traccc are energies: whole numbers of 16 bits that are proportional to them.
std::string scale_charges(const std::vector<double>& values, std::vector<std::uint32_t>& adc) {
    constexpr double full = 65535, maximum = 4294967295;
    const double largest = *std::ranges::max_element(values);
    const bool whole =
        largest <= maximum && std::ranges::all_of(values, [](double v) { return v == std::floor(v); });
    const double factor = whole || largest == 0 ? 1 : full / largest;
    std::ranges::transform(values, adc.begin(), [factor](double v) {
        return static_cast<std::uint32_t>(std::lround(v * factor));
    });
    return whole
               ? std::string()
               : fmt::format("the column value holds no whole numbers: charges are {:.6g} times it, rounded",
                             factor);
}

DigiFile read_traccc(CsvReader& in, const std::string& name, const DigiLimits& limits, Progress& progress) {
    DigiRows rows(limits, false, true);
    std::vector<double> values;
    while (in.next()) {
        if (rows.size() % report_every == 0) progress.report(in.fraction(), "read");
        const double charge = in.real(value);
        if (!(charge >= 0) || std::isinf(charge))
            throw Error(ErrorKind::input, fmt::format("expected value of 0 or more, found {}", charge),
                        in.where());
        rows.add({in.integer(geometry_id), in.integer(channel0), in.integer(channel1), 0, 0},
                 [&in] { return in.where(); });
        values.push_back(charge);
    }
    require_some(rows.size(), name);
    DigiFile file{rows.take(), {}};
    if (std::string warning = scale_charges(values, file.digis.adc); !warning.empty())
        file.warnings.push_back(name + ": " + std::move(warning));
    return file;
}

DigiFile read_csv(const std::string& name, const DigiLimits& limits, Progress& progress) {
    CsvReader in(name, {}, csv_columns_of_digis);
    if (is_plain(in.header())) return read_plain(in, name, limits, progress);
    if (is_traccc(in.header())) return read_traccc(in, name, limits, progress);
    // This one tells what is missing.
    CsvReader strict(name,
                     in.has(geometry_id)
                         ? std::vector(csv_columns_of_digis.begin() + geometry_id, csv_columns_of_digis.end())
                         : std::vector<std::string>{"index", "module", "x", "y", "adc"});
    throw Error(ErrorKind::input, "expected a header with the columns index,module,x,y,adc", name);
}

/// The group that holds the columns.
std::string find_group(const h5::Handle& file, const DataName& name) {
    std::string group = group_of_columns(file, name, {"/entry/digis", "/entry", "/"}, "module");
    if (!group.empty()) return group;
    throw Error(ErrorKind::input,
                "expected digis as datasets module, x, y and adc in /entry/digis, /entry or /",
                name.to_string(), "name the group: FILE::/group");
}

std::vector<std::int64_t> column(const DataName& name, const std::string& group, const char* dataset,
                                 std::size_t expected) {
    const std::string path = DataName{name.file, column_path(group, dataset)}.to_string();
    const Array values = read_array(path, 1);
    if (is_float(values.type()))
        throw Error(ErrorKind::input, fmt::format("expected whole numbers, found {}", name_of(values.type())),
                    path);
    if (expected != 0 && values.size() != expected)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} values, as module has, found {}", expected, values.size()),
                    path);
    std::vector<std::int64_t> numbers;
    numbers.reserve(values.size());
    visit_element(values.type(), [&](auto zero) {
        for (const auto value : values.as<decltype(zero)>())
            numbers.push_back(static_cast<std::int64_t>(value));
    });
    return numbers;
}

DigiFile read_hdf5(const DataName& name, const DigiLimits& limits, Progress& progress) {
    std::string group;
    bool events = false;
    {
        const h5::Lock lock;
        const h5::Handle file = h5::open_file(name.file);
        group = find_group(file, name);
        events = has_object(file, column_path(group, "event"));
    }
    const std::string where = DataName{name.file, group}.to_string();
    const auto modules = column(name, group, "module", 0);
    const std::size_t n = modules.size();
    require_some(n, where);
    const auto xs = column(name, group, "x", n), ys = column(name, group, "y", n),
               adcs = column(name, group, "adc", n);
    const auto numbers = events ? column(name, group, "event", n) : std::vector<std::int64_t>();
    const bool wide = std::ranges::any_of(modules, [](std::int64_t id) { return id > 0x7fffffff; });
    DigiRows rows(limits, events, wide);
    for (std::size_t i = 0; i < n; ++i) {
        if (i % report_every == 0) progress.report(static_cast<double>(i) / static_cast<double>(n), "read");
        rows.add({modules[i], xs[i], ys[i], adcs[i], events ? numbers[i] : 0},
                 [&] { return fmt::format("{}, row {}", where, i); });
    }
    return {rows.take(), {}};
}

}  // namespace

bool are_columns_of_digis(const std::vector<std::string>& columns) {
    return is_plain(columns) || is_traccc(columns);
}

DigiFile read_digis(const std::string& name, const DigiLimits& limits, Progress& progress) {
    const DataName parsed = DataName::parse(name);
    const FrameFormat* const format = format_of(parsed);
    DigiFile file =
        format && format->objects ? read_hdf5(parsed, limits, progress) : read_csv(name, limits, progress);
    progress.report(1, "read");
    return file;
}

}  // namespace ks::io
