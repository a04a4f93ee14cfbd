#include "core/io/npy/npy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "core/base/host_memory.h"
#include "core/io/files/regular_file.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little);

/// The text after 'KEY': in the header's dictionary.
std::string_view after_key(std::string_view header, std::string_view key, const fs::path& file) {
    for (const char quote : {'\'', '"'}) {
        const std::string quoted = fmt::format("{}{}{}", quote, key, quote);
        std::size_t at = header.find(quoted);
        if (at == std::string_view::npos) continue;
        at = header.find_first_not_of(" \t", at + quoted.size());
        if (at == std::string_view::npos || header[at] != ':') continue;
        at = header.find_first_not_of(" \t", at + 1);
        if (at != std::string_view::npos) return header.substr(at);
    }
    throw npy_error(file, fmt::format("the NumPy header has no {}", key));
}

NpyDtype dtype_of(std::string_view value, bool& swapped, const fs::path& file) {
    if (value.starts_with('['))
        throw npy_error(file,
                        "expected an array of integers or floats, found a structured dtype with fields");
    const char quote = value.front();
    const std::size_t end = quote == '\'' || quote == '"' ? value.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) throw npy_error(file, "the NumPy header has no readable dtype");
    const std::string_view text = value.substr(1, end - 1);
    swapped = text.starts_with('>');
    const std::string_view name = text.substr(std::min<std::size_t>(1, text.size()));
    const auto found = std::ranges::find(npy_dtypes, name, &NpyDtype::name);
    if (name.empty() || found == npy_dtypes.end())
        throw npy_error(file, fmt::format("expected an array of integers or floats, found dtype {}", text));
    return *found;
}

std::vector<std::size_t> shape_of(std::string_view value, const fs::path& file) {
    std::vector<std::size_t> shape;
    const std::size_t end = value.find(')');
    if (!value.starts_with('(') || end == std::string_view::npos)
        throw npy_error(file, "the NumPy header has no readable shape");
    const char* at = value.data() + 1;
    const char* const last = value.data() + end;
    while (true) {
        while (at < last && (*at == ' ' || *at == ',')) ++at;
        if (at == last) return shape;
        const auto [next, failure] = std::from_chars(at, last, shape.emplace_back());
        if (failure != std::errc()) throw npy_error(file, "the NumPy header has no readable shape");
        at = *next == 'L' ? next + 1 : next;
    }
}

bool is_true(std::string_view value, const fs::path& file) {
    if (value.starts_with("True")) return true;
    if (value.starts_with("False")) return false;
    throw npy_error(file, "the NumPy header has no readable fortran_order");
}

/// Requires only white space before and after the header's dictionary.
void require_dictionary(std::string_view header, const fs::path& file) {
    constexpr std::string_view white = " \t\r\n";
    const std::size_t first = header.find_first_not_of(white), last = header.find_last_not_of(white);
    if (first == std::string_view::npos || header[first] != '{' || header[last] != '}')
        throw npy_error(file, "the NumPy header is damaged: it is not a dictionary in braces");
}

}  // namespace

Error npy_error(const fs::path& file, const std::string& message) {
    return Error(ErrorKind::input, message, file.string());
}

NpyHeader read_npy_header(std::istream& in, const fs::path& file) {
    std::string start(8, '\0');
    in.read(start.data(), 8);
    if (!std::string_view(start).starts_with(npy_magic)) throw npy_error(file, "not a NumPy file");
    if (in.gcount() < 8) throw npy_error(file, "the NumPy file ends early, within its header");
    const int version = static_cast<unsigned char>(start[6]), minor = static_cast<unsigned char>(start[7]);
    if (version < 1 || version > 3 || minor != 0)
        throw npy_error(
            file, fmt::format("expected NumPy format 1 to 3, found {}",
                              minor == 0 ? fmt::to_string(version) : fmt::format("{}.{}", version, minor)));
    std::array<unsigned char, 4> bytes{};
    in.read(reinterpret_cast<char*>(bytes.data()), version == 1 ? 2 : 4);
    const std::size_t length =
        bytes[0] | std::size_t{bytes[1]} << 8 | std::size_t{bytes[2]} << 16 | std::size_t{bytes[3]} << 24;
    // NumPy itself rejects headers of more than 10,000 bytes.
    if (in && length > 1'000'000) throw npy_error(file, "the NumPy header is damaged");
    std::string text(length, '\0');
    if (!in || !in.read(text.data(), static_cast<std::streamsize>(length)))
        throw npy_error(file, "the NumPy file ends early, within its header");
    require_dictionary(text, file);
    NpyHeader header;
    header.dtype = dtype_of(after_key(text, "descr", file), header.swapped, file);
    header.fortran = is_true(after_key(text, "fortran_order", file), file);
    header.shape = shape_of(after_key(text, "shape", file), file);
    header.values_at = static_cast<std::uint64_t>(in.tellg());
    return header;
}

void require_npy_length(const NpyHeader& header, const fs::path& file) {
    const std::uintmax_t size = fs::file_size(file), left = size - std::min(size, header.values_at);
    if (array_bytes(header.dtype.bytes(), header.shape) <= left) return;
    throw npy_error(file,
                    fmt::format("the NumPy file ends early: expected {} values of {} bytes, found {} bytes",
                                fmt::join(header.shape, " x "), header.dtype.bytes(), left));
}

std::ifstream open_npy(const fs::path& file) {
    require_regular(file, "a NumPy file");
    std::ifstream in(file, std::ios::binary);
    if (!in) throw npy_error(file, "the file cannot be opened for reading");
    return in;
}

}  // namespace ks::io
