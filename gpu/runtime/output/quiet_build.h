#pragma once

#include <CL/opencl.hpp>
#include <string>

namespace ks::gpu {

/// Builds a program. @return the compiler's output to standard error ("1 warning generated.",
/// quirk counts_on_stderr), which must not appear on a terminal. Throws cl::Error if it does not build.
std::string build_quietly(cl::Program& program, const cl::Device& device, const std::string& options);

}  // namespace ks::gpu
