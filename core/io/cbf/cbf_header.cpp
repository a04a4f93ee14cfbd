#include "core/io/cbf/cbf_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/trimmed.h"
#include "core/io/files/regular_file.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view data_mark = "\x0c\x1a\x04\xd5", section_mark = "--CIF-BINARY-FORMAT-SECTION--";
constexpr std::size_t usual_text = std::size_t{1} << 12,
                      longest_text = std::size_t{1} << 20;  ///< in front of an image

struct CbfType {
    std::string_view name;
    ElementType type;
    bool byte = false;
};
constexpr std::array<CbfType, 8> cbf_types{{{"signed 32-bit integer", ElementType::i32},
                                            {"unsigned 32-bit integer", ElementType::u32},
                                            {"signed 16-bit integer", ElementType::i16},
                                            {"unsigned 16-bit integer", ElementType::u16},
                                            {"signed 8-bit integer", ElementType::i16, true},
                                            {"unsigned 8-bit integer", ElementType::u8},
                                            {"signed 64-bit integer", ElementType::i64},
                                            {"unsigned 64-bit integer", ElementType::u64}}};

Error wrong(const fs::path& file, const std::string& message) {
    return Error(ErrorKind::input, message, file.string());
}

/// The fields in front of an image, by their names in small letters. A line that begins with a blank
/// continues the one before.
std::map<std::string, std::string> section_fields(std::string_view text) {
    std::map<std::string, std::string> fields;
    std::string* last = nullptr;
    for (const std::string_view line : lines_in(text)) {
        if (line.starts_with(' ') || line.starts_with('\t')) {
            if (last) *last += ' ' + std::string(trimmed(line));
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        last = &fields[in_small_letters(trimmed(line.substr(0, colon)))];
        *last = trimmed(line.substr(colon + 1));
    }
    return fields;
}

std::string_view without_quotes(std::string_view text) {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    return text;
}

std::uint64_t number_in(const std::map<std::string, std::string>& fields, const std::string& name,
                        const fs::path& file) {
    const auto found = fields.find(in_small_letters(name));
    const std::string text = found == fields.end() ? std::string() : found->second;
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure == std::errc() && end == text.data() + text.size() && number > 0) return number;
    throw wrong(file, fmt::format("expected a whole number above 0 in {}, found {}", name,
                                  text.empty() ? "none" : "\"" + printable(text) + "\""));
}

void require_byte_offset(const std::map<std::string, std::string>& fields, const fs::path& file) {
    const auto found = fields.find("content-type");
    const std::string type = found == fields.end() ? std::string() : found->second;
    constexpr std::string_view key = "conversions=";
    const std::size_t at = type.find(key);
    const std::string_view compression =
        at == std::string::npos ? "none"
                                : without_quotes(trimmed(std::string_view(type).substr(at + key.size())));
    if (in_small_letters(compression) != "x-cbf_byte_offset")
        throw Error(ErrorKind::input,
                    fmt::format("expected an image with the compression x-CBF_BYTE_OFFSET, found {}",
                                printable(compression)),
                    file.string());
}

const CbfType& type_in(const std::map<std::string, std::string>& fields, const fs::path& file) {
    const auto found = fields.find("x-binary-element-type");
    const std::string name = found == fields.end() ? "none" : in_small_letters(without_quotes(found->second));
    const auto type = std::ranges::find(cbf_types, name, &CbfType::name);
    if (type != cbf_types.end()) return *type;
    throw wrong(file, fmt::format("expected pixels of integers of 8 to 64 bits in X-Binary-Element-Type, "
                                  "found \"{}\"",
                                  printable(name)));
}

/// Lines such as "# Detector_distance 0.10000 m", "# Beam_xy (243.12, 309.12) pixels", "# Wavelength = 1.5
/// A".
void take_comments(std::string_view text, CbfHeader& header) {
    for (std::string_view line : lines_in(text)) {
        if (!line.starts_with('#')) continue;
        std::string plain(line);
        for (char& c : plain)
            if (std::string_view("#:=,()\t\r").find(c) != std::string_view::npos) c = ' ';
        const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
        plain.erase(std::unique(plain.begin(), plain.end(), both_blank), plain.end());
        const std::string_view words = trimmed(plain);
        const std::size_t end = std::min(words.find(' '), words.size());
        header.fields.emplace(words.substr(0, end), trimmed(words.substr(end)));
    }
}

}  // namespace

CbfHeader read_cbf_header(FileContent& content) {
    const fs::path& file = content.file();
    require_regular(file, "a CBF file");
    // A series opens a file for each frame: no more is read of it than needed.
    std::string start;
    std::size_t data = std::string::npos;
    for (std::size_t length = usual_text; data == std::string::npos && length <= longest_text; length *= 4) {
        start = content.peek(0, length);
        if (!start.starts_with(cbf_magic)) throw wrong(file, "not a CBF file");
        data = start.find(data_mark);
        if (start.size() < length) break;
    }
    const std::string_view text = std::string_view(start).substr(0, std::min(data, start.size()));
    const std::size_t section = text.rfind(section_mark);
    if (data == std::string::npos || section == std::string_view::npos)
        throw wrong(file,
                    fmt::format("expected an image in binary form within the first {} bytes, found none",
                                longest_text));
    const auto fields = section_fields(text.substr(section + section_mark.size()));
    require_byte_offset(fields, file);
    CbfHeader header;
    const CbfType& type = type_in(fields, file);
    header.type = type.type;
    header.byte = type.byte;
    header.data_at = data + data_mark.size();
    header.data_bytes = number_in(fields, "X-Binary-Size", file);
    header.width = number_in(fields, "X-Binary-Size-Fastest-Dimension", file);
    header.height = number_in(fields, "X-Binary-Size-Second-Dimension", file);
    if (fields.contains("x-binary-size-third-dimension") &&
        number_in(fields, "X-Binary-Size-Third-Dimension", file) != 1)
        throw wrong(file, "expected one image, found X-Binary-Size-Third-Dimension " +
                              printable(fields.at("x-binary-size-third-dimension")));
    // Each value takes one byte at least.
    if (header.height > header.data_bytes / header.width)
        throw wrong(file, fmt::format("expected at least one byte for each of {} x {} pixels, found {} bytes",
                                      header.height, header.width, header.data_bytes));
    if (const std::uint64_t values = number_in(fields, "X-Binary-Number-of-Elements", file);
        values != std::uint64_t{header.height} * header.width)
        throw wrong(file, fmt::format("expected {} x {} values, found X-Binary-Number-of-Elements {}",
                                      header.height, header.width, values));
    if (const std::uint64_t left = content.available(header.data_at, header.data_bytes);
        left < header.data_bytes)
        throw wrong(file,
                    fmt::format("expected an image of {} bytes, found only {} bytes before the end of the "
                                "file",
                                header.data_bytes, left));
    take_comments(text.substr(0, section), header);
    return header;
}

}  // namespace ks::io
