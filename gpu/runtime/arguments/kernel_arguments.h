#pragma once

#include <CL/opencl.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ks::gpu {

/// The declaration of one argument of a kernel.
struct KernelArgument {
    std::string name;
    std::string space;  ///< "global", "local", "constant", "private"
    std::string type;   ///< "uint*", without qualifiers

    /// "global uint* counts"
    std::string text() const;
};

/// In order; nothing if the driver does not report them: for programs from a binary, or built without
/// -cl-kernel-arg-info.
std::optional<std::vector<KernelArgument>> arguments_of(const cl::Kernel& kernel);

/// Throws ks::Error(build) that names the first argument of `own` that differs from `base`, or the numbers of
/// arguments of both. Types that a kernel defines itself are not compared.
/// @param file of `own`
void require_same_arguments(const std::string& entry_point, const std::vector<KernelArgument>& own,
                            const std::vector<KernelArgument>& base, const std::string& file);

}  // namespace ks::gpu
