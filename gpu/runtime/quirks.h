#pragma once

#include <span>
#include <string_view>

#include "core/devices/device_info.h"

namespace ks::gpu {

/// A fault or peculiarity of a driver that code works around. docs/dev/quirks.md explains the table;
/// tests/gpu/runtime/tst_quirks.cpp has a probe for each row, which fails where the driver behaves as it
/// should.
struct Quirk {
    std::string_view name;        ///< as comments name it at the places: "quirk two_unites"
    std::string_view driver;      ///< part of the platform's name or version: "PoCL"
    std::string_view version;     ///< with which the probe found it: "3.1"
    std::string_view type;        ///< of the devices that have it: "CPU"; empty: all
    std::string_view fault;       ///< what the driver does
    std::string_view workaround;  ///< what is done about it, and what that costs
    std::string_view places;      ///< files, separated by blanks

    bool applies_to(const DeviceInfo& device) const;
};

std::span<const Quirk> quirks();

/// Whether the device has the quirk of this name. Throws ks::Error(run) if there is no such row.
bool has_quirk(const DeviceInfo& device, std::string_view name);

}  // namespace ks::gpu
