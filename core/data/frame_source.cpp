#include "core/data/frame_source.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <utility>

#include "core/base/error.h"

namespace ks {

void FrameSource::read(std::size_t first, std::size_t count, std::span<std::byte> into) {
    if (count > frames() || first > frames() - count || into.size() != count * frame_bytes())
        throw Error(ErrorKind::run,
                    fmt::format("{} frames starting at frame {} were requested, but there are only {} "
                                "frames, counted from 0",
                                count, first, frames()),
                    name());
    if (count > 0) read_frames(first, count, into);
}

MemoryFrames::MemoryFrames(std::string name, Array stack, std::optional<double> frame_time)
    : name_(std::move(name)), stack_(std::move(stack)), frame_time_(frame_time) {
    if (stack_.rank() != 3)
        throw Error(ErrorKind::input,
                    "a stack of frames must have 3 dimensions, [frame][y][x], found " +
                        std::to_string(stack_.rank()) + " dimensions",
                    name_);
    static std::atomic<std::uint64_t> next{1};
    identity_ = "memory:" + std::to_string(next++);
}

void MemoryFrames::read_frames(std::size_t first, std::size_t, std::span<std::byte> into) {
    if (!into.empty()) std::memcpy(into.data(), stack_.bytes().data() + first * frame_bytes(), into.size());
}

}  // namespace ks
