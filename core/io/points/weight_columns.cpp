#include "core/io/points/weight_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/base/error.h"

namespace ks::io {
namespace {

constexpr std::string_view stem = "weight", ending = "_im";

/// The column that a name denotes: weight[_N][_im], N from 2 without leading zeros.
std::optional<WeightColumn> parse(std::string_view name) {
    WeightColumn column;
    std::string_view rest = name.substr(stem.size());
    if (rest.ends_with(ending)) {
        column.imaginary = true;
        rest.remove_suffix(ending.size());
    }
    if (!rest.empty()) {
        std::size_t number = 0;
        const auto [end, failure] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), number);
        if (failure != std::errc() || end != rest.data() + rest.size() || number < 2) return {};
        column.vector = number - 1;
    }
    if (column.name() != name) return {};
    return column;
}

bool has(const std::vector<WeightColumn>& columns, const WeightColumn& wanted) {
    return std::ranges::find(columns, wanted) != columns.end();
}

void require_whole(const std::vector<WeightColumn>& columns, const std::string& where) {
    for (const WeightColumn& column : columns) {
        if (column.imaginary && !has(columns, {column.vector, false}))
            throw Error(ErrorKind::input,
                        fmt::format("there is a column {}, but no column {}", column.name(),
                                    WeightColumn{column.vector, false}.name()),
                        where);
        if (column.vector > 0 && !has(columns, {column.vector - 1, false}))
            throw Error(ErrorKind::input,
                        fmt::format("there is a column {}, but no column {}", column.name(),
                                    WeightColumn{column.vector - 1, false}.name()),
                        where);
    }
}

}  // namespace

std::string WeightColumn::name() const {
    return std::string(stem) + (vector == 0 ? "" : fmt::format("_{}", vector + 1)) +
           std::string(imaginary ? ending : "");
}

std::vector<double>& WeightColumn::of(PointSet& points) const {
    if (vector == 0) return imaginary ? points.weight_im : points.weight;
    if (points.more.size() < vector) points.more.resize(vector);
    WeightVector& weights = points.more[vector - 1];
    return imaginary ? weights.im : weights.re;
}

std::vector<WeightColumn> weight_columns(const std::vector<std::string>& names, const std::string& where) {
    std::vector<WeightColumn> columns;
    for (const std::string& name : names) {
        if (!name.starts_with(stem)) continue;
        const auto column = parse(name);
        if (!column)
            throw Error(
                ErrorKind::input,
                fmt::format("expected weights in columns named weight, weight_im, weight_2, weight_2_im "
                            "and so on, found \"{}\"",
                            name.substr(0, 40)),
                where);
        if (has(columns, *column))
            throw Error(ErrorKind::input, fmt::format("expected one column {}, found two", name), where);
        columns.push_back(*column);
    }
    std::ranges::sort(columns, [](const WeightColumn& a, const WeightColumn& b) {
        return a.vector != b.vector ? a.vector < b.vector : a.imaginary < b.imaginary;
    });
    require_whole(columns, where);
    return columns;
}

std::vector<WeightColumn> weight_columns(const PointSet& points) {
    std::vector<WeightColumn> columns;
    for (std::size_t vector = 0; vector < points.n_vectors(); ++vector) {
        columns.push_back({vector, false});
        if (!points.im(vector).empty()) columns.push_back({vector, true});
    }
    return columns;
}

}  // namespace ks::io
