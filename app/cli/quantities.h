#pragma once

#include <cstdint>
#include <string>

namespace ks::cli {

/// "64 B", "32 KiB", "6.62 GiB"
std::string bytes_text(std::uint64_t bytes);
/// "812 ns", "38.2 us", "1.78 s"; three digits
std::string time_text(double nanoseconds);
/// "4.25 TB/s", "812 G/s": a rate of `unit` ("B/s", "flop/s", "1/s") with prefixes of 1000; three digits
std::string rate_text(double rate, const std::string& unit);

}  // namespace ks::cli
