#include "gpu/runtime/recorded/launched_groups.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace ks::gpu {
namespace {

struct LaunchedGroups {
    std::mutex mutex;
    std::map<std::string, std::uint64_t> of_kernel;
};

LaunchedGroups& launched_groups() {
    static LaunchedGroups all;
    return all;
}

}  // namespace

void note_launched_groups(const std::string& kernel, std::uint64_t groups) {
    LaunchedGroups& all = launched_groups();
    const std::lock_guard lock(all.mutex);
    std::uint64_t& most = all.of_kernel[kernel];
    most = std::max(most, groups);
}

std::map<std::string, std::uint64_t> take_launched_groups() {
    LaunchedGroups& all = launched_groups();
    const std::lock_guard lock(all.mutex);
    return std::exchange(all.of_kernel, {});
}

}  // namespace ks::gpu
