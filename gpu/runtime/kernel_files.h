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
/// Text of an embedded file; throws ks::Error(run) if there is none at that path.
std::string kernel_text(std::string_view path);
/// kernel_text() with the included files inlined. It is made once per path, and stays valid.
const std::string& kernel_text_with_files(const std::string& path);
/// A program as passed to compilers, and the files that its lines come from.
struct ProgramText {
    std::string text;
    LineMap lines;
};
/// Replaces lines `#include "gpu/..."` by the embedded files, as resolve_source() does: compilers get one
/// text and read no file. Throws ks::Error(build) if an unconditional directive would read another file, if
/// files include each other, or if it is not clear what a compiler would read.
/// @param file that contains the text
ProgramText program_text(std::string_view text, const std::string& file);
std::string resolve_includes(std::string_view text);

}  // namespace ks::gpu
