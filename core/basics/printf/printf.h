#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/run/analysis.h"

namespace ks::basics {

/// Values that the work-items print, one each.
struct PrintfProblem : Problem {
    std::vector<std::int32_t> values;  ///< [item], from 0 to 99
};

/// "Hello from kernel #3, got value: 17", including the line end.
std::string hello_of(std::size_t item, std::int32_t value);

/// The result of a variant. @param output the text printed
Result printf_result(const std::string& output);

}  // namespace ks::basics
