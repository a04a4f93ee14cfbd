#include "core/io/npy/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/regular_file.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view magic = "\x93NUMPY";
static_assert(std::endian::native == std::endian::little);

/// NumPy's kind and size, the type that holds it here, and whether it is an i1, which has none.
struct Dtype {
    std::string_view name;
    ElementType type;
    bool byte = false;
};
constexpr std::array<Dtype, 11> dtypes{{{"b1", ElementType::u8},
                                        {"u1", ElementType::u8},
                                        {"i1", ElementType::i16, true},
                                        {"u2", ElementType::u16},
                                        {"i2", ElementType::i16},
                                        {"u4", ElementType::u32},
                                        {"i4", ElementType::i32},
                                        {"u8", ElementType::u64},
                                        {"i8", ElementType::i64},
                                        {"f4", ElementType::f32},
                                        {"f8", ElementType::f64}}};

struct Header {
    Dtype dtype;
    bool swapped = false, fortran = false;
    std::vector<std::size_t> shape;
};

Error wrong(const fs::path& file, const std::string& message) {
    return Error(ErrorKind::input, message, file.string());
}

/// What follows 'KEY': in the header's dictionary.
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
    throw wrong(file, fmt::format("the NumPy header has no {}", key));
}

Dtype dtype_of(std::string_view value, bool& swapped, const fs::path& file) {
    if (value.starts_with('['))
        throw wrong(file, "expected an array of integers or floats, found a structured dtype with fields");
    const char quote = value.front();
    const std::size_t end = quote == '\'' || quote == '"' ? value.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) throw wrong(file, "the NumPy header has no readable dtype");
    const std::string_view text = value.substr(1, end - 1);
    swapped = text.starts_with('>');
    const std::string_view name = text.substr(std::min<std::size_t>(1, text.size()));
    const auto found = std::ranges::find(dtypes, name, &Dtype::name);
    if (name.empty() || found == dtypes.end())
        throw wrong(file, fmt::format("expected an array of integers or floats, found dtype {}", text));
    return *found;
}

std::vector<std::size_t> shape_of(std::string_view value, const fs::path& file) {
    std::vector<std::size_t> shape;
    const std::size_t end = value.find(')');
    if (!value.starts_with('(') || end == std::string_view::npos)
        throw wrong(file, "the NumPy header has no readable shape");
    const char* at = value.data() + 1;
    const char* const last = value.data() + end;
    while (true) {
        while (at < last && (*at == ' ' || *at == ',')) ++at;
        if (at == last) return shape;
        const auto [next, failure] = std::from_chars(at, last, shape.emplace_back());
        if (failure != std::errc()) throw wrong(file, "the NumPy header has no readable shape");
        at = *next == 'L' ? next + 1 : next;
    }
}

Header read_header(std::istream& in, const fs::path& file) {
    std::string start(8, '\0');
    in.read(start.data(), 8);
    if (!std::string_view(start).starts_with(magic))
        throw wrong(file, "expected a NumPy file, found something else");
    if (in.gcount() < 8) throw wrong(file, "the NumPy file ends early, within its header");
    const int version = static_cast<unsigned char>(start[6]);
    if (version < 1 || version > 3)
        throw wrong(file, fmt::format("expected NumPy format 1 to 3, found {}", version));
    std::array<unsigned char, 4> bytes{};
    in.read(reinterpret_cast<char*>(bytes.data()), version == 1 ? 2 : 4);
    const std::size_t length =
        bytes[0] | std::size_t{bytes[1]} << 8 | std::size_t{bytes[2]} << 16 | std::size_t{bytes[3]} << 24;
    // NumPy itself refuses headers of more than 10,000 bytes.
    if (in && length > 1'000'000) throw wrong(file, "the NumPy header is damaged");
    std::string text(length, '\0');
    if (!in || !in.read(text.data(), static_cast<std::streamsize>(length)))
        throw wrong(file, "the NumPy file ends early, within its header");
    Header header;
    header.dtype = dtype_of(after_key(text, "descr", file), header.swapped, file);
    header.fortran = after_key(text, "fortran_order", file).starts_with("True");
    header.shape = shape_of(after_key(text, "shape", file), file);
    return header;
}

void swap_bytes(std::span<std::byte> bytes, std::size_t size) {
    for (std::size_t at = 0; at + size <= bytes.size(); at += size)
        std::ranges::reverse(bytes.subspan(at, size));
}

