#include "core/io/digis/digi_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <limits>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/large_pages.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/io/csv/csv.h"
#include "core/io/frame_format.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/hdf5_columns.h"
#include "core/io/open_frames.h"

namespace ks::io {
namespace {

/// One digi as read from a file.
struct DigiRow {
    WholeNumber module = 0;
    std::int64_t x = 0, y = 0, adc = 0, event = 0;
};

constexpr std::int64_t max_16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::int64_t max_31 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t max_32 = std::numeric_limits<std::uint32_t>::max();
constexpr WholeNumber max_64 = std::numeric_limits<std::uint64_t>::max();

bool within(WholeNumber value, WholeNumber last) {
    return value >= 0 && value <= last;
}

bool is_invalid(const DigiLimits& limits, WholeNumber module) {
    return std::ranges::any_of(limits.invalid_ids, [module](std::uint32_t id) { return id == module; });
}

/// Collects digis and checks their limits.
class DigiRows {
  public:
    /// @param wide module ids may have up to 64 bits
    DigiRows(const DigiLimits& limits, bool events, bool wide)
        : limits_(limits), events_(events), wide_(wide) {}

    /// @param where the row, for messages. Throws ks::Error(input) naming it.
    template <class Where>
    void add(const DigiRow& row, const Where& where) {
        if (fits(row))
            append(row);
        else
            refuse(row, where());
    }
    std::size_t size() const { return digis_.x.size(); }
    void reserve(std::size_t rows) {
        if (wide_)
            wide_modules_.reserve(rows);
        else
            digis_.module.reserve(rows);
        digis_.x.reserve(rows);
        digis_.y.reserve(rows);
        digis_.adc.reserve(rows);
        if (events_) digis_.event.reserve(rows);
    }
    /// The rows of all parts, in order; concatenated in parallel.
    static DigiRows joined(std::vector<DigiRows> parts) {
        if (parts.size() == 1) return std::move(parts.front());
        DigiRows all(parts.front().limits_, parts.front().events_, parts.front().wide_);
        DigiTable& to = all.digis_;
        const std::function<void()> columns[] = {
            [&] {
                join(
                    to.module, parts, [](DigiRows & part) -> auto& { return part.digis_.module; });
            },
            [&] {
                join(
                    to.adc, parts, [](DigiRows & part) -> auto& { return part.digis_.adc; });
            },
            [&] {
                join(
                    to.event, parts, [](DigiRows & part) -> auto& { return part.digis_.event; });
            },
            [&] {
                join(
                    to.x, parts, [](DigiRows & part) -> auto& { return part.digis_.x; });
            },
            [&] {
                join(
                    to.y, parts, [](DigiRows & part) -> auto& { return part.digis_.y; });
            },
            [&] {
                join(
                    all.wide_modules_, parts, [](DigiRows & part) -> auto& { return part.wide_modules_; });
            }};
        parallel_for(std::size(columns), compute_threads(), [&](std::size_t i) { columns[i](); });
        return all;
    }
    /// The table; modules whose ids exceed 32 bits are numbered.
    DigiTable take() {
        if (wide_) {
            auto& ids = digis_.module_ids;
            ids = wide_modules_;
            std::ranges::sort(ids);
            ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
            for (const std::uint64_t id : wide_modules_)
                digis_.module.push_back(
                    static_cast<std::uint32_t>(std::ranges::lower_bound(ids, id) - ids.begin()));
        }
        return std::move(digis_);
    }

