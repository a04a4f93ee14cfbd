#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ks::io {

/// A name around one of its numbers: "run2_img_", "0001", ".tif".
struct NumberedName {
    std::string before, digits, after;
};

/// "run2_img_0001.tif" -> "run", "2", "_img_", "0001", ".tif": text and digits in turn, the text first even
/// if it is empty.
std::vector<std::string> name_parts(std::string_view name);
/// The index of the last number; nothing if there is none.
std::optional<std::size_t> last_number(const std::vector<std::string>& parts);
/// @param place the index of a number in parts
NumberedName around_number(const std::vector<std::string>& parts, std::size_t place);

}  // namespace ks::io
