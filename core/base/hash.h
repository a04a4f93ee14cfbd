#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ks {

/// 64-bit XXH3 (xxHash): the one hash of the program, the same on every machine.
/// @param seed the hash of the preceding data
std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t seed = 0);
std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0);

template <class T>
std::uint64_t hash_of(const std::vector<T>& values) {
    return hash_of(std::as_bytes(std::span(values)));
}

/// 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace ks
