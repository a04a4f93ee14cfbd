#include "gpu/xpcs/frames_on_device.h"

#include <fmt/format.h>

#include "core/run/error.h"

namespace ks::gpu::xpcs {

const Buffer& frames_on_device(LaunchContext& context, const CorrelationProblem& problem,
                               std::uint64_t others) {
    const std::uint64_t frame_bytes = problem.frames_bytes() / problem.frames();
    const auto read = [&problem, frame_bytes](std::uint64_t offset, std::span<std::byte> into) {
        problem.read(offset / frame_bytes, into.size() / frame_bytes, into);
    };
    return resident(context,
                    {problem.frames_key(), "upload frames", problem.frames_bytes(), frame_bytes,
                     problem.resident(), read},
                    others);
}

const char* cl_name(ElementType type) {
    switch (type) {
        case ElementType::u8:
            return "uchar";
        case ElementType::u16:
            return "ushort";
        case ElementType::u32:
            return "uint";
        case ElementType::u64:
            return "ulong";
        case ElementType::i16:
            return "short";
        case ElementType::i32:
            return "int";
        case ElementType::i64:
            return "long";
        case ElementType::f32:
            return "float";
        case ElementType::f64:
            break;
    }
    return "double";
}

bool fits_resident(const LaunchContext& context, const CorrelationProblem& problem, std::uint64_t others) {
    return problem.frames_bytes() + others <= context.budget() &&
           problem.frames_bytes() <= context.info().largest_allocation;
}

void require_resident(const LaunchContext& context, const CorrelationProblem& problem, std::uint64_t others) {
    if (fits_resident(context, problem, others)) return;
    throw Error(
        ErrorKind::input,
        fmt::format(
            "{} needs all frames on the device at once: {} bytes in one piece and {} in all, where {} "
            "and {} are to be had",
            context.variant().id, problem.frames_bytes(), problem.frames_bytes() + others,
            context.info().largest_allocation, context.budget()),
        problem.source_name(), "gram.tiled streams, or select fewer frames");
}

}  // namespace ks::gpu::xpcs
