#pragma once

#include <chrono>
#include <string>

namespace ks::cli {

/// How long a library may take over a file without making progress, as --read-timeout says; zero: for ever.
std::chrono::milliseconds read_timeout();
/// Throws ks::Error(input) unless the text is a number of seconds, 0 to a million.
void set_read_timeout(const std::string& seconds);
/// As the option takes it: "20".
std::string read_timeout_text();

}  // namespace ks::cli
