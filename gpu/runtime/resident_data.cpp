#include "gpu/runtime/resident_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/base/error.h"

namespace ks::gpu {
namespace {

constexpr std::uint64_t chunk_target = std::uint64_t{64} << 20;

void upload_in_chunks(LaunchContext& context, const ResidentInput& input, const Buffer& to) {
    StagingPlan plan = StagingPlan::of(context);
    plan.overlaps = false;  // nothing runs meanwhile
    if (plan.stages(input.bytes)) {
        StagedUpload(context, plan, input.granule).upload(staged_source(input), to, 0, input.bytes);
        return;
    }
    const std::uint64_t chunk = std::max(input.granule, chunk_target / input.granule * input.granule);
    std::vector<std::byte> staging(input.in_memory.empty() ? std::min(chunk, input.bytes) : 0);
    for (std::uint64_t at = 0; at < input.bytes; at += chunk) {
        const std::uint64_t size = std::min(chunk, input.bytes - at);
        std::span<const std::byte> from;
        if (input.in_memory.empty()) {
            const auto start = std::chrono::steady_clock::now();
            input.read(at, std::span(staging).first(size));
            const auto spent = std::chrono::steady_clock::now() - start;
            add(context.timings(), {"read", StageKind::read,
                                    static_cast<std::uint64_t>(spent / std::chrono::nanoseconds(1)), size});
            from = std::span(staging).first(size);
        } else {
            from = input.in_memory.subspan(at, size);
        }
        context.upload(input.stage, to, from, at);
    }
}

}  // namespace

StagedUpload::Source staged_source(const ResidentInput& input) {
    if (!input.in_memory.empty()) return StagedUpload::from_memory(input.stage, input.in_memory);
    return {.stage = input.stage, .fill_stage = "read", .fill_kind = StageKind::read, .fill = input.read};
}

std::shared_ptr<const Buffer> resident(LaunchContext& context, const ResidentInput& input,
                                       std::uint64_t others) {
    DeviceContext& device = context.device();
    if (auto known = device.find_resident(input.key)) {
        const std::uint64_t room = context.budget() - std::min(context.budget(), others);
        device.shrink_resident(room, input.key);
        return known;
    }
    const std::uint64_t needed = others + input.bytes;
    device.shrink_resident(context.budget() - std::min(context.budget(), needed));
    const bool borrows =
        device.memory()->on_host() && device.memory()->zones() == nullptr && device.trusts_kernels();
    if (input.owner && !input.in_memory.empty() && borrows)
        return device.keep_resident(input.key, Buffer(device.memory(), input.in_memory, input.owner));
    Buffer made = context.buffer(input.bytes);
    upload_in_chunks(context, input, made);
    if (made.zones()) made.zones()->note_input(made.cl());
    return device.keep_resident(input.key, std::move(made));
}

bool fits_resident(const LaunchContext& context, std::uint64_t bytes, std::uint64_t others) {
    return bytes + others <= context.budget() && bytes <= context.info().largest_allocation;
}

void require_resident(const LaunchContext& context, std::uint64_t bytes, std::uint64_t others,
                      const std::string& name, const std::string& hint) {
    if (fits_resident(context, bytes, others)) return;
    throw Error(ErrorKind::input,
                fmt::format("{} needs all frames on the device at once: {} bytes in one piece (at most {} "
                            "possible) and {} bytes in total ({} available)",
                            context.variant().id, bytes, context.info().largest_allocation, bytes + others,
                            context.budget()),
                name, hint);
}

}  // namespace ks::gpu
