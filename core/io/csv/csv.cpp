#include "core/io/csv/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/trimmed.h"
#include "core/io/files/regular_file.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

std::string read_all(const fs::path& file) {
    require_regular(file, "a CSV file");
    std::error_code failure;
    const std::uintmax_t size = fs::file_size(file, failure);
    require_memory(failure ? 0 : size, "its text", file.string());
    std::ifstream in(file, std::ios::binary);
    std::string text;
    if (!failure) text.reserve(static_cast<std::size_t>(size));
    text.assign(std::istreambuf_iterator<char>(in), {});
    if (!in) throw Error(ErrorKind::input, "the file cannot be read", file.string());
    return text;
}

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::size_t longest_header = 65536;  ///< bytes that csv_columns() looks at

void split(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    while (true) {
        const std::size_t comma = line.find(',');
        fields.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return;
        line.remove_prefix(comma + 1);
    }
}

template <class T>
std::optional<T> parsed(std::string_view text) {
    T value{};
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failure != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

template <class T>
T number(std::string_view text, const char* expected, const std::string& name, const std::string& where) {
    if (const std::optional<T> value = parsed<T>(text)) return *value;
    throw Error(ErrorKind::input,
                fmt::format("expected {} in column {}, found \"{}\"", expected, name, text.substr(0, 40)),
                where);
}

}  // namespace

CsvReader::CsvReader(const fs::path& file, std::vector<std::string> wanted, std::vector<std::string> optional)
    : file_(file), text_(read_all(file)), names_(std::move(wanted)) {
    const std::size_t required = names_.size();
    names_.insert(names_.end(), optional.begin(), optional.end());
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    std::string_view header;
    while (header.empty() && at_ < text_.size()) header = trimmed(next_line());
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
    return found == header_.end() ? absent : static_cast<std::size_t>(found - header_.begin());
}

std::size_t CsvReader::want(const std::string& name) {
    names_.push_back(name);
    places_.push_back(place_of(name));
    return names_.size() - 1;
}

std::string_view CsvReader::next_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line(text_.data() + at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    ++line_;
    return line;
}

bool CsvReader::next() {
    while (at_ < text_.size()) {
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

std::int64_t CsvReader::integer(std::size_t column) const {
    const std::string_view text = field(column);
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure == std::errc() && end == text.data() + text.size()) return value;
    return number<std::int64_t>(text, "a whole number", names_[column], where());
}

double CsvReader::real(std::size_t column) const {
    return number<double>(field(column), "a number", names_[column], where());
}

double CsvReader::fraction() const {
    return text_.empty() ? 1.0 : static_cast<double>(at_) / static_cast<double>(text_.size());
}

std::vector<std::string> csv_columns(const fs::path& file) {
    std::string beginning(longest_header, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    beginning.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    std::string_view rest = beginning;
    if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        // The line goes on behind what was read.
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
    return fmt::format("{}, line {}", file_.string(), line_);
}

}  // namespace ks::io
