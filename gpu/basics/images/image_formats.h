#pragma once

#include <string>

#include "core/basics/images/images.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

cl_mem_object_type object_type_of(ks::basics::ImageKind kind);
cl_channel_type cl_type_of(ks::basics::ChannelType type);

/// A line for each channel order, with its channel types, of images that kernels read.
std::string formats_of(LaunchContext& context, ks::basics::ImageKind kind);

/// Throws ks::Error(input) where the device has no RGBA images of that kind and type that are used so.
/// @param flags CL_MEM_READ_ONLY, for example
void require_format(LaunchContext& context, const ks::basics::ImagesProblem& problem, cl_mem_flags flags);

}  // namespace ks::gpu::basics
