#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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
/// Puts embedded files in the place of lines `#include "gpu/..."`: OpenCL compilers see one text.
/// Throws ks::Error where a file is unknown or files include each other.
std::string resolve_includes(std::string_view text);

}  // namespace ks::gpu
