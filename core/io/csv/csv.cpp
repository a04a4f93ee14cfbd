#include "core/io/csv/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/io/files/file_bytes.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::size_t longest_header = 65536;  ///< bytes that csv_columns() reads

void split(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    std::size_t from = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {  // fields are too short for find() to pay off
        if (line[at] != ',') continue;
        fields.push_back(trimmed(line.substr(from, at - from)));
        from = at + 1;
    }
    fields.push_back(trimmed(line.substr(from)));
}

template <class T>
std::optional<T> parsed(std::string_view text) {
    T value{};
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failure != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

Error not_expected(const char* expected, const std::string& name, std::string_view found,
                   const std::string& where) {
    return {ErrorKind::input,
            fmt::format("expected {} in column {}, found \"{}\"", expected, name, found.substr(0, 40)),
            where};
}

}  // namespace

CsvReader::CsvReader(const fs::path& file, std::vector<std::string> wanted, std::vector<std::string> optional)
    : CsvReader(file, TextFile(file, "a CSV file").text(), std::move(wanted), optional) {}

CsvReader::CsvReader(const fs::path& file, FileText text, std::vector<std::string> wanted,
                     const std::vector<std::string>& optional)
    : file_(file), text_(std::move(text)), end_(text_.size), names_(std::move(wanted)) {
    const std::size_t required = names_.size();
    names_.insert(names_.end(), optional.begin(), optional.end());
    if (text_.view().starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    std::string_view header;
    while (header.empty() && at_ < end_) header = trimmed(next_line());
    if (header.empty())
        throw Error(ErrorKind::input, "expected a header line, found an empty file", file_.string());
    split(header, fields_);
    header_.assign(fields_.begin(), fields_.end());
    for (std::size_t i = 0; i < names_.size(); ++i) {
        places_.push_back(place_of(names_[i]));
        if (places_.back() == absent && i < required)
            throw Error(ErrorKind::input,
                        fmt::format("expected a header with the columns {}, found \"{}\"",
                                    fmt::join(names_.begin(),
                                              names_.begin() + static_cast<std::ptrdiff_t>(required), ","),
                                    header.substr(0, 80)),
                        file_.string());
    }
}

std::size_t CsvReader::place_of(const std::string& name) const {
    const auto found = std::ranges::find(header_, name);
    if (found != header_.end() && std::find(found + 1, header_.end(), name) != header_.end())
        throw Error(ErrorKind::input,
                    fmt::format("expected one column {}, found {}", name, std::ranges::count(header_, name)),
                    file_.string());
    return found == header_.end() ? absent : static_cast<std::size_t>(found - header_.begin());
}

std::size_t CsvReader::want(const std::string& name) {
    names_.push_back(name);
    places_.push_back(place_of(name));
    return names_.size() - 1;
}

std::size_t CsvReader::rows_about() const {
    const std::string_view left = text_.view().substr(at_, end_ - at_);
    return left.size() / (std::min(left.find('\n'), left.size()) + 1) + 1;
}

std::string_view CsvReader::next_line() {
    const std::string_view left = text_.view().substr(at_, end_ - at_),
                           line = left.substr(0, left.find('\n'));
    line_start_ = at_;
    at_ = std::min(at_ + line.size() + 1, end_);
    return line;
}

std::size_t CsvReader::line() const {
    const auto lines = [](std::string_view text) {
        return static_cast<std::size_t>(std::ranges::count(text, '\n'));
    };
    std::size_t line = lines(text_.view().substr(0, line_start_)) + 1;
    constexpr std::size_t piece = std::size_t{1} << 20;
    for (std::size_t from = 0; from < text_start_; from += piece)
        line += lines(open_->text(from, std::min(piece, text_start_ - from)).view());
    return line;
}

bool CsvReader::next() {
    while (at_ < end_) {
        const std::string_view line = trimmed(next_line());
        if (line.empty()) continue;
        split(line, fields_);
        if (fields_.size() != header_.size())
            throw Error(ErrorKind::input,
                        fmt::format("expected {} values, found {}", header_.size(), fields_.size()), where());
        return true;
    }
    return false;
}

std::string_view CsvReader::field(std::size_t column) const {
    return fields_[places_[column]];
}

WholeNumber CsvReader::identifier(std::size_t column) const {
    if (const auto value = parsed<std::uint64_t>(field(column))) return *value;
    return integer(column);
}

std::int64_t CsvReader::integer(std::size_t column) const {
    const std::string_view text = field(column);
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure == std::errc() && end == text.data() + text.size()) return value;
    if (const auto signed_value = parsed<std::int64_t>(text)) return *signed_value;
    const std::optional<double> number = parsed<double>(text);
    const bool whole = number && std::isfinite(*number) && *number == std::floor(*number);
    // Below this, every integer is an exact double.
    if (whole && std::abs(*number) < 0x1p53) return static_cast<std::int64_t>(*number);
    if (whole)
        throw not_expected(
            text.find_first_of(".eE") == std::string_view::npos
                ? "a whole number from -2^63 to 2^63 - 1"
                : "a whole number without a decimal point or an exponent (required from 2^53 on)",
            names_[column], text, where());
    throw not_expected("a whole number", names_[column], text, where());
}

