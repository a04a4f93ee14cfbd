#pragma once

#include <CL/opencl.hpp>
#include <string>

namespace ks::gpu {

/// Builds a program. @return what the compiler wrote to standard error meanwhile ("1 warning generated."),
/// which is not for a terminal. Throws cl::Error where it does not build.
std::string build_quietly(cl::Program& program, const cl::Device& device, const std::string& options);

}  // namespace ks::gpu
