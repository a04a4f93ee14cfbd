#include "core/spots/results/spot_columns.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"

namespace ks::spots {
namespace {

/// A column of the table: name, title, unit and member.
template <class T>
struct Column {
    const char *name, *title, *unit;
    T Spot::*member;
};

constexpr Column<std::uint32_t> wholes[] = {{"x0", "x from", "px", &Spot::x0},
                                            {"x1", "x to", "px", &Spot::x1},
                                            {"y0", "y from", "px", &Spot::y0},
                                            {"y1", "y to", "px", &Spot::y1},
                                            {"z0", "Frame from", "frames", &Spot::z0},
                                            {"z1", "Frame to", "frames", &Spot::z1},
                                            {"peak_x", "Peak x", "px", &Spot::peak_x},
                                            {"peak_y", "Peak y", "px", &Spot::peak_y},
                                            {"peak_z", "Peak frame", "frames", &Spot::peak_z},
                                            {"saturated", "Saturated pixels", "px", &Spot::saturated}};

constexpr Column<double> reals[] = {{"x", "x", "px", &Spot::x},
                                    {"y", "y", "px", &Spot::y},
                                    {"z", "z", "frames", &Spot::z},
                                    {"var_x", "Variance in x", "px^2", &Spot::var_x},
                                    {"var_y", "Variance in y", "px^2", &Spot::var_y},
                                    {"var_z", "Variance in z", "frames^2", &Spot::var_z},
                                    {"sum", "Sum", "counts", &Spot::sum},
                                    {"peak", "Peak", "counts", &Spot::peak},
                                    {"background", "Background", "counts/px", &Spot::background},
                                    {"q", "q", "1/angstrom", &Spot::q},
                                    {"d", "d", "angstrom", &Spot::d}};

/// Creates a dataset of the table without values, and writes those of several spots, beginning in `row`.
struct TableColumn {
    const char *name, *title, *unit;
    ElementType type;
    std::function<void(std::span<const Spot> spots, std::size_t row, Array& to)> write;
};

template <class T, class Get>
TableColumn column(const char* name, const char* title, const char* unit, const Get& get) {
    return {name, title, unit, element_type_of<T>(),
            [get](std::span<const Spot> spots, std::size_t row, Array& to) {
                const std::span<T> values = to.as<T>().subspan(row, spots.size());
                for (std::size_t i = 0; i < spots.size(); ++i) values[i] = static_cast<T>(get(spots[i]));
            }};
}

const std::vector<TableColumn>& table_columns() {
    static const std::vector<TableColumn> columns = [] {
        std::vector<TableColumn> made{column<std::uint32_t>("n_signal", "Signal pixels", "px",
                                                            [](const Spot& spot) { return spot.n_signal; })};
        for (const auto& c : wholes)
            made.push_back(column<std::uint32_t>(c.name, c.title, c.unit,
                                                 [&c](const Spot& spot) { return spot.*c.member; }));
        for (const auto& c : reals)
            made.push_back(
                column<double>(c.name, c.title, c.unit, [&c](const Spot& spot) { return spot.*c.member; }));
        made.push_back(column<std::uint8_t>("dropped", "Reason for dropping", "",
                                            [](const Spot& spot) { return spot.dropped; }));
        return made;
    }();
    return columns;
}

/// Size of a column in the table's memory.
std::size_t bytes_of(const TableColumn& column, std::size_t spots) {
    constexpr std::size_t line = 64;
    return (spots * size_of(column.type) + line - 1) / line * line;
}

template <class T>
std::span<const T> values(const Result& result, const char* name, std::size_t expected) {
    const Array& array = result.at(name).values;
    if (array.rank() != 1 || array.type() != element_type_of<T>() || array.size() != expected)
        throw Error(ErrorKind::run, "expected " + std::to_string(expected) + " values in one dimension",
                    name);
    return array.as<T>();
}

}  // namespace

std::size_t table_bytes(std::size_t spots) {
    std::size_t all = 0;
    for (const TableColumn& c : table_columns()) all += bytes_of(c, spots);
    return all;
}

std::vector<Dataset> empty_table(std::size_t spots, const ResultMemory& memory) {
    const std::vector<TableColumn>& columns = table_columns();
    const std::size_t all = table_bytes(spots);
    // A single block of memory for all columns: allocating new pages takes longer than writing the values.
    const auto plain = [&] {
        const auto array = std::make_shared<Array>(Array::undefined(ElementType::u8, {all}));
        return std::shared_ptr<std::byte[]>(array, array->bytes().data());
    };
    std::shared_ptr<std::byte[]> piece = memory ? memory(all) : nullptr;
    if (!piece) piece = plain();
    std::vector<Dataset> table;
    table.reserve(columns.size());
    std::size_t at = 0;
    for (const TableColumn& c : columns) {
        const std::shared_ptr<std::byte[]> own(piece, piece.get() + at);
        table.push_back({c.name, c.title, c.unit, DataKind::table, Array::in(own, c.type, {spots})});
        at += bytes_of(c, spots);
    }
    return table;
}

void write_rows(std::span<const Spot> spots, std::size_t row, std::span<Dataset> table) {
    const std::vector<TableColumn>& columns = table_columns();
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].write(spots, row, table[i].values);
}

