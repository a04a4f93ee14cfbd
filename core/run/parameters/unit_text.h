#pragma once

#include <string>

namespace ks {

/// A unit as it is written after a number: "frame" after 1, "frames" after any other; units without a plural
/// are as they are.
/// @param unit in the plural: "frames", "points per decade"
std::string unit_after(double number, const std::string& unit);

}  // namespace ks
