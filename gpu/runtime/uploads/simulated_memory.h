#pragma once

#include <CL/opencl.hpp>

namespace ks::gpu {

/// Marks a whole buffer as written for oclgrind, if it searches for uninitialised memory (--uninitialized);
/// else does nothing. On each fill, and on each write of a part of a buffer, oclgrind forgets what was
/// written to the buffer before, and takes only this part as written. So call this function for a new buffer
/// and after such commands. Uninitialised memory is then reported only for local and private memory of
/// kernels, not for buffers. Throws cl::Error.
/// @param after the command; null: it is done
void note_written(const cl::CommandQueue& queue, const cl::Buffer& buffer, const cl::Event& after = {});
/// The same for a new buffer.
void note_written(const cl::Context& context, const cl::Buffer& buffer);

}  // namespace ks::gpu
