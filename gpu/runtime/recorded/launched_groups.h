#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ks::gpu {

/// Notes a launch of a kernel as so many work-groups.
void note_launched_groups(const std::string& kernel, std::uint64_t groups);

/// Work-groups of the largest launch of each kernel, by its name, of the whole process since the last call.
/// Launches whose groups the driver chose are left out.
std::map<std::string, std::uint64_t> take_launched_groups();

}  // namespace ks::gpu
