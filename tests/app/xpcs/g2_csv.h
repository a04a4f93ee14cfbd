#pragma once

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"

namespace ks::tests {

/// g2 of a long CSV file, [bin][delay].
inline std::vector<double> g2_of_csv(const std::string& file) {
    std::istringstream lines(read_file(file));
    std::string line;
    std::vector<double> values;
    for (std::getline(lines, line); std::getline(lines, line);) {
        double value = 0;
        EXPECT_EQ(std::sscanf(line.c_str(), "%*u,%*u,%lf", &value), 1) << line;
        values.push_back(value);
    }
    return values;
}

}  // namespace ks::tests
