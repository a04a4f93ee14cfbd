#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/spots/problem.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::spots {

using ks::spots::SpotProblem;

/// The layout of images on the device: rows of `pitch` pixels, with ignored pixels around every image. So
/// kernels need no tests for borders: the window of any pixel, of up to 17 pixels in each direction, exists.
/// Pixel (module, y, x) is at (module * (height + margin_rows) + margin_rows + y) * pitch + margin_columns +
/// x of a buffer of pixels() pixels; the right margin of a row is the left one of the next, the lower margin
/// of a module the upper one of the next. Rows start at a multiple of 16 pixels: a vector of up to 16 pixels
/// at a multiple of its length is aligned. Margins are zero in images and 1 (ignore) in the mask.
struct PlaneShape {
    static constexpr std::size_t margin_columns = 32, margin_rows = 17;
    std::size_t modules = 0, height = 0, width = 0;

    std::size_t pitch() const { return (width + 15) / 16 * 16 + margin_columns; }
    std::size_t pixels() const {
        return (modules * (height + margin_rows) + margin_rows) * pitch() + margin_columns;
    }
    std::size_t offset(std::size_t module, std::size_t y, std::size_t x) const {
        return (module * (height + margin_rows) + margin_rows + y) * pitch() + margin_columns + x;
    }
    /// Signal as bits, without margins: 32-bit words [module][y][words()], pixel x is bit x % 32 of word
    /// x / 32. Bits past the width are 0.
    std::size_t words() const { return (width + 31) / 32; }
    std::size_t bit_bytes() const { return modules * height * words() * sizeof(std::uint32_t); }
};

/// What a set of kernels works on: one frame, or several one after another, laid out like modules.
struct FrameOnDevice {
    const Buffer& images;    ///< pixels as read (SRC), in the layout of PlaneShape
    const Buffer& ignore;    ///< for one frame, one byte per pixel in the same layout, 1 = ignore
    const Buffer& bits;      ///< to be written: signal as bits, all words
    std::size_t frames = 1;  ///< up to frames_at_once()
};

/// Kernels that find the signal of frames. Each variant implements this interface (gpu/spots/kernel_sets.h;
/// for the thresholds on the device see gpu/spots/lib/test_table.h). An object serves one run: its
/// constructor builds programs, and prepare() allocates. Everything is enqueued through LaunchContext::launch
/// (one queue in order), so one set of scratch buffers is enough.
class SignalKernels {
  public:
    virtual ~SignalKernels() = default;
    /// Device bytes that prepare() will allocate.
    virtual std::uint64_t scratch_bytes() const = 0;
    virtual void prepare(LaunchContext& context, const Buffer& ignore) = 0;
    /// True if `bits` must be all 0 before enqueue(): for kernels that set single bits.
    virtual bool wants_cleared_bits() const = 0;
    /// Best number of frames per launch.
    virtual std::size_t frames_at_once() const { return 1; }
    /// Enqueues the kernels that write frame.bits. Launches that may take long are cut to some 50 ms each.
    virtual void enqueue(LaunchContext& context, const FrameOnDevice& frame) = 0;
    /// The kernels in launch order, for the facts of the result: "candidates, decide".
    virtual std::string names() const = 0;
};

/// How a variant creates its kernels.
using MakeKernels = std::unique_ptr<SignalKernels> (*)(const SpotProblem&, LaunchContext&);

}  // namespace ks::gpu::spots
