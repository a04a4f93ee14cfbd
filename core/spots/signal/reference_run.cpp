#include "core/spots/analysis.h"

#include <algorithm>
#include <span>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/spots/host_memory.h"
#include "core/spots/signal/reference.h"
#include "core/spots/signal/reference_frame.h"

namespace ks::spots {
namespace {

void run_bands(const SpotProblem& problem, ImageSignal find_in, SignalSink& sink, HostContext& context) {
    const SignalBands in_bands(problem, find_in);
    const std::size_t bands = in_bands.bands(),
                      at_once = frames_at_once(problem, context, std::max(1U, context.threads));
    Timing read{.stage = "read frames", .kind = StageKind::read, .launches = 0};
    Timing find{.stage = "find signal", .kind = StageKind::host, .launches = 0};
    std::vector<std::vector<std::byte>> scratch(at_once);
    std::vector<std::span<const std::byte>> pixels;
    std::vector<std::size_t> numbers;
    const auto flush = [&] {
        Stopwatch watch;
        std::vector<std::vector<std::uint32_t>> found(numbers.size() * bands);
        parallel_for(found.size(), context.threads, context.progress,
                     [&](std::size_t i) { found[i] = in_bands.signal(pixels[i / bands], i % bands); });
        std::vector<std::vector<std::uint32_t>> signals;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            signals.push_back(SignalBands::joined(std::span(found).subspan(i * bands, bands)));
        add_piece(find, watch.lap());
        find.launches += numbers.size();
        std::vector<FrameSignal> frames;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            frames.push_back({numbers[i], pixels[i], signals[i]});
        sink.add_all(frames);
        numbers.clear();
        pixels.clear();
    };
    for (std::size_t frame = 0; frame < problem.frames(); ++frame) {
        context.progress.report(static_cast<double>(frame) / static_cast<double>(problem.frames()),
                                "find signal");
        if (problem.missing(frame)) continue;
        Stopwatch watch;
        const auto sound = problem.shared()->sound_frame(frame, scratch[numbers.size()]);
        if (!sound) continue;
        pixels.push_back(*sound);
        numbers.push_back(frame);
        add_piece(read, watch.lap());
        read.bytes += problem.frame_bytes();
        ++read.launches;
        if (numbers.size() == at_once) flush();
    }
    if (!numbers.empty()) flush();
    context.progress.report(1, "find signal");
    add(context.timings, read);
    add(context.timings, find);
}

}  // namespace

void run_reference(const SpotProblem& problem, SignalSink& sink, HostContext& context) {
    run_bands(problem, reference_signal, sink, context);
}

void run_integral_images(const SpotProblem& problem, SignalSink& sink, HostContext& context) {
    run_bands(problem, signal_by_integral_images, sink, context);
}

}  // namespace ks::spots
