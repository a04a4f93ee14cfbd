#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace ks::ui {

/// Whether the ends of a range differ by more than rounding.
inline bool differ(double low, double high) {
    return high - low > 1e-12 * std::max(std::abs(low), std::abs(high));
}

/// The smallest 1, 2 or 5 times a power of ten that is at least `length` (> 0), within a tolerance of 1e-3.
inline double roundUp(double length) {
    const double decade = std::pow(10.0, std::floor(std::log10(length)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= length * 0.999) return factor * decade;
    return 10 * decade;
}

/// The largest 1, 2 or 5 times a power of ten that is at most `length` (> 0), within a tolerance of 1e-9.
inline double roundDown(double length) {
    const double decade = std::pow(10.0, std::floor(std::log10(length) + 1e-9));
    for (const double factor : {5.0, 2.0})
        if (factor * decade <= length * (1 + 1e-9)) return factor * decade;
    return decade;
}

/// The multiples of a round step from low to high, roughly `most` or fewer.
inline std::vector<double> roundSteps(double low, double high, int maximum) {
    const double step = roundUp((high - low) / maximum);
    std::vector<double> steps;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
        steps.push_back(k == 0 ? 0 : k * step);
    return steps;
}

/// 1, 2 and 5 times the powers of ten from `low` (> 0) to `high`, or only the powers.
inline std::vector<double> roundNumbers(double low, double high, bool powersOnly) {
    std::vector<double> numbers;
    for (double power = std::floor(std::log10(low)); std::pow(10.0, power) <= high * 1.0001; ++power)
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double number = factor * std::pow(10.0, power);
            if (factor > 1 && powersOnly) break;
            if (number >= low * 0.9999 && number <= high * 1.0001) numbers.push_back(number);
        }
    return numbers;
}

}  // namespace ks::ui