/// [x][y] to [y][x].
Array transposed(const Array& from) {
    const std::size_t width = from.shape()[0], height = from.shape()[1];
    Array to(from.type(), {height, width});
    visit_element(from.type(), [&](auto zero) {
        using T = decltype(zero);
        const auto in = from.as<T>();
        const auto out = to.as<T>();
        for (std::size_t i = 0; i < height; ++i)
            for (std::size_t j = 0; j < width; ++j) out[i * width + j] = in[j * height + i];
    });
    return to;
}

/// Two dimensions, and a file that is as long as they say.
void require_image(const Header& header, std::istream& in, const fs::path& file) {
    const std::vector<std::size_t>& shape = header.shape;
    if (shape.size() != 2)
        throw wrong(
            file, fmt::format("expected 2 dimensions, found {} [{}]", shape.size(), fmt::join(shape, ", ")));
    const std::size_t size = header.dtype.byte ? 1 : size_of(header.dtype.type);
    const std::uintmax_t left = fs::file_size(file) - static_cast<std::uintmax_t>(in.tellg());
    if (shape[0] != 0 && shape[1] > left / size / shape[0])
        throw wrong(
            file,
            fmt::format("the NumPy file ends early: expected {} x {} values of {} bytes, found {} bytes",
                        shape[0], shape[1], size, left));
}

/// The next values, in the order of the file.
void read_values(std::istream& in, const Header& header, Array& values, const fs::path& file) {
    std::vector<std::byte> bytes(header.dtype.byte ? values.size() : 0);
    const std::span<std::byte> into = header.dtype.byte ? std::span(bytes) : values.bytes();
    if (!in.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size())))
        throw wrong(file, "the values cannot be read");
    for (std::size_t i = 0; i < bytes.size(); ++i)
        values.as<std::int16_t>()[i] = static_cast<std::int8_t>(bytes[i]);
    if (header.swapped && !header.dtype.byte) swap_bytes(values.bytes(), size_of(header.dtype.type));
}

std::ifstream opened(const fs::path& file) {
    require_regular(file, "a NumPy file");
    std::ifstream in(file, std::ios::binary);
    if (!in) throw wrong(file, "the file cannot be opened for reading");
    return in;
}

}  // namespace

NpyShape read_npy_shape(const fs::path& file) {
    std::ifstream in = opened(file);
    Header header = read_header(in, file);
    return {std::string(header.dtype.name), std::move(header.shape), header.fortran};
}

Array read_npy(const fs::path& file, const ShapeCheck& fits) {
    std::ifstream in = opened(file);
    const Header header = read_header(in, file);
    require_image(header, in, file);
    std::vector<std::size_t> shape = header.shape;
    if (header.fortran) std::swap(shape[0], shape[1]);
    if (fits) fits(header.shape);
    const std::size_t copies = header.fortran ? 2 : 1;
    require_memory(array_bytes(copies * size_of(header.dtype.type), shape),
                   fmt::format("an image of {} x {} values", shape[0], shape[1]), file.string());
    Array values(header.dtype.type, shape);
    read_values(in, header, values, file);
    return header.fortran ? transposed(values) : values;
}

void read_npy_pieces(const fs::path& file, const std::function<void(const Array&)>& take) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    std::ifstream in = opened(file);
    const Header header = read_header(in, file);
    require_image(header, in, file);
    for (std::size_t left = header.shape[0] * header.shape[1]; left > 0;) {
        Array values(header.dtype.type, {std::min(piece, left)});
        read_values(in, header, values, file);
        take(values);
        left -= values.size();
    }
}

void write_npy(AtomicFile& file, const Array& values) {
    const auto row = std::ranges::find_if(dtypes, [&](const Dtype& dtype) {
        return dtype.type == values.type() && dtype.name[0] != 'b' && !dtype.byte;
    });
    std::string header =
        fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                    size_of(values.type()) == 1 ? '|' : '<', row->name, fmt::join(values.shape(), ", "));
    // Magic, version, length and header together fill a multiple of 64 bytes.
    constexpr std::size_t before = 10, block = 64;
    header.append(block - (before + header.size() + 1) % block, ' ');
    header.push_back('\n');
    std::string start(magic);
    start += {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
    file.write(start + header);
    file.write(values.bytes());
}

}  // namespace ks::io
