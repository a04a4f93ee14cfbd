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

/// An image of any kind; it is freed with this, and counted as memory of the device until then.
class AnyImage : public cl::Image {
  public:
    /// @param bytes of its pixels
    /// Throws cl::Error.
    AnyImage(DeviceContext& device, cl_mem_flags flags, const cl::ImageFormat& format,
             const cl_image_desc& shape, std::uint64_t bytes);

  private:
    HeldBytes held_;
};

/// Width, height and depth, or numbers of layers; what there is none of is 1.
using Extent = std::array<cl::size_type, 3>;

/// Of an image of the problem; of kind 1d one row.
Extent extent_of(const ks::basics::ImagesProblem& problem);
/// An image for a channel order RGBA of the problem's type. @param transposed width and height are exchanged
AnyImage make_image(LaunchContext& context, const ks::basics::ImagesProblem& problem, cl_mem_flags flags,
                    bool transposed = false);

/// Throws ks::Error(input) where the device has no images, none as large, or not the memory.
void require_images(LaunchContext& context, const ks::basics::ImagesProblem& problem);

/// Bytes of a pixel in an image, and in a buffer that a kernel fills with vectors of four.
std::size_t texel_bytes(ks::basics::ChannelType type);
inline constexpr std::size_t vector_bytes = 16;

/// RGBA of the picture's pixels, [z][y][x]: what it has no channels for is 0, and alpha 1.
std::vector<std::byte> texels_of(const ks::basics::ImagesProblem& problem);
/// The channels that the picture has, [channel][pixel], of texels as images hold them, or vectors of four as
/// kernels read them.
std::vector<float> values_of(const ks::basics::ImagesProblem& problem, const std::vector<std::byte>& texels,
                             bool vectors);

/// The functions that read and write the channel type: READ, WRITE and TEXEL.
std::map<std::string, std::string> functions_of(ks::basics::ChannelType type);

}  // namespace ks::gpu::basics