  private:
    /// Appends column(part) of each part.
    template <class T, class Column>
    static void join(std::vector<T>& to, std::vector<DigiRows>& parts, const Column& column) {
        std::size_t rows = 0;
        for (DigiRows& part : parts) rows += column(part).size();
        to.reserve(rows);
        prefer_large_pages(reinterpret_cast<std::byte*>(to.data()), rows * sizeof(T));
        for (DigiRows& part : parts) {
            const std::vector<T> values = std::move(column(part));
            to.insert(to.end(), values.begin(), values.end());
        }
    }
    bool fits(const DigiRow& row) const {
        if (!within(row.x, max_16) || !within(row.y, max_16) || !within(row.adc, max_32) ||
            !within(row.event, max_32) || !within(row.module, wide_ ? max_64 : max_31))
            return false;
        const bool inside = (limits_.modules == 0 || row.module < limits_.modules) &&
                            (limits_.extent_x == 0 || row.x < limits_.extent_x) &&
                            (limits_.extent_y == 0 || row.y < limits_.extent_y);
        return inside || is_invalid(limits_, row.module);
    }
    void append(const DigiRow& row) {
        if (wide_)
            wide_modules_.push_back(static_cast<std::uint64_t>(row.module));
        else
            digis_.module.push_back(static_cast<std::uint32_t>(row.module));
        digis_.x.push_back(static_cast<std::uint16_t>(row.x));
        digis_.y.push_back(static_cast<std::uint16_t>(row.y));
        digis_.adc.push_back(static_cast<std::uint32_t>(row.adc));
        if (events_) digis_.event.push_back(static_cast<std::uint32_t>(row.event));
    }
    [[noreturn]] void refuse(const DigiRow& row, const std::string& where) const {
        const auto require = [&where](const char* column, WholeNumber value, WholeNumber last,
                                      const std::string& hint = {}) {
            if (!within(value, last))
                throw Error(ErrorKind::input,
                            fmt::format("expected {} from 0 to {}, found {}", column, last, value), where,
                            hint);
        };
        const auto last_of = [](std::uint32_t extent, WholeNumber maximum) {
            return extent == 0 ? maximum : WholeNumber{extent} - 1;
        };
        const bool invalid = is_invalid(limits_, row.module);
        std::string ids;
        for (const std::uint32_t id : limits_.invalid_ids)
            ids += fmt::format("{}{}", ids.empty() ? "" : ", ", id);
        require("module", row.module, invalid ? max_64 : last_of(limits_.modules, wide_ ? max_64 : max_31),
                ids.empty() ? "" : "invalid digis have module " + ids);
        require("x", row.x, invalid ? max_16 : last_of(limits_.extent_x, max_16));
        require("y", row.y, invalid ? max_16 : last_of(limits_.extent_y, max_16));
        require("adc", row.adc, max_32);
        require("event", row.event, max_32);
        throw Error(ErrorKind::run, "a digi was rejected although it is within all limits", where);
    }

    DigiLimits limits_;
    bool events_, wide_;
    DigiTable digis_;
    std::vector<std::uint64_t> wide_modules_;
};

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

/// Parts of a file that are read in parallel.
class FileParts {
  public:
    FileParts(const CsvParts& file, Progress& progress) : file_(file), progress_(progress) {}

    std::size_t size() const { return file_.size(); }
    /// Calls read(reader, part) for each part. If several throw, the exception of the first part is rethrown.
    template <class Read>
    void for_each(const Read& read) const {
        std::vector<std::exception_ptr> thrown(size());
        std::atomic<std::size_t> done = 0;
        const std::thread::id caller = std::this_thread::get_id();
        parallel_for(size(), compute_threads(), progress_, [&](std::size_t part) {
            try {
                read(file_.part(part), part);
            } catch (...) {
                thrown[part] = std::current_exception();
            }
            ++done;
            if (std::this_thread::get_id() == caller)
                progress_.report(static_cast<double>(done) / static_cast<double>(size()), "read");
        });
        for (const std::exception_ptr& one : thrown)
            if (one) std::rethrow_exception(one);
    }

