#include "core/kernels/resolved_source.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/run/user/include_scan.h"
#include "core/run/user/line_map.h"

namespace ks {
namespace {

constexpr std::size_t deepest = 8;

/// Whether a message names a file that people write, and not what a compiler calls the whole text:
/// "<kernel>", or PoCL's "tempfile_ab.cl".
bool is_kernel_file(std::string_view name) {
    const std::string_view base = name.substr(name.rfind('/') + 1);
    return base.ends_with(".cl") && !base.starts_with("tempfile");
}

struct Resolver {
    const std::map<std::string, std::string>& files;
    ResolvedSource out = {};
    std::size_t compiled = 0;

    void add(std::string file, std::string_view text, std::size_t depth) {
        const std::map<std::size_t, std::string> includes = include_lines(text);
        std::size_t number = 0, of_text = 0;
        for (std::string& line : lines_of(text)) {
            ++of_text;
            if (const std::optional<FileLine> next = line_directive_of(line)) {
                if (!next->file.empty()) file = next->file;
                number = next->line - 1;
                continue;
            }
            const auto include = includes.find(of_text);
            const std::string path = include == includes.end() ? std::string() : include->second;
            const auto known = files.find(path);
            const bool follow = !path.empty() && known != files.end() && depth < deepest;
            if (!path.empty() && !follow) out.missing.push_back(path);
            SourceLine& added = out.lines.emplace_back(
                SourceLine{std::move(line), {file, ++number}, depth, follow, std::nullopt});
            if (follow)
                add(path, known->second, depth + 1);
            else
                added.compiled = ++compiled;
        }
    }
};

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string ResolvedSource::text() const {
    std::string all;
    for (const SourceLine& line : lines)
        if (line.compiled) all += line.text + '\n';
    return all;
}

std::optional<SourcePlace> ResolvedSource::place_of(std::size_t compiled) const {
    const auto found = std::ranges::find(lines, std::optional(compiled), &SourceLine::compiled);
    return found == lines.end() ? std::nullopt : std::optional(found->place);
}

std::optional<SourcePlace> ResolvedSource::place_of(const CompilerMessage& message) const {
    if (!message.line) return std::nullopt;
    const auto named = [&](const SourceLine& line) { return line.place.file == message.file; };
    if (std::ranges::any_of(lines, named) || is_kernel_file(message.file))
        return SourcePlace{message.file, *message.line};
    return place_of(*message.line);
}

std::optional<SourcePlace> place_of(const CompilerMessage& message, const ResolvedSource& source,
                                    const std::map<std::string, std::string>& files) {
    if (message.line && files.contains(message.file)) return SourcePlace{message.file, *message.line};
    return source.place_of(message);
}

std::optional<std::size_t> ResolvedSource::find(const SourcePlace& place) const {
    const auto found = std::ranges::find(lines, place, &SourceLine::place);
    return found == lines.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - lines.begin()));
}

ResolvedSource resolve_source(const std::string& file, std::string_view text,
                              const std::map<std::string, std::string>& files) {
    Resolver resolver{files};
    resolver.add(file, text, 0);
    return std::move(resolver.out);
}

}  // namespace ks
