#include "core/kernels/variant_header.h"

#include <algorithm>
#include <vector>

#include "core/base/trimmed.h"
#include "core/kernels/resolved_source.h"

namespace ks {
namespace {

/// What stands behind "// KEY:"; nothing where the line is another one.
std::string_view header_value(std::string_view line, std::string_view key) {
    line = trimmed(line);
    if (!line.starts_with("//")) return {};
    line = trimmed(line.substr(2));
    if (!line.starts_with(key)) return {};
    line = trimmed(line.substr(key.size()));
    return line.starts_with(':') ? trimmed(line.substr(1)) : std::string_view();
}

/// @param is the line of the header that is replaced
template <class Is>
std::string with_line(std::string_view text, const Is& is, const std::string& line) {
    std::vector<std::string> lines = lines_of(text);
    const auto end =
        std::ranges::find_if(lines, [](const std::string& one) { return !trimmed(one).starts_with("//"); });
    const auto known = std::find_if(lines.begin(), end, is);
    if (known == end && !line.empty())
        lines.insert(end, line);
    else if (known != end && line.empty())
        lines.erase(known);
    else if (known != end)
        *known = line;
    std::string out;
    for (const std::string& one : lines) out += one + '\n';
    if (!text.empty() && !text.ends_with('\n')) out.pop_back();
    return out;
}

}  // namespace

std::string with_define(std::string_view text, const std::string& name, const std::string& value) {
    const auto is = [&name](const std::string& line) {
        const std::string_view given = header_value(line, "define");
        return trimmed(given.substr(0, given.find('='))) == name;
    };
    return with_line(text, is, value.empty() ? std::string() : "// define: " + name + "=" + value);
}

std::string with_header(std::string_view text, const std::string& key, const std::string& value) {
    const auto is = [&key](const std::string& line) { return !header_value(line, key).empty(); };
    return with_line(text, is, value.empty() ? std::string() : "// " + key + ": " + value);
}

}  // namespace ks
