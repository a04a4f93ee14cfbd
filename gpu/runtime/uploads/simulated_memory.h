#pragma once

#include <CL/opencl.hpp>

namespace ks::gpu {

/// Tells oclgrind, where it looks for memory that nobody wrote (--uninitialized), that all of a buffer holds
/// what it should; elsewhere nothing. Its notes of a buffer end with each fill, and with each write of a
/// part: they then hold that part alone. Call it for a new buffer and after such commands. So it is told
/// nothing of buffers, and finds what kernels make of local and private memory. Throws cl::Error.
/// @param after the command; null: it is done
void note_written(const cl::CommandQueue& queue, const cl::Buffer& buffer, const cl::Event& after = {});
/// The same of a new buffer.
void note_written(const cl::Context& context, const cl::Buffer& buffer);

}  // namespace ks::gpu