double CsvReader::real(std::size_t column) const {
    if (const auto value = parsed<double>(field(column))) return *value;
    throw not_expected("a number", names_[column], field(column), where());
}

double CsvReader::fraction() const {
    return text_.size == 0 ? 1.0 : static_cast<double>(at_) / static_cast<double>(text_.size);
}

namespace {

std::string warning_of_end(const fs::path& file, std::string_view last) {
    if (last.empty() || last == "\n" || last == "\r") return {};
    return fmt::format("{}: no newline at the end of the last line; the file may be truncated",
                       file.string());
}

}  // namespace

std::string csv_end_warning(const fs::path& file) {
    std::error_code failure;
    const std::uintmax_t bytes = fs::file_size(file, failure);
    return failure || bytes == 0 ? std::string() : warning_of_end(file, peek_bytes(file, bytes - 1, 1));
}

std::string CsvReader::end_warning() const {
    const std::string_view text = text_.view();
    return warning_of_end(file_, text.substr(text.size() - std::min<std::size_t>(1, text.size())));
}

std::string CsvParts::end_warning() const {
    if (end_ == 0) return {};
    return warning_of_end(file_->name(), file_->text(end_ - 1, 1).view());
}

CsvParts::CsvParts(const fs::path& file, std::size_t bytes, std::vector<std::string> wanted,
                   const std::vector<std::string>& optional)
    : file_(std::make_shared<const TextFile>(file, "a CSV file")),
      bytes_(std::max<std::size_t>(bytes, 1)),
      header_(file, beginning(*file_), std::move(wanted), optional),
      start_(header_.at_),
      end_(std::max(file_->size(), start_)) {
    header_.at_ = header_.end_;
}

/// At least up to the end of the header line.
FileText CsvParts::beginning(const TextFile& file) {
    for (std::size_t size = longest_header;; size *= 2) {
        FileText text = file.text(0, std::min(size, file.size()));
        const std::size_t header = text.view().find_first_not_of("\xef\xbb\xbf \t\r\n");
        const bool whole =
            header != std::string_view::npos && text.view().find('\n', header) != std::string_view::npos;
        if (whole || size >= file.size()) return text;
    }
}

CsvReader CsvParts::part(std::size_t i) const {
    // The lines of a part begin in [from, to): after a newline found from the byte before `from` on.
    const std::size_t from = start_ + i * bytes_, to = std::min(end_, from + bytes_);
    constexpr std::size_t some = 256;  // for the end of the last line
    CsvReader part(header_);
    part.open_ = file_;
    part.text_start_ = from - 1;
    part.at_ = part.end_ = 0;
    for (std::size_t more = some;; more *= 2) {
        part.text_ = file_->text(from - 1, std::min(end_, to + more) - (from - 1));
        const std::string_view text = part.text_.view();
        const std::size_t before = text.substr(0, to - from).find('\n');
        if (before == std::string_view::npos) return part;  // one line spans the whole part
        const std::size_t end = text.find('\n', to - from);
        if (end == std::string_view::npos && text.size() == to + more - (from - 1)) continue;
        part.at_ = before + 1;
        part.end_ = end == std::string_view::npos ? text.size() : end + 1;
        return part;
    }
}

std::vector<std::string> csv_columns(const fs::path& file) {
    const std::string beginning = peek_bytes(file, 0, longest_header);
    std::string_view rest = beginning;
    if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        // The line extends beyond the bytes that were read.
        if (end == std::string_view::npos && beginning.size() == longest_header) return {};
        if (const std::string_view header = trimmed(rest.substr(0, end)); !header.empty()) {
            std::vector<std::string_view> names;
            split(header, names);
            return {names.begin(), names.end()};
        }
        rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
    }
    return {};
}

std::optional<double> csv_number(std::string_view text) {
    return parsed<double>(text);
}

std::string CsvReader::where() const {
    return fmt::format("{}, line {}", file_.string(), line());
}

}  // namespace ks::io
