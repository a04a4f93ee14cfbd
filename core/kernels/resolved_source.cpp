#include "core/kernels/resolved_source.h"

#include <algorithm>
#include <utility>

#include "core/base/printable.h"
#include "core/base/trimmed.h"
#include "core/run/user/directive_scan.h"
#include "core/run/user/line_map.h"

namespace ks {
namespace {

constexpr std::size_t deepest = 8;

/// Whether a message names the whole text, as compilers do: "<kernel>", "1", or "tempfile_ab.cl",
/// quirk temporary_names. Any other name is that of a file, such as a header, whose lines are not those of
/// the text.
bool is_name_of_text(std::string_view name) {
    const std::string_view base = name.substr(name.rfind('/') + 1);
    return base.starts_with('<') || base.starts_with("tempfile") || base.find('.') == std::string_view::npos;
}

/// The directives that read files, by line, and what is known about the conditions around them.
struct Reading {
    Directive directive;
    bool conditional;
};
std::map<std::size_t, Reading> readings_in(const DirectiveScan& scan) {
    std::map<std::size_t, Reading> all;
    int depth = 0;
    for (const Directive& one : scan.directives) {
        if (one.word == "if" || one.word == "ifdef" || one.word == "ifndef") ++depth;
        if (one.word == "endif") --depth;
        if (reads_a_file(one)) all.emplace(one.line, Reading{one, depth > 0});
    }
    return all;
}

struct Resolver {
    const std::map<std::string, std::string>& files;
    ResolvedSource out = {};
    std::size_t compiled = 0;

    /// @param nested how many of the program's kernel files include this one
    /// @param depth how many files include it, with the user's
    void add(std::string file, std::string_view text, std::size_t nested, std::size_t depth,
             bool conditional) {
        const DirectiveScan scan = directives_in(text);
        if (const auto unclear = unclear_in(text, scan); unclear && !out.unclear)
            out.unclear = UnreadFile{unclear->why, {file, unclear->line}, conditional};
        const std::map<std::size_t, Reading> readings = readings_in(scan);
        std::size_t number = 0, of_text = 0, until = 0;
        std::size_t inserted = 0;  // of the user's files around a line
        for (std::string& line : lines_of(text)) {
            ++of_text;
            if (of_text < until) {  // a continuation line of a directive
                ++number;
                continue;
            }
            if (const std::optional<FileLine> next = line_directive_of(line)) {
                // Without a file, it is of the text itself, whose lines stay those of its file.
                if (next->file.empty()) {
                    ++number;
                    continue;
                }
                file = next->file;
                number = next->line - 1;
                if (std::optional<std::string> include = include_begun_by(line)) {
                    out.lines.push_back({*std::move(include), {file, next->line}, depth++, true, {}});
                    ++inserted;
                } else if (inserted > 0 && ends_include(line)) {
                    --inserted;
                    --depth;
                }
                continue;
            }
            ++number;
            const auto reading = readings.find(of_text);
            if (reading == readings.end()) {
                add_compiled(std::move(line), {file, number}, depth);
                continue;
            }
            until = of_text + reading->second.directive.lines;
            const bool may_be_left_out = conditional || reading->second.conditional;
            const auto known = files.find(path_of(reading->second.directive));
            if (known != files.end() && nested < deepest) {
                out.lines.push_back({std::move(line), {file, number}, depth, true, std::nullopt});
                add(known->first, known->second, nested + 1, depth + 1, may_be_left_out);
            } else {
                const std::string why = why_not(reading->second.directive, known != files.end());
                out.unread.push_back({why, {file, number}, may_be_left_out});
                add_compiled("#error \"" + in_message(why) + "\"", {file, number}, depth);
            }
        }
    }

  private:
    void add_compiled(std::string line, SourcePlace place, std::size_t depth) {
        out.lines.push_back({std::move(line), std::move(place), depth, false, ++compiled});
    }
    static std::string path_of(const Directive& directive) {
        return directive.word == "include" && directive.rest.starts_with('"')
                   ? named_file(directive.rest).value_or("")
                   : std::string();
    }
    static std::string why_not(const Directive& directive, bool too_deep) {
        if (too_deep) return "kernel files include each other in an endless loop";
        const std::optional<std::string> path = named_file(directive.rest);
        if (directive.word != "include" || !path)
            return "#" + directive.word + " " + printable(directive.rest) + " is not supported here";
        return "there is no kernel file \"" + printable(*path) + "\" in this program";
    }
    static std::string in_message(std::string text) {
        std::ranges::replace(text, '"', '\'');
        return text;
    }
};

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
    const std::vector<std::string_view> lines = lines_in(text);
    return {lines.begin(), lines.end()};
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
    if (std::ranges::any_of(lines, named) || !is_name_of_text(message.file))
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
    const bool unified = text.find('\r') == std::string_view::npos;
    resolver.add(file, unified ? text : std::string_view(unified_line_ends(text)), 0, 0, false);
    return std::move(resolver.out);
}

}  // namespace ks
