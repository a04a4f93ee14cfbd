#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ks {

/// A file format. Its version increases when programs that know the previous version would misread it; mere
/// additions do not count. Files without a version are version 1.
struct Format {
    const char* name;
    std::int64_t version;
};

/// The name of the version, in JSON and as an HDF5 attribute.
constexpr const char* format_key = "format_version";

namespace formats {
constexpr Format run{"saved run", 2};           ///< attribute of /entry/kernelscope, and `--json` of a run
constexpr Format labels{"label file", 1};       ///< attribute of /entry/partition
constexpr Format mask{"mask file", 1};          ///< attribute of /entry/mask
constexpr Format ceilings{"ceilings file", 1};  ///< `ceilings --json` and the cache
constexpr Format bench{"benchmark file", 1};    ///< `bench --json`
constexpr Format tuning{"table of tuned values", 1};  ///< in the data folder
constexpr Format tune{"tuning file", 1};              ///< `tune --json`
constexpr Format project{"project", 1};               ///< in the header of a .ksproj
}  // namespace formats

/// The version that a file states, 1 if it states none. Throws ks::Error(input) if it is newer than
/// the known one.
/// @param found the version as text; nothing: version 1
std::int64_t require_known(const Format& format, const std::optional<std::string>& found,
                           const std::string& where);

}  // namespace ks
