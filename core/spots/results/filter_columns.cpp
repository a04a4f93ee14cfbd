#include "core/spots/results/filter_columns.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"

namespace ks::spots {
namespace {

template <class T>
std::span<T> filled(std::vector<Dataset>& table, const std::string& name) {
    const auto column = std::ranges::find(table, name, &Dataset::name);
    if (column == table.end()) throw Error(ErrorKind::run, "the table does not have this column", name);
    return column->values.as<T>();
}

}  // namespace

FilterColumns::FilterColumns(std::vector<Dataset>& table)
    : n_signal_(filled<std::uint32_t>(table, "n_signal")),
      peak_x_(filled<std::uint32_t>(table, "peak_x")),
      peak_y_(filled<std::uint32_t>(table, "peak_y")),
      peak_z_(filled<std::uint32_t>(table, "peak_z")),
      x_(filled<double>(table, "x")),
      y_(filled<double>(table, "y")),
      z_(filled<double>(table, "z")),
      q_(filled<double>(table, "q")),
      d_(filled<double>(table, "d")),
      dropped_(filled<std::uint8_t>(table, "dropped")) {}

}  // namespace ks::spots
