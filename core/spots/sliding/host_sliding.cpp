#include "core/spots/sliding/host_sliding.h"

#include <optional>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/spots/host_memory.h"
#include "core/spots/sliding/sliding.h"

namespace ks::spots {
namespace {

struct ReadFrame {
    std::optional<std::span<const std::byte>> pixels;  ///< nothing: they are damaged
    Timing timing;
};

}  // namespace

void run_sliding(const SpotProblem& problem, SignalSink& sink, HostContext& context) {
    std::vector<std::size_t> there;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame)
        if (!problem.missing(frame)) there.push_back(frame);
    // The next frame is read while one is looked at, where there is room for two.
    const std::size_t buffers = frames_at_once(problem, context, 2);
    std::vector<std::byte> scratch[2];
    const auto read = [&](std::size_t i) {
        Stopwatch watch;
        const auto pixels = problem.shared()->sound_frame(there[i], scratch[i % buffers]);
        ReadFrame frame{pixels, {.stage = "read", .kind = StageKind::read, .bytes = problem.frame_bytes()}};
        add_piece(frame.timing, watch.lap());
        return frame;
    };
    const bool in_memory = !problem.shared()->in_memory().empty();
    const bool ahead = !in_memory && buffers > 1;
    const auto start = [&](std::size_t i) { return beside([&read, i] { return read(i); }); };
    std::vector<std::uint32_t> signal;
    // Declared after what it writes to: leaving waits for a read that is under way.
    Pending<ReadFrame> next;
    if (ahead && !there.empty()) next = start(0);
    for (std::size_t i = 0; i < there.size(); ++i) {
        context.progress.report(static_cast<double>(i) / static_cast<double>(there.size()), "find signal");
        const ReadFrame frame = ahead ? next.get() : read(i);
        if (ahead && i + 1 < there.size()) next = start(i + 1);
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
