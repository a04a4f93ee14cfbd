#pragma once

#include <CL/opencl.hpp>
#include <string>
#include <string_view>

#include "core/run/build_log.h"

namespace ks::gpu {

/// What the device reports about a kernel without arguments set. Throws cl::Error.
KernelResources kernel_resources(const cl::Kernel& kernel, const cl::Device& device,
                                 const std::string& entry_point);

/// Makes NVIDIA's compiler report registers and spills in its log. It does not change the instructions.
inline constexpr const char* verbose_option = "-cl-nv-verbose";

/// Takes registers and spills of the kernel from a log with lines such as
///   ptxas info    : Compiling entry function 'add' for 'sm_90a'
///   ptxas         .     0 bytes stack frame, 16 bytes spill stores, 8 bytes spill loads
///   ptxas info    : Used 28 registers, used 1 barriers, 260 bytes smem
/// Without such lines, both stay unchanged.
void take_registers(std::string_view log, KernelResources& kernel);

/// The log without ptxas' lines about registers: they do not report a problem.
std::string without_registers(std::string_view log);
/// The part that without_registers() removes.
std::string registers_of(std::string_view log);

}  // namespace ks::gpu
