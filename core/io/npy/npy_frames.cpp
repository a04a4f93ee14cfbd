#include "core/io/npy/npy_frames.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/io/files/file_bytes.h"
#include "core/io/files/file_stamp.h"

namespace ks::io {
namespace {

/// [x][y] to [y][x].
void transpose(std::span<const std::byte> from, std::span<std::byte> to, std::size_t height,
               std::size_t width, std::size_t size) {
    for (std::size_t x = 0; x < width; ++x)
        for (std::size_t y = 0; y < height; ++y)
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>((x * height + y) * size), size,
                        to.begin() + static_cast<std::ptrdiff_t>((y * width + x) * size));
}

}  // namespace

std::optional<std::string> why_not_frames(const NpyHeader& header) {
    if (header.dtype.name.starts_with('b'))
        return fmt::format("expected pixels of type {}, found booleans", frame_types);
    if (const auto why = why_not_stack(header.shape)) return why;
    if (header.fortran && header.shape.size() == 3 && header.shape[0] > 1)
        return "expected a stack in C order, one frame after another, found Fortran order, in which the "
               "frames are interleaved";
    return std::nullopt;
}

NpyFrames::NpyFrames(DataName given) : StoredFrames(std::move(given)) {
    // Before the header is read, so that a change in between is detected.
    files_.add(name_.file);
    identity_ = file_stamp(name_.file);
    std::ifstream in = open_npy(name_.file);
    header_ = read_npy_header(in, name_.file);
    if (const auto why = why_not_frames(header_))
        throw Error(
            ErrorKind::input, *why, name(),
            header_.fortran && header_.shape.size() == 3 ? "save numpy.ascontiguousarray(frames)" : "");
    set_stack(header_.shape, header_.dtype.type);
    require_npy_length(header_, name_.file);
}

void NpyFrames::read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) {
    const std::size_t size = header_.dtype.bytes(), values = count * pixels();
    const std::uint64_t at = header_.values_at + std::uint64_t{first} * pixels() * size;
    // Bytes that will be widened to two bytes each are read into the second half.
    const std::span<std::byte> bytes = into.last(values * size);
    if (header_.fortran) {
        require_memory(bytes.size(), fmt::format("a frame of {} x {} pixels", height(), width()), name());
        std::vector<std::byte> columns(bytes.size());
        read_bytes_at(name_.file, at, columns, name());
        transpose(columns, bytes, height(), width(), size);
    } else {
        read_bytes_at(name_.file, at, bytes, name());
    }
    if (header_.dtype.byte) {
        auto* wide = reinterpret_cast<std::int16_t*>(into.data());
        for (std::size_t i = 0; i < values; ++i) wide[i] = static_cast<std::int8_t>(bytes[i]);
    } else if (header_.swapped) {
        swap_npy_bytes(bytes, size);
    }
}

}  // namespace ks::io
