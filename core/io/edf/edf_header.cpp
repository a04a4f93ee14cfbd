#include "core/io/edf/edf_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/printable.h"
#include "core/base/trimmed.h"
#include "core/io/files/regular_file.h"

namespace ks::io {
namespace {

constexpr std::size_t longest_edf_header = std::size_t{1} << 20;

struct EdfType {
    std::string_view name;  ///< in small letters
    ElementType type;
    bool byte = false;
};
constexpr std::array<EdfType, 27> edf_types{{{"signedbyte", ElementType::i16, true},
                                             {"signed8", ElementType::i16, true},
                                             {"unsignedbyte", ElementType::u8},
                                             {"unsigned8", ElementType::u8},
                                             {"signedshort", ElementType::i16},
                                             {"signed16", ElementType::i16},
                                             {"unsignedshort", ElementType::u16},
                                             {"unsigned16", ElementType::u16},
                                             {"unsignedshortinteger", ElementType::u16},
                                             {"signedinteger", ElementType::i32},
                                             {"signed32", ElementType::i32},
                                             {"signedlong", ElementType::i32},
                                             {"unsignedinteger", ElementType::u32},
                                             {"unsigned32", ElementType::u32},
                                             {"unsignedlong", ElementType::u32},
                                             {"signed64", ElementType::i64},
                                             {"unsigned64", ElementType::u64},
                                             {"float", ElementType::f32},
                                             {"floatvalue", ElementType::f32},
                                             {"floatieee32", ElementType::f32},
                                             {"float32", ElementType::f32},
                                             {"real", ElementType::f32},
                                             {"double", ElementType::f64},
                                             {"doublevalue", ElementType::f64},
                                             {"doubleieee64", ElementType::f64},
                                             {"floatieee64", ElementType::f64},
                                             {"float64", ElementType::f64}}};

/// Errors about one header.
struct Place {
    FileContent& content;
    std::size_t image;

