#include "core/io/files/numbered_name.h"

#include <algorithm>

namespace ks::io {

std::vector<std::string> name_parts(std::string_view name) {
    constexpr std::string_view digits = "0123456789";
    std::vector<std::string> parts(1);
    for (std::size_t at = 0; at < name.size();) {
        const bool number = parts.size() % 2 == 0;
        const std::size_t end = std::min(
            number ? name.find_first_not_of(digits, at) : name.find_first_of(digits, at), name.size());
        parts.back() = name.substr(at, end - at);
        if (end < name.size()) parts.emplace_back();
        at = end;
    }
    return parts;
}

std::optional<std::size_t> last_number(const std::vector<std::string>& parts) {
    if (parts.size() < 2) return std::nullopt;
    return parts.size() % 2 == 0 ? parts.size() - 1 : parts.size() - 2;
}

NumberedName around_number(const std::vector<std::string>& parts, std::size_t place) {
    NumberedName name{{}, parts[place], {}};
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (i != place) (i < place ? name.before : name.after) += parts[i];
    return name;
}

}  // namespace ks::io
