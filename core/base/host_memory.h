#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ks {

/// Bytes that this process can still take without pushing out what others hold: the host's available memory,
/// less where a control group or a limit of the process (ulimit -v) leaves less. The largest number where
/// nothing tells.
std::uint64_t available_memory();

/// Of a dense array; the largest number where that does not fit 64 bits.
std::uint64_t array_bytes(std::size_t element_bytes, const std::vector<std::size_t>& shape);

/// "13.4 GiB", "512.0 MiB", "37 bytes": powers of 1024.
std::string memory_text(std::uint64_t bytes);

/// Names a need before it is taken. Throws ks::Error(input) "needs 13.4 GiB for WHAT, and the host has 7.4
/// GiB left" where `bytes` are more than available_memory(). @param where the file or variant that needs them
void require_memory(std::uint64_t bytes, const std::string& what, const std::string& where);

/// The same against a limit that was given: "needs 2.0 GiB for WHAT, and the limit is 1.0 GiB".
void require_within(std::uint64_t limit, std::uint64_t bytes, const std::string& what,
                    const std::string& where);

}  // namespace ks
