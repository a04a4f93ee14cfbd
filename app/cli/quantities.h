#pragma once

#include <cstdint>
#include <string>

namespace ks::cli {

/// "64 B", "32 KiB", "6.62 GiB"
std::string bytes_text(std::uint64_t bytes);
/// "812 ns", "38.2 us", "1.78 s"; three digits
std::string time_text(double nanoseconds);

}  // namespace ks::cli
