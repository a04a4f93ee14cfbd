#include "core/run/host_backend.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <fstream>
#include <utility>

#include "core/base/error.h"
#include "core/base/threads.h"
#include "core/devices/device_id.h"

namespace ks {
namespace {

unsigned host_threads() {
    return compute_threads();
}

std::uint64_t physical_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        throw Error(ErrorKind::device, "the size of the host's memory cannot be read");
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

/// The value in the first line "KEY : VALUE" of /proc/cpuinfo; empty where there is none.
std::string cpuinfo(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos || !line.starts_with(key)) continue;
        if (line.find_first_not_of(" \t", key.size()) != colon) continue;
        const std::size_t value = line.find_first_not_of(" \t", colon + 1);
        return value == std::string::npos ? std::string() : line.substr(value);
    }
    return {};
}

std::string host_name(unsigned threads) {
    const std::string model = cpuinfo("model name");
    return (model.empty() ? "Host processor" : model) + ", " + std::to_string(threads) +
           (threads == 1 ? " thread" : " threads");
}

}  // namespace

HostBackend::HostBackend(std::vector<HostVariant> table) : table_(std::move(table)) {
    for (const HostVariant& row : table_) variants_.push_back(row.info);
}

std::vector<DeviceInfo> HostBackend::devices() {
    DeviceInfo host;
    host.index = -1;
    host.backend = "host";
    host.type = "host";
    host.compute_units = host_threads();
    host.name = host_name(host.compute_units);
    host.vendor = cpuinfo("vendor_id");
    const std::string mhz = cpuinfo("cpu MHz");
    double clock = 0;
    std::from_chars(mhz.data(), mhz.data() + mhz.size(), clock);
    host.clock_mhz = static_cast<std::uint32_t>(clock);
    host.global_bytes = physical_bytes();
    host.largest_allocation = host.global_bytes;
    host.fp64 = true;
    return {host};
}

std::string HostBackend::why_not(const Variant& variant, const DeviceInfo& device) {
    if (!DeviceId(device).is_host())
        return variant.id + " runs on the host, but " + device.name + " is an OpenCL device";
    return {};
}

void HostBackend::execute(const Problem& problem, Run& run, Progress& progress) {
    const auto row = std::find_if(table_.begin(), table_.end(), [&](const HostVariant& other) {
        return other.info.analysis == run.variant.analysis && other.info.id == run.variant.id;
    });
    if (row == table_.end())
        throw Error(ErrorKind::run, "the host does not implement variant " + run.variant.id);
    const std::uint64_t limit =
        run.request.memory_limit ? *run.request.memory_limit : physical_bytes() / 4 * 3;
    HostContext context{run.request, progress, run.timings, host_threads(), limit};
    run.result = row->launch(problem, context);
}

std::vector<DeviceProperty> HostBackend::properties(const DeviceInfo& device) {
    const auto row = [](const char* id, const char* label, const char* group, const char* unit,
                        nlohmann::json value) {
        return DeviceProperty{id, label, group, unit, std::move(value)};
    };
    return {row("name", "Name", "Device", "", device.name),
            row("type", "Type", "Device", "", device.type),
            row("vendor", "Vendor", "Device", "", device.vendor),
            row("available", "Available", "Device", "", true),
            row("max_clock_frequency", "Clock", "Compute", "MHz", device.clock_mhz),
            row("max_compute_units", "Compute units", "Compute", "", device.compute_units),
            row("global_mem_size", "Memory", "Memory", "B", device.global_bytes),
            row("endian_little", "Little endian", "Memory", "", std::endian::native == std::endian::little)};
}

Ceilings HostBackend::measure_ceilings(const DeviceInfo& device, const CeilingsPlan&, Progress&) {
    throw Error(ErrorKind::input, "peak rates can only be measured with OpenCL kernels", device.name,
                "choose this processor as an OpenCL device (PoCL provides one)");
}

}  // namespace ks
