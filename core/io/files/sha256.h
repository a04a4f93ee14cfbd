#pragma once

#include <string>
#include <string_view>

namespace ks::io {

/// SHA-256 (FIPS 180-4) as 64 hexadecimal digits: where nobody may be able to make another text of the same
/// hash. For everything else there is hash_of().
std::string sha256_of(std::string_view text);

}  // namespace ks::io
