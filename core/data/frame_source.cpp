#include "core/data/frame_source.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "core/base/error.h"

namespace ks {

MemoryFrames::MemoryFrames(std::string name, Array stack, std::optional<double> frame_time)
    : name_(std::move(name)), stack_(std::move(stack)), frame_time_(frame_time) {
    if (stack_.rank() != 3)
        throw Error(ErrorKind::input,
                    "frames must be [frame][y][x], found " + std::to_string(stack_.rank()) + " dimensions",
                    name_);
    static std::atomic<std::uint64_t> next{1};
    identity_ = "memory:" + std::to_string(next++);
}

void MemoryFrames::read(std::size_t first, std::size_t count, std::span<std::byte> into) {
    if (first + count > frames() || into.size() != count * frame_bytes())
        throw Error(ErrorKind::run, "frames outside of the stack were asked for", name_);
    if (!into.empty()) std::memcpy(into.data(), stack_.bytes().data() + first * frame_bytes(), into.size());
}

}  // namespace ks
