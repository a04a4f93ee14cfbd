#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ks::gpu {

/// Records the number of work-groups of a launch.
void note_launched_groups(const std::string& kernel, std::uint64_t groups);

/// Work-groups of the largest launch of each kernel, by name, in the whole process since the last call.
/// Launches whose groups the driver chose are left out.
std::map<std::string, std::uint64_t> take_launched_groups();

}  // namespace ks::gpu