  private:
    const CsvParts& file_;
    Progress& progress_;
};

/// Describes the first row from `row` on whose index is not its row number.
std::string wrong_index(CsvReader in, std::size_t row) {
    for (; in.next(); ++row)
        if (in.integer(row_index) != static_cast<std::int64_t>(row))
            return fmt::format("{}: index {} does not match row number {}; labels refer to row numbers",
                               in.where(), in.integer(row_index), row);
    return {};
}

DigiFile read_plain(const CsvParts& file, const std::string& name, const DigiLimits& limits,
                    Progress& progress) {
    const bool indexed = file.header().has(row_index), events = file.header().has(event);
    const FileParts parts(file, progress);
    std::vector<DigiRows> rows(parts.size(), DigiRows(limits, events, false));
    struct Indices {
        std::uint64_t first = 0;
        bool follow = true;  ///< the indices are consecutive
    };
    std::vector<Indices> indices(parts.size());
    parts.for_each([&](CsvReader in, std::size_t part) {
        DigiRows& own = rows[part];
        own.reserve(in.rows_about());
        while (in.next()) {
            if (indexed) {
                const auto index = static_cast<std::uint64_t>(in.integer(row_index));
                if (own.size() == 0) indices[part].first = index;
                indices[part].follow &= index - indices[part].first == own.size();
            }
            own.add({in.integer(module), in.integer(x), in.integer(y), in.integer(adc),
                     events ? in.integer(event) : 0},
                    [&in] { return in.where(); });
        }
    });
    std::string wrong;
    std::size_t total = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const bool right = rows[part].size() == 0 || (indices[part].follow && indices[part].first == total);
        if (indexed && !right && wrong.empty()) wrong = wrong_index(file.part(part), total);
        total += rows[part].size();
    }
    require_some(total, name);
    DigiFile digis{DigiRows::joined(std::move(rows)).take(), {}};
    if (!wrong.empty()) digis.warnings.push_back(wrong);
    return digis;
}

/// Charges in traccc files are energies: they are scaled to integers of 16 bits, or of 32 bits if the
/// smallest would be rounded by more than a thousandth of their value.
std::vector<std::string> scale_charges(const std::vector<double>& values, std::vector<std::uint32_t>& adc) {
    constexpr double bits_16 = 65535, bits_32 = 4294967295, well_kept = 500;
    const double largest = *std::ranges::max_element(values);
    const bool whole = std::ranges::all_of(values, [](double v) { return v == std::floor(v); });
    if (largest == 0 || (whole && largest <= bits_32)) {
        std::ranges::transform(values, adc.begin(), [](double v) { return static_cast<std::uint32_t>(v); });
        return {};
    }
    const auto rounded_by = [&](double full) {
        return std::ranges::count_if(values,
                                     [&](double v) { return v > 0 && v / largest * full < well_kept; });
    };
    const double full = rounded_by(bits_16) == 0 ? bits_16 : bits_32;
    std::ranges::transform(values, adc.begin(), [&](double v) {
        return static_cast<std::uint32_t>(std::llround(v / largest * full));
    });
    std::vector<std::string> warnings{fmt::format(
        "the column \"value\" contains {}, so the charges are its numbers multiplied by {:.6g} and rounded",
        whole ? "numbers beyond 32 bits" : "numbers that are not integers", full / largest)};
    if (const auto rough = rounded_by(full); rough > 0)
        warnings.push_back(
            fmt::format("rounding changes {} of {} charges by more than 0.1 %, because they are below {:.2g} "
                        "and the largest charge is {:.2g}; the centroids of their clusters may be wrong, so "
                        "remove the largest charges",
                        rough, values.size(), well_kept / full * largest, largest));
    return warnings;
}

DigiFile read_traccc(const CsvParts& file, const std::string& name, const DigiLimits& limits,
                     Progress& progress) {
    const FileParts parts(file, progress);
    std::vector<DigiRows> rows(parts.size(), DigiRows(limits, false, true));
    std::vector<std::vector<double>> charges(parts.size());
    parts.for_each([&](CsvReader in, std::size_t part) {
        while (in.next()) {
            const double charge = in.real(value);
            if (!(charge >= 0) || std::isinf(charge))
                throw Error(
                    ErrorKind::input,
                    fmt::format("expected a finite number of 0 or more in the column \"value\", found {}",
                                charge),
                    in.where());
            rows[part].add({in.identifier(geometry_id), in.integer(channel0), in.integer(channel1), 0, 0},
                           [&in] { return in.where(); });
            charges[part].push_back(charge);
        }
    });
    std::vector<double> values;
    for (const std::vector<double>& some : charges) values.insert(values.end(), some.begin(), some.end());
    require_some(values.size(), name);
    DigiFile digis{DigiRows::joined(std::move(rows)).take(), {}};
    for (const std::string& warning : scale_charges(values, digis.digis.adc))
        digis.warnings.push_back(name + ": " + warning);
    return digis;
}

DigiFile read_csv(const std::string& name, const DigiLimits& limits, Progress& progress) {
    constexpr std::size_t part_bytes = std::size_t{256} << 10;
    const CsvParts parts(name, part_bytes, {}, csv_columns_of_digis);
    const CsvReader& in = parts.header();
    const bool plain = is_plain(in.header());
    if (plain || is_traccc(in.header())) {
        DigiFile digis =
            plain ? read_plain(parts, name, limits, progress) : read_traccc(parts, name, limits, progress);
        if (std::string warning = parts.end_warning(); !warning.empty())
            digis.warnings.push_back(std::move(warning));
        return digis;
    }
    // This one reports what is missing.
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
    throw Error(
        ErrorKind::input,
        "expected digis as the datasets \"module\", \"x\", \"y\" and \"adc\" in /entry/digis, /entry or /",
        name.to_string(), "name the group as FILE::/group");
}

/// @tparam Number type of the values: module ids may be unsigned 64-bit integers
template <class Number = std::int64_t>
std::vector<Number> column(const DataName& name, const std::string& group, const char* dataset,
                           std::size_t expected) {
    const std::string path = DataName{name.file, column_path(group, dataset)}.to_string();
    const Array values = read_array(path, 1);
    if (is_float(values.type()))
        throw Error(ErrorKind::input,
                    fmt::format("expected whole numbers, found values of type {}", name_of(values.type())),
                    path);
    if (expected != 0 && values.size() != expected)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} values, as many as in the dataset \"module\", found {}",
                                expected, values.size()),
                    path);
    std::vector<Number> numbers;
    numbers.reserve(values.size());
    visit_element(values.type(), [&](auto zero) {
        for (const auto value : values.as<decltype(zero)>()) numbers.push_back(static_cast<Number>(value));
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
    const auto modules = column<WholeNumber>(name, group, "module", 0);
    const std::size_t n = modules.size();
    require_some(n, where);
    const auto xs = column(name, group, "x", n), ys = column(name, group, "y", n),
               adcs = column(name, group, "adc", n);
    const auto numbers = events ? column(name, group, "event", n) : std::vector<std::int64_t>();
    const bool wide = std::ranges::any_of(modules, [](WholeNumber id) { return id > 0x7fffffff; });
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
