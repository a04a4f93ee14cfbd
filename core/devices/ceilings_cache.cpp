#include <algorithm>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/formats.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/devices/ceilings.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/file_text.h"

namespace ks {
namespace {

/// What ceilings depend on: a sub-device counts as another device.
std::string key_of(const DeviceInfo& device) {
    return fmt::format("ceilings {}\n{}\n{}\n{}\n{}\n{}", formats::ceilings.version, device.platform_name,
                       device.platform_version, device.name, device.driver, device.compute_units);
}

std::filesystem::path file_of(const DeviceInfo& device, const std::filesystem::path& folder) {
    return folder / "ceilings" / (hash_text(hash_of(key_of(device))) + ".json");
}

}  // namespace

bool same_ceilings(const DeviceInfo& a, const DeviceInfo& b) {
    return key_of(a) == key_of(b);
}

const Ceilings* find_ceilings(const std::vector<Ceilings>& all, const DeviceInfo& device) {
    const auto at = std::ranges::find_if(
        all, [&device](const Ceilings& ceilings) { return same_ceilings(ceilings.device, device); });
    return at == all.end() ? nullptr : &*at;
}

void keep_ceilings(const Ceilings& ceilings, const std::filesystem::path& folder) {
    if (folder.empty()) return;
    const std::filesystem::path file = file_of(ceilings.device, folder);
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    try {
        io::write_text(file, dump_json(to_json(ceilings), 1) + "\n", true);
    } catch (const Error&) {
        return;  // as documented
    }
}

std::optional<Ceilings> kept_ceilings(const DeviceInfo& device, const std::filesystem::path& folder) {
    if (folder.empty()) return std::nullopt;
    const std::filesystem::path file = file_of(device, folder);
    try {
        Ceilings kept = ceilings_from(parse_json(io::small_text(file, "ceilings", io::largest_report)));
        if (!same_ceilings(kept.device, device)) return std::nullopt;
        kept.device = device;  // its index may have changed
        return kept;
    } catch (const std::exception&) {
        return std::nullopt;  // damaged, or of another version
    }
}

}  // namespace ks
