#include "core/io/npy/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/host_memory.h"
#include "core/io/files/atomic_file.h"
#include "core/io/npy/npy_header.h"
#include "core/io/swapped_bytes.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

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

/// Requires two dimensions, and a file that is as long as they imply.
void require_image(const NpyHeader& header, const fs::path& file) {
    const std::vector<std::size_t>& shape = header.shape;
    if (shape.size() != 2)
        throw npy_error(
            file, fmt::format("expected 2 dimensions, found {} [{}]", shape.size(), fmt::join(shape, ", ")));
    require_npy_length(header, file);
}

/// The next values, in file order.
void read_values(std::istream& in, const NpyHeader& header, Array& values, const fs::path& file) {
    std::vector<std::byte> bytes(header.dtype.byte ? values.size() : 0);
    const std::span<std::byte> into = header.dtype.byte ? std::span(bytes) : values.bytes();
    if (!in.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size())))
        throw npy_error(file, "the values cannot be read");
    for (std::size_t i = 0; i < bytes.size(); ++i)
        values.as<std::int16_t>()[i] = static_cast<std::int8_t>(bytes[i]);
    if (header.swapped && !header.dtype.byte) swap_bytes(values.bytes(), size_of(header.dtype.type));
}

}  // namespace

Array read_npy(const fs::path& file, const ShapeCheck& fits) {
    std::ifstream in = open_npy(file);
    const NpyHeader header = read_npy_header(in, file);
    require_image(header, file);
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
    std::ifstream in = open_npy(file);
    const NpyHeader header = read_npy_header(in, file);
    require_image(header, file);
    for (std::size_t left = header.shape[0] * header.shape[1]; left > 0;) {
        Array values(header.dtype.type, {std::min(piece, left)});
        read_values(in, header, values, file);
        take(values);
        left -= values.size();
    }
}

void write_npy(AtomicFile& file, const Array& values) {
    const auto row = std::ranges::find_if(npy_dtypes, [&](const NpyDtype& dtype) {
        return dtype.type == values.type() && dtype.name[0] != 'b' && !dtype.byte;
    });
    std::string header =
        fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                    size_of(values.type()) == 1 ? '|' : '<', row->name, fmt::join(values.shape(), ", "));
    // Magic, version, length and header together are padded to a multiple of 64 bytes.
    constexpr std::size_t before = 10, block = 64;
    header.append(block - (before + header.size() + 1) % block, ' ');
    header.push_back('\n');
    std::string start(npy_magic);
    start += {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
    file.write(start + header);
    file.write(values.bytes());
}

}  // namespace ks::io
