#pragma once

#include <string>

namespace ks {

/// The shortest text that reads back as the same value, "nan" or "inf". A number with at most 12 digits that
/// was rounded twice, such as the delay 9 x 0.001 s, is written as that number: "0.009".
std::string short_number(double value);

}  // namespace ks
