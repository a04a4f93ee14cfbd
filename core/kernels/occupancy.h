#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/device_info.h"
#include "core/devices/device_property.h"
#include "core/run/build_log.h"

namespace ks {

/// What a compute unit offers to the groups that are resident at the same time.
struct ComputeUnitLimits {
    std::string name;  ///< "compute capability 9.0"
    std::uint64_t groups = 0, work_items = 0;
    std::uint64_t registers = 0, registers_of_item = 0;  ///< of 32 bits
    std::uint64_t register_unit = 0;  ///< registers of a warp are allocated in multiples of it
    std::uint64_t warp = 0;           ///< work-items per warp
    std::uint64_t local_bytes = 0, local_unit = 0, local_reserved = 0;  ///< reserved: per group
};

/// For NVIDIA devices by compute capability: CUDA C++ programming guide, "Technical specifications per
/// compute capability", and the occupancy calculator included with CUDA. Nothing for other devices and for
/// capabilities that are not listed here.
std::optional<ComputeUnitLimits> compute_unit_limits(const std::vector<DeviceProperty>& properties);

/// How many groups of a kernel are resident on a compute unit at the same time.
struct Occupancy {
    enum class Bound { groups, work_items, registers, local_memory };
    std::uint64_t groups = 0;
    std::uint64_t work_items = 0;  ///< of these groups
    double share = 0;              ///< of the work-items that a compute unit can hold
    std::vector<Bound> bounds;     ///< what prevents another group
};

/// Nothing if the registers are not known, or if a group is larger than a compute unit can hold.
/// @param group work-items per group
std::optional<Occupancy> occupancy(const KernelResources& kernel, std::uint64_t group,
                                   const ComputeUnitLimits& limits);

/// One sentence: how many groups are resident, which share of the possible number this is, and what limits
/// it; or why this is not known.
std::string occupancy_sentence(const KernelResources& kernel, std::uint64_t group, const DeviceInfo& device,
                               const std::optional<ComputeUnitLimits>& limits);

}  // namespace ks
