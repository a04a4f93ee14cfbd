#include "core/spots/host_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/base/host_memory.h"

namespace ks::spots {

std::size_t frames_at_once(const SpotProblem& problem, const HostContext& context, std::size_t wanted) {
    const std::uint64_t frame = problem.frame_bytes(), pixels = problem.ignore().size();
    const std::uint64_t cut = &problem.ignore_cut() == &problem.ignore() ? 0 : problem.ignore_cut().size();
    const SharedFrames& shared = *problem.shared();
    const bool stay = shared.keeps() || !shared.in_memory().empty();
    const std::uint64_t held = pixels + cut + pixels / 8 + (stay ? problem.frames() * frame : 0);
    require_within(context.memory_limit, held + (stay ? 0 : frame),
                   stay ? fmt::format("{} frames and their mask on the host", problem.frames())
                        : std::string("a frame and its mask on the host"),
                   shared.source().name());
    if (stay || frame == 0) return wanted;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>((context.memory_limit - held) / frame, 1,
                                                              std::max<std::size_t>(wanted, 1)));
}

}  // namespace ks::spots
