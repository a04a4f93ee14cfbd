#include "core/kernels/assembly.h"

#include <charconv>

#include "core/base/trimmed.h"
#include "core/kernels/resolved_source.h"

namespace ks {
namespace {

/// The second number after ".loc".
std::optional<std::size_t> line_of_loc(std::string_view line) {
    constexpr std::string_view start = ".loc";
    line = trimmed(line);
    if (!line.starts_with(start)) return std::nullopt;
    line = trimmed(line.substr(start.size()));
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == std::string_view::npos) return std::nullopt;
    line = trimmed(line.substr(blank));
    std::size_t number = 0;
    const auto [stop, status] = std::from_chars(line.data(), line.data() + line.size(), number);
    return status == std::errc{} && number > 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

std::vector<std::optional<std::size_t>> source_lines_of_ptx(std::string_view ptx) {
    std::vector<std::optional<std::size_t>> of;
    std::optional<std::size_t> now;
    for (const std::string& line : lines_of(ptx)) {
        const std::string_view text = trimmed(line);
        if (const auto located = line_of_loc(text)) now = located;
        if (text == "}" || text == "{") now.reset();
        of.push_back(now);
    }
    return of;
}

}  // namespace ks
