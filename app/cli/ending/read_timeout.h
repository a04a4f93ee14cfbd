#pragma once

#include <chrono>
#include <string>

namespace ks::cli {

/// How long a library may spend on a file without making progress, as set by --read-timeout; zero: no limit.
std::chrono::milliseconds read_timeout();
/// Throws ks::Error(input) unless the text is a number of seconds from 0 to a million.
void set_read_timeout(const std::string& seconds);
/// In the form that the option takes: "20".
std::string read_timeout_text();

}  // namespace ks::cli
