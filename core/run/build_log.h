#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/fields.h"

namespace ks {

/// What a kernel takes of a compute unit, as the device or its compiler tells. What neither tells is absent.
struct KernelResources {
    std::string entry_point;
    std::uint64_t local_bytes = 0;                  ///< of one work-group, without arguments in local memory
    std::uint64_t private_bytes = 0;                ///< of one work-item
    std::uint64_t work_group = 0;                   ///< work-items of the largest group
    std::uint64_t multiple = 0;                     ///< the preferred multiple of work-items in a group
    std::optional<std::uint64_t> registers = {};    ///< of one work-item
    std::optional<std::uint64_t> spill_bytes = {};  ///< stored and loaded where registers did not suffice
    std::optional<std::uint64_t> group = {};  ///< work-items of the last launch; absent: the driver chose
};

void fields(auto& visit, ConstOr<KernelResources> auto& kernel) {
    visit("entry_point", kernel.entry_point);
    visit("local_bytes", kernel.local_bytes);
    visit("private_bytes", kernel.private_bytes);
    visit("work_group", kernel.work_group);
    visit("multiple", kernel.multiple);
    visit("registers", kernel.registers);
    visit("spill_bytes", kernel.spill_bytes);
    visit("group", kernel.group);
}

/// The source file of a program whose text a request gave without the name of a file.
inline constexpr const char* given_source = "the given source";

/// A program as the device's compiler got it, and the messages of the compiler.
struct BuildLog {
    std::string source_file;  ///< of the source tree, or the user's own
    std::string options;      ///< with all defines
    std::string log;
    bool ok = true;
    std::string cache;           ///< "built", "memory" or "disk": where the binary came from
    std::string text_hash = {};  ///< XXH3 of the text with its includes, 16 hexadecimal digits
    std::vector<std::string> entry_points = {};   ///< kernels that the run took from it, in order
    std::vector<KernelResources> resources = {};  ///< of entry_points
};

void fields(auto& visit, ConstOr<BuildLog> auto& build) {
    visit("source_file", build.source_file);
    visit("options", build.options);
    visit("log", build.log);
    visit("ok", build.ok);
    visit("cache", build.cache);
    visit.added("text_hash", build.text_hash);
    visit.added("entry_points", build.entry_points);
    visit.added("resources", build.resources);
}

/// Of the texts and options of all programs of a run, 16 hexadecimal digits; empty where there is none. The
/// same for runs that compiled the same.
std::string program_hash(const std::vector<BuildLog>& programs);

}  // namespace ks
