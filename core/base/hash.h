#pragma once

#include <cstdint>
#include <string_view>

namespace ks {

constexpr std::uint64_t fnv1a_start = 14695981039346656037ULL;

/// FNV-1a, 64 bits: the same on every machine. @param hash of what came before
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv1a_start) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return hash;
}

}  // namespace ks
