#include "core/run/user/line_map.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/trimmed.h"

namespace ks {
namespace {

constexpr std::string_view begins_mark = " // begin of include ", ends_mark = " // end of include";

/// The text after "#WORD", with spaces where C allows them; nothing for other lines.
std::optional<std::string_view> behind_directive(std::string_view line, std::string_view word) {
    line = trimmed(line);
    if (!line.starts_with('#')) return std::nullopt;
    line = trimmed(line.substr(1));
    if (!line.starts_with(word)) return std::nullopt;
    return trimmed(line.substr(word.size()));
}

std::optional<std::size_t> leading_number(std::string_view& text) {
    std::size_t value = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return value;
}

/// A message starting with "NAME:LINE:COLUMN:".
struct Message {
    std::string_view name;
    std::size_t line;
    std::string_view rest;  ///< from the column onwards
};

std::optional<Message> message_of(std::string_view line) {
    for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
         colon = line.find(':', colon + 1)) {
        std::string_view rest = line.substr(colon + 1);
        const std::optional<std::size_t> number = leading_number(rest);
        if (!number || !rest.starts_with(':')) continue;
        rest.remove_prefix(1);
        std::string_view behind = rest;
        if (leading_number(behind) && behind.starts_with(':'))
            return Message{line.substr(0, colon), *number, rest};
    }
    return std::nullopt;
}

/// "NAME:LINE:COLUMN" between "<Spelling=" and ">", if a message is about the text of a macro:
/// quirk spelling_of_macros.
struct Spelling {
    std::string_view before, place, after;
};
std::optional<Spelling> spelling_in(std::string_view text) {
    constexpr std::string_view mark = " <Spelling=";
    const std::size_t begin = text.find(mark);
    const std::size_t end = begin == std::string_view::npos ? begin : text.find(">:", begin);
    if (end == std::string_view::npos) return std::nullopt;
    const std::size_t place = begin + mark.size();
    return Spelling{text.substr(0, begin), text.substr(place, end - place), text.substr(end + 1)};
}

/// The words before a name, quirk kind_before_place: "error: /tmp/tempfile.cl:3:4: error: ..."
std::string_view words_before(std::string_view name) {
    const std::size_t blank = name.rfind(": ");
    return blank == std::string_view::npos ? std::string_view() : name.substr(0, blank + 2);
}

}  // namespace

void LineMap::add(std::size_t text_line, FileLine place) {
    pieces_.push_back({text_line, std::move(place)});
}

std::optional<FileLine> LineMap::place_of(std::size_t text_line) const {
    const auto after =
        std::ranges::upper_bound(pieces_, text_line, {}, [](const Piece& piece) { return piece.text_line; });
    if (after == pieces_.begin()) return std::nullopt;
    const Piece& piece = *std::prev(after);
    return FileLine{piece.place.file, piece.place.line + (text_line - piece.text_line)};
}

std::string LineMap::line_in_files(std::string_view line) const {
    if (const std::optional<Spelling> spelling = spelling_in(line)) {
        // The position followed by a colon has the form of a message.
        std::string place = line_in_files(std::string(spelling->place) + ":");
        place.pop_back();
        return line_in_files(std::string(spelling->before) + std::string(spelling->after)) + " (macro of " +
               place + ")";
    }
    const std::optional<Message> message = message_of(line);
    const std::optional<FileLine> place =
        message && !message->name.ends_with(".h") ? place_of(message->line) : std::optional<FileLine>();
    if (!place) return std::string(line);
    return std::string(words_before(message->name)) + place->file + ":" + std::to_string(place->line) + ":" +
           std::string(message->rest);
}

std::string LineMap::in_files(std::string_view log) const {
    std::string out;
    while (!log.empty()) {
        const std::size_t end = std::min(log.find('\n'), log.size());
        out += line_in_files(log.substr(0, end));
        if (end < log.size()) out += '\n';
        log.remove_prefix(std::min(end + 1, log.size()));
    }
    return out;
}

std::string line_directive(const FileLine& next) {
    std::string text = "#line " + std::to_string(next.line) + " \"";
    for (const char c : next.file) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + "\"";
}

std::optional<FileLine> line_directive_of(std::string_view line) {
    std::optional<std::string_view> rest = behind_directive(line, "line");
    if (!rest) return std::nullopt;
    const std::optional<std::size_t> number = leading_number(*rest);
    if (!number) return std::nullopt;
    FileLine next{{}, *number};
    *rest = trimmed(*rest);
    if (!rest->starts_with('"')) return next;
    for (std::size_t i = 1; i < rest->size() && (*rest)[i] != '"'; ++i) {
        if ((*rest)[i] == '\\' && i + 1 < rest->size()) ++i;
        next.file += (*rest)[i];
    }
    return next;
}

std::string include_begin(const FileLine& of, std::string_view named) {
    return line_directive(of) + std::string(begins_mark) + std::string(named);
}

std::string include_end(const FileLine& next) {
    return line_directive(next) + std::string(ends_mark);
}

std::optional<std::string> include_begun_by(std::string_view line) {
    const std::size_t mark = line.rfind(begins_mark);
    if (mark == std::string_view::npos || !line_directive_of(line)) return std::nullopt;
    return "#include " + std::string(line.substr(mark + begins_mark.size()));
}

bool ends_include(std::string_view line) {
    return line.ends_with(ends_mark) && line_directive_of(line);
}

}  // namespace ks
