#pragma once

#include <cstdint>
#include <string>

namespace ks::cli {

/// "64 B", "32 KiB", "6.62 GiB"
std::string bytes_text(std::uint64_t bytes);
/// "812 ns", "38.2 us", "1.78 s"; three digits
std::string time_text(double nanoseconds);
/// "1.034", "12.500", "0.000639": a ratio with three decimals, or with three digits below 0.1
std::string factor_text(double ratio);
/// "4.25 TB/s", "812 G/s": a rate of `unit` ("B/s", "flop/s", "1/s") with prefixes of 1000; three digits
std::string rate_text(double rate, const std::string& unit);

}  // namespace ks::cli
