#include "core/spots/results/marked_pixels.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/input/frame_mask.h"

namespace ks::spots {
namespace {

/// Whether pixels with the value can be taken for counts at all.
bool valid(const SpotProblem& problem) {
    const std::optional<double> mark = io::marking_value(problem.type());
    return mark && *mark < problem.limit();
}

}  // namespace

std::optional<std::uint64_t> counted_mark(const SpotProblem& problem) {
    if (!valid(problem)) return {};
    return static_cast<std::uint64_t>(*io::marking_value(problem.type()));
}

std::size_t marked_signal(const SpotProblem& problem, const FrameSignal& found) {
    if (!valid(problem)) return 0;
    return visit_element(problem.type(), [&](auto zero) {
        using T = decltype(zero);
        const T* const values = reinterpret_cast<const T*>(found.pixels.data());
        return static_cast<std::size_t>(std::ranges::count_if(found.signal, [values](std::uint32_t pixel) {
            return values[pixel] == std::numeric_limits<T>::max();
        }));
    });
}

std::size_t marked_in_first(const SpotProblem& problem, std::span<const std::byte> pixels) {
    if (!valid(problem)) return 0;
    const BitImage& unused = problem.mask()->unused();
    const std::size_t width = problem.width();
    return static_cast<std::size_t>(
        std::ranges::count_if(problem.shared()->marked(pixels), [&](std::uint32_t pixel) {
            const std::size_t x = pixel % width;
            return (unused.row(pixel / width)[x / BitImage::word] >> x % BitImage::word & 1) == 0;
        }));
}

std::string marked_warning(const SpotProblem& problem, std::size_t in_first, std::size_t in_signal) {
    const std::size_t n = in_first > 0 ? in_first : in_signal;
    if (n == 0) return {};
    const SharedFrames& shared = *problem.shared();
    const char* const pixels = n == 1 ? "pixel" : "pixels";
    const std::string which =
        in_first > 0 ? fmt::format("{} {} of frame {}", n, pixels, shared.first() + shared.first_there())
                     : fmt::format("{} signal {}", n, pixels);
    return io::marking_warning(which + (n == 1 ? " has a count" : " have a count"), problem.type());
}

}  // namespace ks::spots
