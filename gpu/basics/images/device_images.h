#pragma once

#include <CL/opencl.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/basics/images/images.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// An image of any kind; freed with this object, and counted as device memory until then.
class AnyImage : public cl::Image {
  public:
    /// @param bytes of its pixels
    /// Throws cl::Error.
    AnyImage(DeviceContext& device, cl_mem_flags flags, const cl::ImageFormat& format,
             const cl_image_desc& shape, std::uint64_t bytes);

  private:
    HeldBytes held_;
};

/// Width, height and depth, or number of layers; 1 for unused dimensions.
using Extent = std::array<cl::size_type, 3>;

/// Extent of an image of the problem; one row for kind 1d.
Extent extent_of(const ks::basics::ImagesProblem& problem);
/// An image of channel order RGBA and the problem's type. @param transposed width and height are swapped
AnyImage make_image(LaunchContext& context, const ks::basics::ImagesProblem& problem, cl_mem_flags flags,
                    bool transposed = false);

/// Throws ks::Error(input) if the device does not support images, images of that size, or lacks the memory.
void require_images(LaunchContext& context, const ks::basics::ImagesProblem& problem);

/// Bytes per pixel in an image, and in a buffer that a kernel fills with vectors of four.
std::size_t texel_bytes(ks::basics::ChannelType type);
inline constexpr std::size_t vector_bytes = 16;

/// RGBA of the picture's pixels, [z][y][x]: missing channels are 0, and alpha 1.
std::vector<std::byte> texels_of(const ks::basics::ImagesProblem& problem);
/// The picture's channels, [channel][pixel], from texels as stored in images, or from vectors of four as
/// returned to kernels.
std::vector<float> values_of(const ks::basics::ImagesProblem& problem, const std::vector<std::byte>& texels,
                             bool vectors);

/// Macros that read and write the channel type: READ, WRITE and TEXEL.
std::map<std::string, std::string> functions_of(ks::basics::ChannelType type);

}  // namespace ks::gpu::basics
