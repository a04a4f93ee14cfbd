#include "core/base/host_memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "core/base/error.h"
#include "core/base/memory/kept_memory.h"

namespace ks {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> number_in(const fs::path& file) {
    std::string text;
    std::ifstream(file) >> text;
    std::uint64_t value = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || stop != text.data() + text.size()) return std::nullopt;  // also "max"
    return value;
}

/// Value of a line "KEY VALUE" or "KEY: VALUE kB" of a file of /proc or /sys.
std::optional<std::uint64_t> field_in(const fs::path& file, const std::string& key) {
    std::ifstream in(file);
    for (std::string name; in >> name;) {
        std::uint64_t value = 0;
        if (name == key && in >> value) return value;
        in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return std::nullopt;
}

std::uint64_t host_left() {
    const auto kib = field_in("/proc/meminfo", "MemAvailable:");
    return kib ? *kib * 1024 : unknown;
}

/// What a limit leaves. Cached file pages count as used although the kernel drops them first, so
/// they are subtracted.
std::uint64_t left_of(const fs::path& group, const char* limit_name, const char* use_name,
                      const char* files_name) {
    const auto limit = number_in(group / limit_name), use = number_in(group / use_name);
    if (!limit || !use) return unknown;
    const std::uint64_t files = field_in(group / "memory.stat", files_name).value_or(0);
    const std::uint64_t held = *use - std::min(*use, files);
    return *limit - std::min(*limit, held);
}

/// The control group of this process and its parents, versions 2 and 1.
std::uint64_t groups_left() {
    std::uint64_t left = unknown;
    std::ifstream in("/proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool old = controllers == "memory";
        if (!old && !controllers.empty()) continue;
        const fs::path root = old ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup";
        // Inside a container the path may be that of the host: then only the root exists.
        for (fs::path at = line.substr(second + 1);; at = at.parent_path()) {
            const fs::path group = root / at.relative_path();
            left = std::min(left, old ? left_of(group, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                                "total_inactive_file")
                                      : left_of(group, "memory.max", "memory.current", "inactive_file"));
            if (at == at.parent_path()) break;
        }
    }
    return left;
}

std::uint64_t process_left() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const std::uint64_t used = pages * static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
    return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

}  // namespace

std::uint64_t available_memory() {
    return std::min({host_left(), groups_left(), process_left()});
}

std::uint64_t array_bytes(std::size_t element_bytes, const std::vector<std::size_t>& shape) {
    std::uint64_t bytes = element_bytes;
    if (std::ranges::find(shape, std::size_t{0}) != shape.end()) return 0;
    for (const std::size_t length : shape)
        if (__builtin_mul_overflow(bytes, std::uint64_t{length}, &bytes)) return unknown;
    return bytes;
}

std::string memory_text(std::uint64_t bytes) {
    static constexpr std::array<const char*, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) return fmt::format("{} bytes", bytes);
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1023.95 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return fmt::format("{:.1f} {}", value, units[unit]);
}

void require_memory(std::uint64_t bytes, const std::string& what, const std::string& where) {
    // Small amounts are always granted: the kernel then decides.
    constexpr std::uint64_t small = std::uint64_t{64} << 20;
    if (bytes <= small) return;
    if (bytes <= available_memory()) return;
    KeptMemory::of_process().clear();
    const std::uint64_t left = available_memory();
    if (bytes <= left) return;
    throw Error(ErrorKind::input,
                fmt::format("this needs {} for {}, but the host has only {} left", memory_text(bytes), what,
                            memory_text(left)),
                where, "use smaller data or a host with more memory");
}

void require_within(std::uint64_t limit, std::uint64_t bytes, const std::string& what,
                    const std::string& where) {
    if (bytes <= limit) return;
    throw Error(ErrorKind::input,
                fmt::format("this needs {} for {}, but the limit is {}", memory_text(bytes), what,
                            memory_text(limit)),
                where, "raise --memory-limit or use smaller data");
}

}  // namespace ks
