#include "core/judge/source_lines.h"

#include <sstream>
#include <string_view>

namespace ks {
namespace {

/// The path of a line `#include "gpu/..."`, or empty.
std::string path_included(const std::string& line) {
    constexpr std::string_view start = "#include \"";
    if (!line.starts_with(start)) return {};
    const std::size_t end = line.find('"', start.size());
    return end == std::string::npos ? std::string() : line.substr(start.size(), end - start.size());
}

void append(const std::string& file, const std::string& text, const std::map<std::string, std::string>& files,
            int depth, std::vector<SourceLine>& to) {
    constexpr int deepest = 8;
    std::istringstream in(text);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const auto found = files.find(path_included(line));
        if (found == files.end() || depth == deepest)
            to.push_back({file, number});
        else
            append(found->first, found->second, files, depth + 1, to);
    }
}

}  // namespace

std::vector<SourceLine> lines_for_compiler(const std::string& file, const std::string& text,
                                           const std::map<std::string, std::string>& files) {
    std::vector<SourceLine> lines;
    append(file, text, files, 0, lines);
    return lines;
}

}  // namespace ks
