#include "core/data/frame_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/trimmed.h"

namespace ks {
namespace {

/// Both ends included.
using Span = std::pair<std::size_t, std::size_t>;

std::optional<std::size_t> whole_number(std::string_view text) {
    std::size_t value = 0;
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "7" or "10-19", with blanks around the numbers.
std::optional<Span> span_named(std::string_view text) {
    const std::size_t dash = text.find('-');
    const auto first = whole_number(trimmed(text.substr(0, dash)));
    if (dash == std::string_view::npos) return first ? std::optional(Span(*first, *first)) : std::nullopt;
    const auto last = whole_number(trimmed(text.substr(dash + 1)));
    return first && last ? std::optional(Span(*first, *last)) : std::nullopt;
}

std::vector<Span> spans_of(const std::vector<std::size_t>& frames) {
    std::vector<Span> spans;
    for (const std::size_t frame : frames)
        if (!spans.empty() && spans.back().second + 1 == frame)
            spans.back().second = frame;
        else
            spans.emplace_back(frame, frame);
    return spans;
}

}  // namespace

std::vector<std::size_t> frames_named(const std::string& text, std::size_t frames, const std::string& where) {
    if (trimmed(text).empty() || trimmed(text) == no_frames) return {};
    std::vector<Span> spans;
    const std::string_view all = text;
    for (std::size_t at = 0; at <= all.size();) {
        const std::size_t end = std::min(all.find(',', at), all.size());
        const std::string_view part = trimmed(all.substr(at, end - at));
        const std::optional<Span> span = span_named(part);
        if (!span)
            throw Error(
                ErrorKind::input,
                fmt::format("expected frames counted from 0, such as \"10-19,55\", or \"{}\", found \"{}\"",
                            no_frames, part == trimmed(text) ? text : std::string(part)),
                where);
        const auto [first, last] = *span;
        if (first > last)
            throw Error(
                ErrorKind::input,
                fmt::format("the range {}-{} ends before it starts: write {}-{}", first, last, last, first),
                where);
        if (last >= frames)
            throw Error(
                ErrorKind::input,
                fmt::format("frame {} does not exist: the series has frames 0 to {}", last, frames - 1),
                where);
        spans.push_back(*span);
        at = end + 1;
    }
    std::ranges::sort(spans);
    std::vector<std::size_t> list;
    for (const auto& [first, last] : spans)
        for (std::size_t frame = list.empty() ? first : std::max(first, list.back() + 1); frame <= last;
             ++frame)
            list.push_back(frame);
    return list;
}

std::string frame_ranges(const std::vector<std::size_t>& frames) {
    if (frames.empty()) return no_frames;
    std::string text;
    for (const auto& [first, last] : spans_of(frames)) {
        if (!text.empty()) text += ',';
        text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    }
    return text;
}

std::string ranges_in_words(const std::vector<std::size_t>& numbers, const std::string& what) {
    constexpr std::size_t most = 8;
    const std::vector<Span> spans = spans_of(numbers);
    std::string text = what + (numbers.size() == 1 ? " " : "s ");
    std::size_t named = 0;
    for (std::size_t i = 0; i < std::min(spans.size(), most); ++i) {
        const auto [first, last] = spans[i];
        if (i > 0) text += i + 1 == spans.size() ? " and " : ", ";
        text += first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
        named += last - first + 1;
    }
    if (named < numbers.size()) text += fmt::format(" and {} more {}s", numbers.size() - named, what);
    return text;
}

}  // namespace ks