    Error wrong(const std::string& message) const {
        return Error(ErrorKind::input, fmt::format("image {}: {}", image, message), content.file().string());
    }
};

/// The text between the braces that begin at `at`, and where its line ends; nothing if no brace begins there.
struct Block {
    std::string text;
    std::uint64_t end;
};
std::optional<Block> block_at(std::uint64_t at, const Place& place) {
    for (std::size_t length = edf_start; length <= longest_edf_header; length *= 4) {
        const std::string bytes = place.content.peek(at, length);
        const std::size_t start = bytes.find_first_not_of("\r\n");
        if (start == std::string::npos || bytes[start] != '{') return std::nullopt;
        for (std::size_t close = bytes.find('}', start); close != std::string::npos;
             close = bytes.find('}', close + 1)) {
            const std::size_t line = bytes.find_first_not_of('\r', close + 1);
            if (line != std::string::npos && bytes[line] == '\n')
                return Block{bytes.substr(start + 1, close - start - 1), at + line + 1};
        }
        if (bytes.size() < length) break;
    }
    throw place.wrong(
        fmt::format("expected the end of a header, '}}' and a new line, within {} bytes, found none",
                    longest_edf_header));
}

/// "key = value ;" one after another. Of equal keys the last one counts.
std::map<std::string, std::string> fields_of(std::string_view text) {
    std::map<std::string, std::string> fields;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        std::string part(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        std::ranges::replace(part, '\n', ' ');
        std::ranges::replace(part, '\0', ' ');
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos) continue;
        const std::string_view whole = part;
        fields.insert_or_assign(in_small_letters(trimmed(whole.substr(0, equals))),
                                std::string(trimmed(whole.substr(equals + 1))));
    }
    return fields;
}

std::string text_in(const EdfHeader& header, const char* small_name) {
    const auto found = header.fields.find(small_name);
    return found == header.fields.end() ? std::string() : found->second;
}

std::optional<std::uint64_t> whole_number(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::size_t size_in(const EdfHeader& header, const char* name, const Place& place) {
    const std::string text = text_in(header, in_small_letters(name).c_str());
    if (const auto number = whole_number(text); number && *number > 0) return *number;
    throw place.wrong(fmt::format("expected a whole number above 0 in {}, found {}", name,
                                  text.empty() ? "none" : "\"" + printable(text) + "\""));
}

void read_type(EdfHeader& header, const Place& place) {
    const std::string name = text_in(header, "datatype"), order = text_in(header, "byteorder");
    const auto type = std::ranges::find(edf_types, in_small_letters(name), &EdfType::name);
    if (type == edf_types.end())
        throw place.wrong(
            fmt::format("expected a DataType such as UnsignedShort, SignedInteger or FloatValue, "
                        "found {}",
                        name.empty() ? "none" : "\"" + printable(name) + "\""));
    header.type = type->type;
    header.byte = type->byte;
    header.swapped = in_small_letters(order) == "highbytefirst";
    if (!header.swapped && in_small_letters(order) != "lowbytefirst" && header.value_bytes() > 1)
        throw place.wrong(fmt::format("expected a ByteOrder of LowByteFirst or HighByteFirst, found {}",
                                      order.empty() ? "none" : "\"" + printable(order) + "\""));
}

void read_sizes(EdfHeader& header, const Place& place) {
    const std::string packed = text_in(header, "compression"), small = in_small_letters(packed);
    if (!small.empty() && small != "none" && small != "no")
        throw place.wrong("expected an image that is not compressed, found Compression \"" +
                          printable(packed) + "\"");
    header.width = size_in(header, "Dim_1", place);
    header.height = header.fields.contains("dim_2") ? size_in(header, "Dim_2", place) : 1;
    if (header.fields.contains("dim_3") && size_in(header, "Dim_3", place) != 1)
        throw place.wrong("expected images of 2 dimensions, found Dim_3 = " +
                          printable(text_in(header, "dim_3")));
    const std::uint64_t bytes = array_bytes(header.value_bytes(), {header.height, header.width});
    std::uint64_t stored = bytes;
    for (const char* name : {"edf_binarysize", "size"})
        if (const auto number = whole_number(text_in(header, name))) {
            stored = *number;
            break;
        }
    if (stored < bytes)
        throw place.wrong(fmt::format("expected {} bytes for {} x {} pixels, found a size of {}", bytes,
                                      header.height, header.width, stored));
    const std::uint64_t left = place.content.available(header.data_at, stored);
    if (left < bytes)
        throw place.wrong(
            fmt::format("expected {} bytes for {} x {} pixels, found {} before the end of the file", bytes,
                        header.height, header.width, left));
    header.end = header.data_at + left;
}

/// A block that states what the images behind it have in common.
bool is_common(const EdfHeader& header) {
    const bool sized = header.fields.contains("dim_1") || header.fields.contains("datatype");
    if (!header.fields.contains("edf_dataformatversion"))
        return !sized && !header.fields.contains("size") && !header.fields.contains("image");
    return !sized || whole_number(text_in(header, "edf_binarysize")).value_or(0) == 0;
}

}  // namespace

EdfHeaders::EdfHeaders(FileContent& content) : content_(content) {
    require_regular(content.file(), "an EDF file");
}

bool is_edf(std::string_view start) {
    const std::size_t brace = start.find_first_not_of("\r\n");
    if (brace == std::string_view::npos || start[brace] != '{') return false;
    const std::string small = in_small_letters(start);
    return small.find('=') != std::string::npos &&
           (small.find("dim_1") != std::string::npos || small.find("headerid") != std::string::npos ||
            small.find("edf_") != std::string::npos);
}

std::optional<EdfHeader> EdfHeaders::next() {
    const Place place{content_, image_};
    while (const std::optional<Block> block = block_at(at_, place)) {
        EdfHeader header;
        header.fields = fields_of(block->text);
        header.data_at = block->end;
        if (is_common(header)) {
            at_ = block->end + whole_number(text_in(header, "edf_binarysize")).value_or(0);
            for (const auto& [key, value] : header.fields)
                if (!key.starts_with("edf_") && key != "size" && key != "image" && key != "headerid")
                    common_.insert_or_assign(key, value);
            continue;
        }
        header.fields.insert(common_.begin(), common_.end());
        read_type(header, place);
        read_sizes(header, place);
        at_ = header.end;
        ++image_;
        return header;
    }
    return std::nullopt;
}

}  // namespace ks::io
