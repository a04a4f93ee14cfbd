#pragma once

#include <CL/opencl.hpp>

namespace ks::gpu {

/// Marks a whole buffer as written for oclgrind, if it searches for uninitialised memory (--uninitialized);
/// else does nothing. oclgrind forgets what was written to a buffer on each fill, and on each write of a
/// part: it then knows that part alone. Call this for a new buffer and after such commands. So nothing is
/// reported about buffers, only the use of local and private memory by kernels. Throws cl::Error.
/// @param after the command; null: it is done
void note_written(const cl::CommandQueue& queue, const cl::Buffer& buffer, const cl::Event& after = {});
/// The same for a new buffer.
void note_written(const cl::Context& context, const cl::Buffer& buffer);

}  // namespace ks::gpu
