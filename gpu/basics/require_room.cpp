#include "gpu/basics/require_room.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/host_memory.h"

namespace ks::gpu::basics {

void require_room(const LaunchContext& context, std::uint64_t bytes, std::uint64_t largest,
                  const std::string& what, const std::string& hint) {
    const std::uint64_t one = context.info().largest_allocation;
    if (bytes <= context.budget() && largest <= one) return;
    const bool in_all = bytes > context.budget();
    throw Error(ErrorKind::input,
                fmt::format("{} need {}{}, more than the {} available on {}", what,
                            memory_text(in_all ? bytes : largest), in_all ? "" : " in one buffer",
                            memory_text(in_all ? context.budget() : one), context.info().name),
                context.request().analysis, hint);
}

}  // namespace ks::gpu::basics
