#include "gpu/runtime/quirks.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/error.h"

namespace ks::gpu {
namespace {

constexpr std::array table{
    Quirk{"two_unites", "PoCL", "3.1", "CPU",
          "generates wrong code for two calls of unite() on local memory in one kernel, or crashes on them",
          "a single call, in a loop over the pairs to unite; no cost",
          "gpu/clusters/sparse_sorted.cl gpu/clusters/unionfind_local.cl"},
    Quirk{"branch_between_barriers", "PoCL", "3.1", "CPU",
          "mixes up the variables of work-items if a branch between barriers chooses how many vectors of "
          "targets are summed",
          "if work-items share tiles, and so need barriers, there is no branch and all vectors are always "
          "summed; so groups with few targets take as long as full groups",
          "gpu/particles/treecode.cl"},
    Quirk{
        "conditions_once_per_group", "PoCL", "3.1", "CPU",
        "without optimisation, evaluates the condition of a loop only once per group if this loop is inside "
        "another `for` or `while` loop, between two barriers",
        "the outer loop is tested at its end; no cost", "gpu/spots/lib/candidate_queue.cl"},
    Quirk{"oversized_group_ends_process", "PoCL", "3.1", "CPU",
          "ends the process if a group needs far more local memory than the device has",
          "the sizes are compared before each launch, which costs one query of the kernel",
          "gpu/runtime/launch_context.cpp"},
    Quirk{"program_per_group_size", "PoCL", "3.1", "CPU",
          "compiles a kernel again for each group size, and derives the group size from the range if none is "
          "given",
          "launches of `matmul` without a group size compute 16 x 2^k rows each, so that few group sizes "
          "occur, but there can be twice as many launches; the time limit of a kernel begins only when the "
          "kernel has been compiled",
          "gpu/basics/matmul/multiplication.h gpu/runtime/launch_context.cpp gpu/runtime/program_cache.h"},
    Quirk{"normalised_layers", "PoCL", "3.1", "CPU",
          "if coordinates are normalised, also scales the layer number of an image array",
          "nothing; the verdict of the exercise `images` reports this fault",
          "core/basics/images/images_check.cpp"},
    Quirk{"constant_private_memory", "PoCL", "3.1", "CPU", "reports the same private memory for every kernel",
          "the figure is not shown", "core/kernels/private_memory.cpp"},
    Quirk{"kind_before_place", "PoCL", "3.1", "CPU",
          "writes the kind of a message before its place: `error: FILE:2:41: ...`",
          "both orders are read; no cost",
          "core/kernels/compiler_message.h core/run/user/line_map.cpp "
          "gpu/basics/expression/expression_launch.cpp"},
    Quirk{"spelling_of_macros", "PoCL", "3.1", "CPU",
          "inserts the place of a macro's text in messages: `<Spelling=FILE:1:18>`",
          "it is moved to the end of the message; no cost", "core/run/user/line_map.cpp"},
    Quirk{"temporary_names", "PoCL", "3.1", "CPU",
          "names a temporary file in messages, a different one each time",
          "the name of the kernel file replaces it; no cost",
          "core/kernels/resolved_source.cpp gpu/basics/vectors/vectors_launch.cpp"},
    Quirk{"counts_on_stderr", "PoCL", "3.1", "CPU",
          "writes the number of a program's warnings and errors to standard error",
          "standard error is captured during a build, which costs a temporary file",
          "gpu/runtime/output/quiet_build.h"},
    Quirk{
        "log_of_equal_text", "PoCL", "3.1", "CPU",
        "gives the log of an earlier build if two texts differ in comments and blank lines only, so that its "
        "lines are those of the other text",
        "the user's kernels are built with a definition that has the hash of their text, so a text whose "
        "comments have changed is compiled again",
        "gpu/runtime/program_cache.cpp"},
    Quirk{"groups_of_one", "Oclgrind", "21.10", "",
          "runs groups of one work-item if a launch sets no size, and so finds no conflicts within a group",
          "a size is chosen for this driver; no cost for others", "gpu/runtime/launch_context.cpp"},
};

}  // namespace

bool Quirk::applies_to(const DeviceInfo& device) const {
    const auto names = [this](std::string_view text) { return text.find(driver) != text.npos; };
    return (type.empty() || device.type == type) &&
           (names(device.platform_name) || names(device.platform_version));
}

std::span<const Quirk> quirks() {
    return table;
}

bool has_quirk(const DeviceInfo& device, std::string_view name) {
    const auto row = std::ranges::find(table, name, &Quirk::name);
    if (row == table.end()) throw Error(ErrorKind::run, "no such quirk", std::string(name));
    return row->applies_to(device);
}

}  // namespace ks::gpu
