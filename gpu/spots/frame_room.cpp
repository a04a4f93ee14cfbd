#include "gpu/spots/frame_room.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

std::string layout_text(const SpotProblem& problem) {
    const PlaneShape shape = shape_of(problem);
    std::string text = fmt::format("{}x{}x{}", shape.modules, shape.height, shape.width);
    for (const auto& origin : problem.layout().origins) text += fmt::format(" {},{}", origin.y, origin.x);
    return text;
}

}  // namespace

FrameRoom FrameRoom::of(const RoomNeeds& needs, std::size_t batches, const LaunchContext& context) {
    const std::uint64_t budget = context.budget(), smallest = needs.once + needs.slot + needs.plane;
    if (budget < smallest)
        throw Error(ErrorKind::input,
                    fmt::format("{} needs {} bytes on the device for one frame, but only {} are available",
                                context.variant().id, smallest, budget),
                    "memory-limit", fmt::format("set a limit of at least {} bytes", smallest));
    const std::size_t slots = batches > 1 && budget >= needs.once + 2 * (needs.slot + needs.plane) ? 2 : 1;
    const std::uint64_t left = budget - needs.once - slots * needs.slot;
    if (left / needs.plane >= batches) return {slots, batches};
    return {slots, static_cast<std::size_t>(left / needs.plane - slots)};
}

void make_room(DeviceContext& device, std::uint64_t budget, const std::vector<std::string>& keys,
               const std::vector<std::uint64_t>& key_bytes, std::uint64_t others) {
    std::uint64_t missing = others;
    // The last one requested is dropped last when room is made.
    for (std::size_t i = keys.size(); i-- > 0;)
        if (device.find_resident(keys[i]) == nullptr) missing += key_bytes[i];
    device.shrink_resident(budget - std::min(budget, missing));
}

std::string frames_key(const SpotProblem& problem, std::size_t first, std::size_t last) {
    return fmt::format("spots {} frames {} to {} as {}", problem.shared()->key(), first, last,
                       layout_text(problem));
}

std::string mask_key(const SpotProblem& problem) {
    return fmt::format("spots mask {} as {}", problem.mask_key(), layout_text(problem));
}

}  // namespace ks::gpu::spots
