#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/user/line_map.h"

namespace ks::gpu {

/// A kernel file embedded by the build.
struct KernelFile {
    std::string_view path;  ///< relative to the source tree: "gpu/xpcs/seed_naive.cl"
    const unsigned char* bytes;
    std::size_t size;
};

const std::vector<KernelFile>& kernel_files();
/// Text of an embedded file; throws ks::Error(run) where there is none of that path.
std::string kernel_text(std::string_view path);
/// A program as compilers get it, and the files that its lines come from.
struct ProgramText {
    std::string text;
    LineMap lines;
};
/// Puts embedded files in the place of lines `#include "gpu/..."`, as resolve_source() does: compilers see
/// one text, and read no file. Throws ks::Error(build) where a directive outside of conditions would read
/// another file, files include each other, or it is not clear what a compiler reads.
/// @param file that the text is of
ProgramText program_text(std::string_view text, const std::string& file);
std::string resolve_includes(std::string_view text);

}  // namespace ks::gpu
