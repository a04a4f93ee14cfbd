#pragma once

#include <CL/opencl.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace ks::gpu {

/// Thrown by a guarded run: a kernel wrote outside its buffers, or into an input.
class GuardError : public Error {
  public:
    GuardError(std::string message, std::string where, std::string hint, std::string details)
        : Error(ErrorKind::run, std::move(message), std::move(where), std::move(hint), std::move(details)) {}
};

/// The zones before and after each buffer of a guarded run. A buffer is a part of a larger one that is filled
/// with a pattern, so that a write outside the buffer changes the pattern, even in the very next byte. Each
/// buffer has a different pattern, so that it is noticed if a kernel copies values from outside one buffer to
/// outside another. The buffer itself is also filled with a pattern, of numbers that are unlikely results, so
/// that a kernel that reads uninitialised memory is likely to give wrong values. Inputs that stay on the
/// device and tables are compared with their original content, since no kernel may write to them.
///
/// Covered are the buffers of the run, including those that stay on the device and its tables. Not covered
/// are images, buffers that an exercise creates itself, local and private memory, accesses that only read,
/// and writes further away than the length of a zone.
class GuardZones {
  public:
    static constexpr std::uint64_t zone_bytes = 64 << 10;  ///< more than any device's buffer alignment

    /// @param queue in which zones are filled and read
    GuardZones(cl::Context context, cl::CommandQueue queue)
        : context_(std::move(context)), queue_(std::move(queue)) {}

    /// Creates a buffer of that many bytes between its zones. Throws cl::Error.
    cl::Buffer make(std::uint64_t bytes);
    void forget(const cl::Buffer& buffer) {
        guarded_.erase(buffer());
        inputs_.erase(buffer());
    }

    /// From now on the kernel has the buffer as this argument.
    void note(const cl::Kernel& kernel, cl_uint argument, const cl::Buffer& buffer) {
        Arguments& known = arguments_[kernel()];
        known.kernel = kernel;
        known.buffers[argument] = buffer();
    }

    /// Bytes that were written outside a buffer.
    struct Damage {
        cl_mem buffer;
        std::uint64_t buffer_bytes;
        bool before;  ///< before its beginning, else past its end
        /// bytes from the beginning of the buffer back to the first changed byte, or from its end on to that
        /// byte
        std::uint64_t distance;
        /// changed bytes, from the first to the last; bytes that already had the written value are not
        /// noticed
        std::uint64_t bytes;
    };
    /// Damage around the buffers that are arguments of the kernel, or around any buffer. Waits for the queue.
    std::vector<Damage> damage_by(const cl::Kernel& kernel) const;
    std::vector<Damage> damage() const;

    /// The buffer holds an input: from now on no kernel may change it. Waits for the queue.
    void note_input(const cl::Buffer& buffer);
    /// Inputs that were changed nevertheless: "argument `a` of the kernel add". Waits for the queue.
    std::vector<std::string> changed_inputs() const;

    /// "at least 4 bytes right past the end of its argument 3 `labels` (1200 bytes)"
    std::string text_of(const Damage& damage, const cl::Kernel& kernel) const;
    /// "at least 4 bytes right past the end of a buffer of 1200 bytes"
    static std::string text_of(const Damage& damage);

  private:
    struct Guarded {
        cl::Buffer whole;  ///< zone, buffer, zone
        std::uint64_t bytes;
        std::size_t number;  ///< of its pattern
    };
    struct Arguments {
        cl::Kernel kernel;
        std::map<cl_uint, cl_mem> buffers;
    };
    /// A hash of the buffer's current content.
    std::size_t content_of(const Guarded& guarded) const;
    /// "argument `a`", for all arguments of the kernel that have the buffer.
    static std::string names_of(const Arguments& arguments, cl_mem buffer);
    void find_damage(cl_mem buffer, const Guarded& guarded, std::vector<Damage>& into) const;

    cl::Context context_;
    cl::CommandQueue queue_;
    std::map<cl_mem, Guarded> guarded_;
    std::size_t made_ = 0;  ///< buffers so far
    std::map<cl_kernel, Arguments> arguments_;
    std::map<cl_mem, std::size_t> inputs_;  ///< hashes of their original content
};

}  // namespace ks::gpu
