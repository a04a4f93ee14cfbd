#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields.h"
#include "core/run/build_log.h"

namespace ks {

/// A program whose instructions are wanted.
struct AssemblyRequest {
    std::string device;       ///< index, or part of a name
    std::string source_file;  ///< for messages
    std::string text;         ///< with included files inlined
    std::string options;      ///< as a BuildLog has them
};

KS_FIELDS(AssemblyRequest, device, source_file, text, options)

/// What a device's compiler made of the program.
struct Assembly {
    std::string source_file, options;
    std::string language;  ///< "PTX"; empty if the driver gives no text
    std::string text;      ///< the instructions, or one sentence that says why there are none
    std::vector<KernelResources> resources;  ///< of all kernels in it
};

KS_FIELDS(Assembly, source_file, options, language, text, resources)

/// For each line of PTX, the source line that it belongs to, counted from 1 as the compiler does. Taken from
/// the directives `.loc FILE LINE COLUMN`; absent if none precedes the line in its function.
std::vector<std::optional<std::size_t>> source_lines_of_ptx(std::string_view ptx);

}  // namespace ks
