#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ks {

/// A form in which something is kept. Its number grows when a program that knows the number before would read
/// it wrongly; what is only added changes nothing. Files without a number are of number 1.
struct Format {
    const char* name;
    std::int64_t version;
};

/// How the number is called, in JSON and as an attribute of HDF5.
constexpr const char* format_key = "format_version";

namespace formats {
constexpr Format run{"saved run", 2};              ///< attribute of /entry/kernelscope, and `--json` of a run
constexpr Format labels{"file of labels", 1};      ///< attribute of /entry/partition
constexpr Format mask{"file of a mask", 1};        ///< attribute of /entry/mask
constexpr Format ceilings{"file of ceilings", 1};  ///< `ceilings --json` and the cache
constexpr Format bench{"file of a benchmark", 1};  ///< `bench --json`
constexpr Format tuning{"table of tuned values", 1};  ///< in the data folder
constexpr Format tune{"file of a tuning", 1};         ///< `tune --json`
constexpr Format project{"project", 1};               ///< in the head of a .ksproj
}  // namespace formats

/// The number that a file names, 1 where it names none. Throws ks::Error(input) where it is newer than what
/// is known.
/// @param found what the file says, as text; nothing: number 1
std::int64_t require_known(const Format& format, const std::optional<std::string>& found,
                           const std::string& where);

}  // namespace ks
