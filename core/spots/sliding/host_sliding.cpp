#include "core/spots/analysis.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <span>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/spots/host_memory.h"
#include "core/spots/sliding/sliding.h"

namespace ks::spots {
namespace {

struct ReadFrame {
    std::optional<std::span<const std::byte>> pixels;  ///< absent: damaged
    Timing timing;
};

/// Number of frames read ahead: one more than there are threads, so that none of them waits for another, if
/// frames can be read in parallel.
std::size_t frames_ahead(const SharedFrames& frames, const HostContext& context) {
    if (!frames.in_memory().empty()) return 0;
    const bool several = context.threads > 1 && frames.source().reads_side_by_side();
    return several ? context.threads + std::size_t{1} : 1;
}

}  // namespace

void run_sliding(const SpotProblem& problem, SignalSink& sink, HostContext& context) {
    std::vector<std::size_t> there;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame)
        if (!problem.missing(frame)) there.push_back(frame);
    const SharedFrames& frames = *problem.shared();
    const std::size_t buffers = frames_at_once(problem, context, frames_ahead(frames, context) + 1);
    std::vector<std::vector<std::byte>> scratch(buffers);
    const auto read = [&](std::size_t i) {
        Stopwatch watch;
        const auto pixels = frames.sound_frame(there[i], scratch[i % buffers]);
        ReadFrame frame{pixels, {.stage = "read", .kind = StageKind::read, .bytes = problem.frame_bytes()}};
        add_piece(frame.timing, watch.lap());
        return frame;
    };
    const bool in_memory = !frames.in_memory().empty();
    std::vector<std::uint32_t> signal;
    // Declared after their destinations: the destructor waits for active reads.
    std::deque<Pending<ReadFrame>> started;
    std::size_t next = 0;
    const auto start = [&](std::size_t stop) {
        for (; next < std::min(stop, there.size()); ++next)
            started.push_back(beside([&read, i = next] { return read(i); }));
    };
    for (std::size_t i = 0; i < there.size(); ++i) {
        context.progress.report(static_cast<double>(i) / static_cast<double>(there.size()), "find signal");
        if (buffers > 1) start(i + buffers - 1);
        const ReadFrame frame = buffers > 1 ? started.front().get() : read(i);
        if (buffers > 1) {
            started.pop_front();
            start(i + buffers);
        }
        if (!frame.pixels) continue;
        Stopwatch watch;
        const ImageView view{*frame.pixels,   problem.type(),   problem.height(),
                             problem.width(), problem.ignore(), problem.limit()};
        find_signal_sliding(view, problem.layout(), problem.thresholds(), context.threads, context.progress,
                            signal);
        const std::uint64_t took = watch.lap();
        if (!in_memory) add(context.timings, frame.timing);
        add(context.timings,
            {"find signal", StageKind::host, took, problem.frame_bytes(), problem.layout().pixels(), 1});
        sink.add(there[i], *frame.pixels, signal);
    }
    context.progress.report(1, "find signal");
}

}  // namespace ks::spots
