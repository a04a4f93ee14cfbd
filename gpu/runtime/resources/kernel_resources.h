#pragma once

#include <CL/opencl.hpp>
#include <string>
#include <string_view>

#include "core/run/build_log.h"

namespace ks::gpu {

/// What the device tells of a kernel whose arguments are not set. Throws cl::Error.
KernelResources kernel_resources(const cl::Kernel& kernel, const cl::Device& device,
                                 const std::string& entry_point);

/// The option that makes NVIDIA's compiler tell registers and spills in its log. It changes no instruction.
inline constexpr const char* verbose_option = "-cl-nv-verbose";

/// Takes registers and spills of the kernel from a log with lines such as
///   ptxas info    : Compiling entry function 'add' for 'sm_90a'
///   ptxas         .     0 bytes stack frame, 16 bytes spill stores, 8 bytes spill loads
///   ptxas info    : Used 28 registers, used 1 barriers, 260 bytes smem
/// Where there are none, both stay as they are.
void take_registers(std::string_view log, KernelResources& kernel);

/// The log with all that ptxas told of registers taken out: nobody did anything wrong there.
std::string without_registers(std::string_view log);
/// What without_registers() takes out.
std::string registers_of(std::string_view log);

}  // namespace ks::gpu
