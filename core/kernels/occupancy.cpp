#include "core/kernels/occupancy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ks {
namespace {

constexpr std::uint64_t kib = 1024;

/// A row of the table: what differs between compute capabilities. All have warps of 32 work-items, 64 Ki
/// registers allocated in units of 256 per warp, and at most 255 registers per work-item.
struct Capability {
    std::uint64_t major, minor, groups, warps, local_kib, local_unit, reserved;
};

constexpr std::array capabilities{
    Capability{5, 0, 32, 64, 64, 256, 0},     Capability{5, 2, 32, 64, 96, 256, 0},
    Capability{6, 0, 32, 64, 64, 256, 0},     Capability{6, 1, 32, 64, 96, 256, 0},
    Capability{7, 0, 32, 64, 96, 256, 0},     Capability{7, 5, 16, 32, 64, 256, 0},
    Capability{8, 0, 32, 64, 164, 128, kib},  Capability{8, 6, 16, 48, 100, 128, kib},
    Capability{8, 9, 24, 48, 100, 128, kib},  Capability{9, 0, 32, 64, 228, 128, kib},
    Capability{10, 0, 32, 64, 228, 128, kib}, Capability{12, 0, 24, 48, 100, 128, kib},
};

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

std::optional<std::uint64_t> number_of(const std::vector<DeviceProperty>& properties, const char* id) {
    const auto found = std::ranges::find(properties, id, &DeviceProperty::id);
    if (found == properties.end() || !found->value.is_number_unsigned()) return std::nullopt;
    return found->value.get<std::uint64_t>();
}

const char* words_of(Occupancy::Bound bound) {
    switch (bound) {
        case Occupancy::Bound::groups:
            return "the maximum number of work-groups";
        case Occupancy::Bound::work_items:
            return "the maximum number of work-items";
        case Occupancy::Bound::registers:
            return "registers";
        case Occupancy::Bound::local_memory:
            return "local memory";
    }
    return "";
}

}  // namespace

std::optional<ComputeUnitLimits> compute_unit_limits(const std::vector<DeviceProperty>& properties) {
    const auto major = number_of(properties, "compute_capability_major_nv"),
               minor = number_of(properties, "compute_capability_minor_nv");
    if (!major || !minor) return std::nullopt;
    // An unlisted minor version is treated like the last listed one of its major version.
    const Capability* found = nullptr;
    for (const Capability& row : capabilities)
        if (row.major == *major && row.minor <= *minor) found = &row;
    if (!found) return std::nullopt;
    return ComputeUnitLimits{.name = fmt::format("compute capability {}.{}", *major, *minor),
                             .groups = found->groups,
                             .work_items = 32 * found->warps,
                             .registers = 64 * kib,
                             .registers_of_item = 255,
                             .register_unit = 256,
                             .warp = 32,
                             .local_bytes = found->local_kib * kib,
                             .local_unit = found->local_unit,
                             .local_reserved = found->reserved};
}

std::optional<Occupancy> occupancy(const KernelResources& kernel, std::uint64_t group,
                                   const ComputeUnitLimits& limits) {
    if (!kernel.registers || group == 0) return std::nullopt;
    using Bound = Occupancy::Bound;
    const std::uint64_t warps = (group + limits.warp - 1) / limits.warp;
    const std::uint64_t registers_of_warp =
        rounded_up(std::max<std::uint64_t>(*kernel.registers, 1) * limits.warp, limits.register_unit);
    // A compute unit has four parts, each with a quarter of the registers; a warp stays in one of them.
    constexpr std::uint64_t parts = 4;
    const std::uint64_t warps_by_registers = limits.registers / parts / registers_of_warp * parts;
    const std::uint64_t local =
        rounded_up(kernel.local_bytes + limits.local_reserved, std::max<std::uint64_t>(limits.local_unit, 1));
    struct Limit {
        Bound bound;
        std::uint64_t groups;
    };
    std::vector<Limit> all{{Bound::groups, limits.groups},
                           {Bound::work_items, limits.work_items / (warps * limits.warp)},
                           {Bound::registers, warps_by_registers / warps}};
    if (kernel.local_bytes > 0) all.push_back({Bound::local_memory, limits.local_bytes / local});
    Occupancy found;
    found.groups = std::ranges::min(all, {}, &Limit::groups).groups;
    if (found.groups == 0) return std::nullopt;
    for (const Limit& one : all)
        if (one.groups == found.groups) found.bounds.push_back(one.bound);
    found.work_items = found.groups * group;
    found.share =
        static_cast<double>(found.groups * warps * limits.warp) / static_cast<double>(limits.work_items);
    return found;
}

std::string occupancy_sentence(const KernelResources& kernel, std::uint64_t group, const DeviceInfo& device,
                               const std::optional<ComputeUnitLimits>& limits) {
    if (!limits)
        return fmt::format("Occupancy not known: {} does not report the limits of a compute unit.",
                           device.name);
    if (!kernel.registers)
        return "Occupancy not known: the driver does not report the registers of this kernel.";
    if (group == 0) return "Occupancy not known: the work-group size is not known.";
    const std::optional<Occupancy> found = occupancy(kernel, group, *limits);
    if (!found)
        return fmt::format("A work-group of {} work-items does not fit on a compute unit of {}.", group,
                           device.name);
    std::vector<std::string> bounds;
    for (const Occupancy::Bound bound : found->bounds) bounds.emplace_back(words_of(bound));
    return fmt::format(
        "{} of {} work-items {} on a compute unit: occupancy {:.0f} %, limited by {}.",
        found->groups == 1 ? std::string("1 work-group") : fmt::format("{} work-groups", found->groups),
        group, found->groups == 1 ? "fits" : "fit", 100 * found->share, fmt::join(bounds, " and "));
}

}  // namespace ks
