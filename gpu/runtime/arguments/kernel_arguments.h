#pragma once

#include <CL/opencl.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ks::gpu {

/// What a kernel declares of one argument.
struct KernelArgument {
    std::string name;
    std::string space;  ///< "global", "local", "constant", "private"
    std::string type;   ///< "uint*", without qualifiers

    /// "global uint* counts"
    std::string text() const;
};

/// In order; nothing where the driver does not tell: programs that come from a binary, or were built without
/// -cl-kernel-arg-info.
std::optional<std::vector<KernelArgument>> arguments_of(const cl::Kernel& kernel);

/// Throws ks::Error(build) that names the first argument of `own` that is not as `base` has it, or the
/// numbers of both. Types that a kernel names itself are not compared.
/// @param file of `own`
void require_same_arguments(const std::string& entry_point, const std::vector<KernelArgument>& own,
                            const std::vector<KernelArgument>& base, const std::string& file);

}  // namespace ks::gpu
