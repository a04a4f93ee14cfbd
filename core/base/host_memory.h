#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ks {

/// Bytes that this process can still allocate without displacing other processes: the minimum of the host's
/// available memory and of what a control group or a process limit (ulimit -v) leaves. The largest number if
/// none of these is known.
std::uint64_t available_memory();

/// Bytes of a dense array; the largest number if they do not fit 64 bits.
std::uint64_t array_bytes(std::size_t element_bytes, const std::vector<std::size_t>& shape);

/// "13.4 GiB", "512.0 MiB", "37 bytes": powers of 1024.
std::string memory_text(std::uint64_t bytes);

/// Checks a need before it is allocated. Throws ks::Error(input) "needs 13.4 GiB for WHAT, but the host has
/// only 7.4 GiB left" if `bytes` exceeds available_memory().
/// @param where the file or variant that needs them
void require_memory(std::uint64_t bytes, const std::string& what, const std::string& where);

/// The same against a given limit: "needs 2.0 GiB for WHAT, but the limit is 1.0 GiB".
void require_within(std::uint64_t limit, std::uint64_t bytes, const std::string& what,
                    const std::string& where);

}  // namespace ks
