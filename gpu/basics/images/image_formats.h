#pragma once

#include <string>

#include "core/basics/images/images.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

cl_mem_object_type object_type_of(ks::basics::ImageKind kind);
cl_channel_type cl_type_of(ks::basics::ChannelType type);

/// The formats of images that kernels can read: one line per channel order, with its channel types.
std::string formats_of(LaunchContext& context, ks::basics::ImageKind kind);

/// Throws ks::Error(input) if the device has no RGBA images of that kind and type for such use.
/// @param flags for example CL_MEM_READ_ONLY
void require_format(LaunchContext& context, const ks::basics::ImagesProblem& problem, cl_mem_flags flags);

}  // namespace ks::gpu::basics
