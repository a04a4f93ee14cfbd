#include "core/kernels/private_memory.h"

#include <algorithm>
#include <array>

namespace ks {
namespace {

/// Drivers whose CL_KERNEL_PRIVATE_MEM_SIZE is a constant: quirk constant_private_memory.
struct ConstantPrivateMemory {
    const char* platform;
    const char* why;
};
constexpr std::array constant_drivers{ConstantPrivateMemory{
    "Portable Computing Language",
    "PoCL reports the same private memory for every kernel, so it is not shown: on a processor, a work-item "
    "keeps its values in registers and on the stack of the thread that runs its group."}};

}  // namespace

std::string why_private_memory_is_not_told(const DeviceInfo& device) {
    const auto known = std::ranges::find_if(constant_drivers, [&](const ConstantPrivateMemory& one) {
        return device.platform_name == one.platform;
    });
    return known == constant_drivers.end() ? std::string() : known->why;
}

std::optional<std::uint64_t> private_memory_of(const KernelResources& kernel, const DeviceInfo& device) {
    if (!why_private_memory_is_not_told(device).empty()) return std::nullopt;
    return kernel.private_bytes;
}

}  // namespace ks