std::vector<Dataset> table_datasets(const std::vector<Spot>& spots) {
    std::vector<Dataset> table = empty_table(spots.size());
    write_rows(spots, 0, table);
    return table;
}

std::vector<Spot> spots_of(const Result& result) {
    std::vector<Spot> spots(result.at("n_signal").values.size());
    const auto sizes = values<std::uint32_t>(result, "n_signal", spots.size());
    const auto dropped = values<std::uint8_t>(result, "dropped", spots.size());
    for (std::size_t i = 0; i < spots.size(); ++i) {
        spots[i].n_signal = sizes[i];
        spots[i].dropped = static_cast<Dropped>(dropped[i]);
    }
    const auto fill = [&](const auto& columns, auto zero) {
        for (const auto& c : columns) {
            const auto from = values<decltype(zero)>(result, c.name, spots.size());
            for (std::size_t i = 0; i < spots.size(); ++i) spots[i].*c.member = from[i];
        }
    };
    fill(std::span(wholes).first(std::size(wholes) - 1), std::uint32_t{});
    // Missing in runs saved by earlier versions.
    if (result.find("saturated") != nullptr) fill(std::span(wholes).last(1), std::uint32_t{});
    fill(reals, double{});
    return spots;
}

std::vector<Dataset> signal_datasets(const std::vector<std::vector<std::uint32_t>>& signals) {
    std::vector<Array> parts;
    std::vector<std::uint64_t> sizes;
    for (const auto& signal : signals) {
        parts.push_back(Array::of<std::uint32_t>({signal.size()}, signal));
        sizes.push_back(signal.size());
    }
    return signal_datasets(std::move(parts), sizes, 1);
}

std::vector<Dataset> signal_datasets(std::vector<Array> parts, std::span<const std::uint64_t> sizes,
                                     unsigned threads) {
    std::vector<std::uint64_t> offsets{0};
    for (const std::uint64_t size : sizes) offsets.push_back(offsets.back() + size);
    std::vector<std::size_t> starts{0};
    for (const Array& part : parts) starts.push_back(starts.back() + part.size());
    if (starts.back() != offsets.back())
        throw Error(ErrorKind::run, "the parts and the frames have different numbers of signal pixels",
                    "signal_pixel");
    if (parts.size() != 1) {
        Array all = Array::undefined(ElementType::u32, {offsets.back()});
        parallel_for(parts.size(), threads, [&](std::size_t i) {
            std::ranges::copy(parts[i].bytes(), all.bytes().begin() + static_cast<std::ptrdiff_t>(
                                                                          starts[i] * sizeof(std::uint32_t)));
        });
        parts.assign(1, Array());
        parts[0] = std::move(all);
    }
    std::vector<Dataset> datasets;  // no initialiser list, which would copy the pixels
    datasets.push_back({"signal_offset", "First signal pixel of a frame", "", DataKind::overlay,
                        Array::of<std::uint64_t>({offsets.size()}, offsets)});
    datasets.push_back({"signal_pixel", "Signal pixels", "", DataKind::overlay, std::move(parts[0])});
    return datasets;
}

std::span<const std::uint32_t> signal_of(const Result& result, std::size_t frame) {
    const auto offsets = result.at("signal_offset").values.as<std::uint64_t>();
    const auto pixels = result.at("signal_pixel").values.as<std::uint32_t>();
    if (frame + 1 >= offsets.size()) return {};
    if (offsets[frame] > offsets[frame + 1] || offsets[frame + 1] > pixels.size())
        throw Error(ErrorKind::run, "the offsets are not ascending", "signal_offset");
    return pixels.subspan(offsets[frame], offsets[frame + 1] - offsets[frame]);
}

}  // namespace ks::spots
