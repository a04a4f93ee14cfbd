#pragma once

#include <string>
#include <string_view>

namespace ks::io {

/// SHA-256 (FIPS 180-4) as 64 hexadecimal digits. Use it if an attacker must not be able to construct another
/// text with the same hash, otherwise hash_of().
std::string sha256_of(std::string_view text);

}  // namespace ks::io
