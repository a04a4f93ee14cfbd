#include "core/io/hdf5/stack_axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "core/io/hdf5/hdf5.h"
#include "core/io/stored_frames.h"

namespace ks::io::h5 {

std::optional<std::string> StackAxes::why_not(const std::vector<std::size_t>& shape,
                                              std::optional<std::size_t> scan) {
    if (scan && shape.size() != most_axes)
        return fmt::format("expected [scan, frame, y, x], found {} dimension{} [{}]", shape.size(),
                           shape.size() == 1 ? "" : "s", fmt::join(shape, ", "));
    if (shape.size() != most_axes) return why_not_stack(shape);
    if (const auto why = why_not_stack({shape[0] * shape[1], shape[2], shape[3]})) return why;
    if (scan && *scan >= shape[0])
        return fmt::format("expected a scan from 0 to {}, found {}", shape[0] - 1, *scan);
    if (!scan && shape[1] != 1)
        return fmt::format(
            "expected [frame, y, x] or one scan, found {} scans of {} frames [{}]: name one as "
            "FILE::/path[0]",
            shape[0], shape[1], fmt::join(shape, ", "));
    return std::nullopt;
}

std::optional<StackAxes> StackAxes::of(const std::vector<std::size_t>& shape,
                                       std::optional<std::size_t> scan) {
    if (why_not(shape, scan)) return std::nullopt;
    StackAxes axes;
    axes.rank_ = shape.size();
    axes.scan_ = scan;
    axes.width_ = shape[shape.size() - 1];
    axes.height_ = shape[shape.size() - 2];
    if (shape.size() > 2) axes.frames_ = shape[scan ? 1 : 0];
    return axes;
}

StackAxes::Place StackAxes::place(std::size_t frame, std::size_t y, std::size_t x) const {
    if (rank_ == 2) return {y, x};
    if (rank_ == 3) return {frame, y, x};
    if (scan_) return {*scan_, frame, y, x};
    return {frame, 0, y, x};
}

StackAxes::Place StackAxes::extent(std::size_t frames, std::size_t height, std::size_t width) const {
    if (rank_ == 2) return {height, width};
    if (rank_ == 3) return {frames, height, width};
    if (scan_) return {1, frames, height, width};
    return {frames, 1, height, width};
}

std::optional<std::array<std::size_t, 3>> StackAxes::chunk(const Place& extent) const {
    if (rank_ == 2) return std::array<std::size_t, 3>{1, extent[0], extent[1]};
    if (rank_ == 3) return std::array<std::size_t, 3>{extent[0], extent[1], extent[2]};
    const std::size_t fixed = scan_ ? 0 : 1, frames = scan_ ? 1 : 0;
    if (extent[fixed] != 1) return std::nullopt;
    return std::array<std::size_t, 3>{extent[frames], extent[2], extent[3]};
}

ScanName ScanName::of(hid_t file, const std::string& object) {
    const std::size_t open = object.rfind('[');
    if (open == std::string::npos || open == 0 || !object.ends_with("]")) return {object, std::nullopt};
    const char *const first = object.data() + open + 1, *const last = object.data() + object.size() - 1;
    std::size_t scan = 0;
    const auto [end, failure] = std::from_chars(first, last, scan);
    if (failure != std::errc() || end != last || first == last) return {object, std::nullopt};
    if (exists(file, object)) return {object, std::nullopt};
    return {object.substr(0, open), scan};
}

}  // namespace ks::io::h5
