#include "gpu/xpcs/frames_on_device.h"

namespace ks::gpu::xpcs {

std::shared_ptr<const Buffer> frames_on_device(LaunchContext& context, const CorrelationProblem& problem,
                                               std::uint64_t others) {
    const std::uint64_t frame_bytes = problem.frames_bytes() / problem.frames();
    const auto read = [&problem, frame_bytes](std::uint64_t offset, std::span<std::byte> into) {
        problem.read(offset / frame_bytes, into.size() / frame_bytes, into);
    };
    return resident(context,
                    {problem.frames_key(), "upload frames", problem.frames_bytes(), frame_bytes,
                     problem.resident(), read, problem.scan()},
                    others);
}

}  // namespace ks::gpu::xpcs
