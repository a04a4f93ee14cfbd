#include "core/spots/results/invalid_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/parallel.h"
#include "core/data/frame_ranges.h"
#include "core/data/valid_pixels.h"
#include "core/input/frame_input.h"
#include "core/input/frame_mask.h"

namespace ks::spots {
namespace {

bool searched(const SpotProblem& problem, std::size_t frame) {
    return !problem.missing(frame) && !problem.damaged(frame);
}

std::vector<std::size_t> frames_of_little_signal(const SpotProblem& problem,
                                                 std::span<const std::uint64_t> signal) {
    std::vector<std::uint64_t> sizes;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame)
        if (searched(problem, frame)) sizes.push_back(signal[frame]);
    if (sizes.empty()) return {};
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::ranges::nth_element(sizes, middle);
    std::vector<std::size_t> some;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame)
        if (searched(problem, frame) && (signal[frame] == 0 || 2 * signal[frame] < *middle))
            some.push_back(frame);
    return some;
}

struct PixelCounts {
    std::size_t used = 0, valid = 0;
    bool mostly_invalid() const { return 2 * valid <= used; }
};

/// Counts every step-th pixel.
PixelCounts counts_of(const SpotProblem& problem, std::span<const std::byte> pixels, std::size_t step) {
    const BitImage& unused = problem.mask()->unused();
    const std::size_t width = problem.width(), all = width * problem.height();
    PixelCounts counts;
    visit_element(problem.type(), [&](auto zero) {
        using T = decltype(zero);
        const T* const values = reinterpret_cast<const T*>(pixels.data());
        for (std::size_t i = 0; i < all; i += step) {
            const std::size_t x = i % width;
            if ((unused.row(i / width)[x / BitImage::word] >> x % BitImage::word & 1) != 0) continue;
            ++counts.used;
            counts.valid += is_count(values[i]) && static_cast<double>(values[i]) < problem.limit() ? 1 : 0;
        }
    });
    return counts;
}

/// For a valid frame a sample is sufficient.
PixelCounts counts_of(const SpotProblem& problem, std::span<const std::byte> pixels) {
    constexpr std::size_t sample = 1000;
    const std::size_t step = problem.height() * problem.width() / sample | 1;
    const PixelCounts some = counts_of(problem, pixels, step);
    return some.used > 0 && 4 * some.valid > 3 * some.used ? some : counts_of(problem, pixels, 1);
}

}  // namespace

InvalidFrames find_invalid_frames(const SpotProblem& problem, std::span<const std::uint64_t> signal,
                                  unsigned threads) {
    const std::vector<std::size_t> some = frames_of_little_signal(problem, signal);
    std::vector<PixelCounts> counts(some.size());
    parallel_for(some.size(), threads, [&](std::size_t i) {
        std::vector<std::byte> scratch;
        // A frame found to be damaged only now has no counts and is in neither list.
        if (const auto pixels = problem.shared()->sound_frame(some[i], scratch))
            counts[i] = counts_of(problem, *pixels);
    });
    InvalidFrames found;
    for (std::size_t i = 0; i < some.size(); ++i)
        if (counts[i].used > 0 && counts[i].mostly_invalid())
            (counts[i].valid == 0 ? found.without_valid : found.mostly).push_back(some[i]);
    return found;
}

std::string invalid_frames_warning(const SpotProblem& problem, const InvalidFrames& frames) {
    const SharedFrames& shared = *problem.shared();
    const auto in_file = [&shared](std::vector<std::size_t> some) {
        for (std::size_t& frame : some) frame += shared.first();
        return some;
    };
    const std::vector<std::size_t> none = in_file(frames.without_valid), mostly = in_file(frames.mostly);
    const std::size_t n = none.size() + mostly.size();
    if (n == 0) return {};
    const char* const invalid = io::invalid_words(problem.type());
    std::string text;
    if (!none.empty())
        text = fmt::format("{} {} no valid pixel: all are {}{}", ranges_in_words(none),
                           none.size() == 1 ? "has" : "have", invalid,
                           problem.grouping().stills ? ""
                           : none.size() == 1        ? ", and no spot continues across it"
                                                     : ", and no spot continues across them");
    if (!mostly.empty())
        text += none.empty() ? fmt::format("at least half of the pixels of {} are {}",
                                           ranges_in_words(mostly), invalid)
                             : fmt::format("; at least half of the pixels of {} are invalid, too",
                                           ranges_in_words(mostly));
    if (n + shared.missing() >= shared.frames()) return text;
    std::vector<std::size_t> out = in_file(frames.without_valid);
    out.insert(out.end(), mostly.begin(), mostly.end());
    for (std::size_t frame = 0; frame < shared.frames(); ++frame)
        if (shared.left_out(frame)) out.push_back(shared.first() + frame);
    std::ranges::sort(out);
    return fmt::format("{}; use {} to leave {} out", text, io::leave_out_option(out), n == 1 ? "it" : "them");
}

}  // namespace ks::spots
