#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/fields.h"

namespace ks {

/// Resources of a compute unit that a kernel uses, as reported by the device or its compiler. Unreported
/// values are absent.
struct KernelResources {
    std::string entry_point;
    std::uint64_t local_bytes = 0;                  ///< per work-group, without arguments in local memory
    std::uint64_t private_bytes = 0;                ///< per work-item
    std::uint64_t work_group = 0;                   ///< maximum number of work-items per work-group
    std::uint64_t multiple = 0;                     ///< preferred work-group size multiple
    std::optional<std::uint64_t> registers = {};    ///< per work-item
    std::optional<std::uint64_t> spill_bytes = {};  ///< register spills, stored and loaded
    std::optional<std::uint64_t> group = {};  ///< work-items of the last launch; absent: the driver chose
};

KS_FIELDS(KernelResources, entry_point, local_bytes, private_bytes, work_group, multiple, registers,
          spill_bytes, group)

/// The source file of a program whose text a request gave without a file name.
inline constexpr const char* given_source = "the given source";

/// A program as passed to the device's compiler, and the messages of the compiler.
struct BuildLog {
    std::string source_file;  ///< in the source tree, or the user's file
    std::string options;      ///< with all defines
    std::string log;
    bool ok = true;
    std::string cache;           ///< "built", "memory" or "disk": where the binary came from
    std::string text_hash = {};  ///< XXH3 of the text with its includes, 16 hexadecimal digits
    std::vector<std::string> entry_points = {};   ///< kernels of the program that the run used, in order
    std::vector<KernelResources> resources = {};  ///< of entry_points
    /// Text before that of source_file, which the host made, such as functions from fields of the user;
    /// empty: there was none.
    std::string inserted = {};
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
    visit.added("inserted", build.inserted);
}

/// Hash of the texts and options of all programs of a run, 16 hexadecimal digits; empty without programs.
/// Runs that compiled the same programs have the same hash.
std::string program_hash(const std::vector<BuildLog>& programs);

}  // namespace ks
