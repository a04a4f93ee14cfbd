#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace ks::tests {

using CsvCells = std::vector<std::vector<std::string>>;

/// The cells of each line of a CSV text without quoted fields.
inline CsvCells csv_cells(const std::string& text) {
    std::istringstream lines(text);
    CsvCells rows;
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> cells(1);
        for (const char c : line)
            if (c == ',')
                cells.emplace_back();
            else
                cells.back() += c;
        rows.push_back(cells);
    }
    return rows;
}

}  // namespace ks::tests
