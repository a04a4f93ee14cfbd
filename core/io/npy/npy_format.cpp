#include "core/io/frame_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/io/describe_contents.h"
#include "core/io/files/file_bytes.h"
#include "core/io/files/file_stamp.h"
#include "core/io/npy/npy.h"
#include "core/io/npy/npy_header.h"
#include "core/io/stored_frames.h"
#include "core/io/swapped_bytes.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

/// Frames of a NumPy array of rank 3 ([frame][y][x]) or 2 (one frame). The header is read once, values
/// frame by frame.
class NpyFrames : public StoredFrames {
  public:
    /// Throws ks::Error(input) naming the file: whatever read_npy() rejects, an array that is not a stack,
    /// booleans, or several frames in Fortran order.
    explicit NpyFrames(DataName name);

  private:
    void read_stored(std::size_t first, std::size_t count, std::span<std::byte> into) override;

    NpyHeader header_;
};

/// [x][y] to [y][x].
void transpose(std::span<const std::byte> from, std::span<std::byte> to, std::size_t height,
               std::size_t width, std::size_t size) {
    for (std::size_t x = 0; x < width; ++x)
        for (std::size_t y = 0; y < height; ++y)
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>((x * height + y) * size), size,
                        to.begin() + static_cast<std::ptrdiff_t>((y * width + x) * size));
}

/// Why frames cannot be read from it ("expected ..., found ..."); nothing if they can.
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
        swap_bytes(bytes, size);
    }
}

bool is_npy(const fs::path& file) {
    return peek_bytes(file, 0, npy_magic.size()) == npy_magic;
}

NpyHeader header_of(const fs::path& file) {
    std::ifstream in = open_npy(file);
    return read_npy_header(in, file);
}

/// "u16" is our name for NumPy's u2.
std::string type_of(const NpyHeader& header) {
    if (header.dtype.byte) return "i8";
    return header.dtype.name.starts_with('b') ? "bool" : name_of(header.dtype.type);
}

FileNode npy_tree(const fs::path& file) {
    const NpyHeader header = header_of(file);
    FileNode array;
    array.name = "array";
    array.kind = FileNode::Kind::dataset;
    array.type = type_of(header);
    array.shape = header.shape;
    array.layout = header.fortran ? "Fortran order" : "C order";
    array.points = may_be_points(header.shape);
    array.frames = !why_not_frames(header).has_value();
    return tree_of_one(file, std::move(array));
}

/// What the columns of an array of rank 2 contain if it may be points; else the range of all values.
std::string columns_of(const fs::path& file, const NpyHeader& header) {
    std::vector<ColumnRange> columns;
    if (may_be_points(header.shape))
        for (const char* name : {"x", "y", "z", "weight", "weight_im"})
            if (columns.size() < header.shape[1]) columns.push_back({name});
    if (columns.empty()) columns.push_back({"values"});
    std::size_t at = 0;
    const std::size_t rows = std::max<std::size_t>(header.shape[0], 1);
    read_npy_pieces(file, [&](const Array& piece) {
        for (const double value : piece.to_doubles()) {
            columns[(header.fortran ? at / rows : at) % columns.size()].take(value);
            ++at;
        }
    });
    return columns_text(columns);
}

std::string describe_npy(const DataName& name) {
    const NpyHeader header = header_of(name.file);
    std::string text = info_row("type", std::string(header.dtype.name));
    text += info_row("shape",
                     header.shape.empty() ? "scalar" : fmt::format("[{}]", fmt::join(header.shape, ", ")));
    if (header.fortran) text += info_row("order", "Fortran: the first index varies fastest");
    const bool image = header.shape.size() == 2;
    if (!image && header.shape.size() != 3)
        return text +
               info_row("can be", fmt::format("nothing in Kernelscope, because frames have 2 or 3 dimensions "
                                              "and images or points have 2, but this array has {}",
                                              header.shape.size()));
    if (image) {
        const std::string as_image = image_text(header.shape[0], header.shape[1]);
        text += info_row("can be", may_be_points(header.shape)
                                       ? fmt::format("{} points, or {}", header.shape[0], as_image)
                                       : as_image);
    }
    if (const auto why = why_not_frames(header)) {
        text += info_row("as frames", *why);
    } else {
        NpyFrames frames(name);
        text += info_row("as frames", frames_text(frames) + narrowing_text(header.dtype.type));
        if (!image) text += info_row("first frame", first_frame_text(frames));
    }
    return image ? text + columns_of(name.file, header) : text;
}

}  // namespace

FrameFormat npy_format() {
    FrameFormat format;
    format.id = "npy";
    format.title = "NumPy";
    format.noun = "a NumPy file";
    format.suffixes = {".npy"};
    format.tables = true;
    format.sniff = is_npy;
    format.open = open_as<NpyFrames>;
    format.tree = npy_tree;
    format.describe = describe_npy;
    format.read_image = read_npy;
    format.write_image = write_npy;
    return format;
}

}  // namespace ks::io
