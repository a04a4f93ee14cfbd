#include "core/base/printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace ks {
namespace {

std::string escaped(std::string_view text, std::string_view kept) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text[0]);
        const bool c1 = length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
        const bool control =
            (first < 0x20 && kept.find(text[0]) == std::string_view::npos) || first == 0x7f || c1;
        const std::size_t taken = std::max<std::size_t>(length, 1);
        if (length > 0 && !control)
            out += text.substr(0, taken);
        else
            for (const char c : text.substr(0, taken))
                out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        text.remove_prefix(taken);
    }
    return out;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    const auto at = [text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto follows = [&](std::size_t i) { return (at(i) & 0xc0U) == 0x80U; };
    const unsigned first = at(0), second = at(1);
    if (text.empty()) return 0;
    if (first < 0x80) return 1;
    if (first < 0xc2 || first > 0xf4 || !follows(1)) return 0;
    if (first < 0xe0) return 2;
    if (!follows(2)) return 0;
    if (first < 0xf0) return (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ? 0 : 3;
    if (!follows(3)) return 0;
    return (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90) ? 0 : 4;
}

std::string printable(std::string_view text) {
    return escaped(text, "");
}

std::string printable_lines(std::string_view text) {
    return escaped(text, "\n\t");
}

std::string joined(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string listed(const std::vector<std::string>& names, std::size_t most, const char* between) {
    const std::span shown = std::span(names).first(std::min(names.size(), most));
    const std::string text = fmt::format("{}", fmt::join(shown, between));
    const bool lines = std::string_view(between).find('\n') != std::string_view::npos;
    return names.size() <= most
               ? text
               : fmt::format("{}{}and {} more", text, lines ? '\n' : ' ', names.size() - most);
}

std::string alternatives(const std::vector<std::string>& names) {
    if (names.size() < 2) return names.empty() ? "" : names.front();
    return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

}  // namespace ks
