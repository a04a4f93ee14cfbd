#include "core/spots/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/spots/grouping/frame_pieces.h"
#include "core/spots/grouping/piece_sums.h"
#include "core/spots/grouping/spot_filter.h"
#include "core/spots/grouping/spot_linker.h"
#include "core/spots/results/frame_columns.h"
#include "core/spots/results/marked_pixels.h"
#include "core/spots/results/spot_columns.h"

namespace ks::spots {
namespace {

std::string missing_warning(const SpotProblem& problem) {
    constexpr std::size_t maximum = 20;
    const SharedFrames& shared = *problem.shared();
    std::string list;
    for (std::size_t k = 0, listed = 0; k < shared.frames(); ++k) {
        if (!shared.missing(k)) continue;
        if (listed++ == maximum) {
            list += fmt::format(" and {} more", shared.missing() - maximum);
            break;
        }
        list += fmt::format("{}{}", list.empty() ? "" : ", ", shared.first() + k);
    }
    const bool one = shared.missing() == 1;
    return fmt::format("{} of {} frames {} missing in {} and {} skipped: {}", shared.missing(),
                       shared.frames(), one ? "is" : "are", shared.source().name(), one ? "was" : "were",
                       list);
}

void add_facts(const SpotProblem& problem, Result& result) {
    auto& facts = result.facts;
    const auto dropped = result.at("dropped").values.as<std::uint8_t>();
    facts["frames"] = problem.frames();
    facts["missing_frames"] = problem.shared()->missing();
    facts["height"] = problem.height();
    facts["width"] = problem.width();
    facts["first_frame"] = problem.shared()->first();
    facts["masked_pixels"] = problem.masked_pixels();
    facts["signal_pixels"] = result.at("signal_pixel").values.size();
    facts["spots"] = dropped.size();
    for (const Dropped why : all_reasons) {
        std::string name = why == Dropped::kept ? "kept" : std::string("dropped_") + name_of(why);
        std::ranges::replace(name, ' ', '_');
        facts[name] = std::ranges::count(dropped, static_cast<std::uint8_t>(why));
    }
    facts["save_signal"] = problem.save_signal;
    facts["all_spots"] = problem.all_spots;
}

}  // namespace

struct SpotCollector::State {
    /// Work on a frame; its memory serves one frame after another.
    struct Frame {
        FramePieces pieces;
        PieceSums sums;
        std::vector<PieceOverlap> overlaps;  ///< with the frame before
        std::size_t marked_signal = 0;
    };
    const SpotProblem& problem;
    unsigned threads;
    SpotLinker linker{problem.grouping().stills};
    std::vector<Frame> frames = {};  ///< the last one added, then those that come at once
    std::vector<std::vector<std::uint32_t>> signals{problem.frames()};  ///< by frame
    std::size_t marked_signal = 0, marked_in_first = 0;
    std::uint64_t nanoseconds = 0;

    void group(std::span<const FrameSignal> found);
    void measure(std::span<const FrameSignal> found);
    std::vector<Dataset> table();
};

/// Frames by themselves first, side by side; only what links them goes frame by frame.
void SpotCollector::State::group(std::span<const FrameSignal> found) {
    frames.resize(std::max(frames.size(), found.size() + 1));
    parallel_for(found.size(), threads, [&](std::size_t i) {
        const auto& [number, pixels, signal] = found[i];
        Frame& frame = frames[i + 1];
        frame.pieces = pieces_of(signal, problem.width(), std::move(frame.pieces));
        const ImageView image{pixels,          problem.type(),   problem.height(),
                              problem.width(), problem.ignore(), problem.limit()};
        frame.sums.start(frame.pieces, image, problem.mask()->unused(), number);
        signals[number].assign(signal.begin(), signal.end());
        frame.marked_signal = spots::marked_signal(problem, found[i]);
        if (number == problem.shared()->first_there())
            marked_in_first = spots::marked_in_first(problem, pixels);
    });
    measure(found);
    for (std::size_t i = 0; i < found.size(); ++i) {
        linker.add(found[i].frame, frames[i + 1].overlaps, frames[i + 1].sums.sums());
        marked_signal += frames[i + 1].marked_signal;
    }
    if (!found.empty()) std::swap(frames[0], frames[found.size()]);
}

void SpotCollector::State::measure(std::span<const FrameSignal> found) {
    struct Task {
        std::size_t frame, block;
    };
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool linked = i == 0 ? linker.links_to(found[i].frame)
                                   : !problem.grouping().stills && found[i].frame == found[i - 1].frame + 1;
        frames[i + 1].overlaps.clear();
        const std::size_t blocks = frames[i + 1].sums.blocks();
        // The overlaps, which take as long as several blocks, are not left for the end.
        for (std::size_t b = blocks + (linked ? 1 : 0); b-- > 0;) tasks.push_back({i + 1, b});
    }
    parallel_for(tasks.size(), threads, [&](std::size_t t) {
        Frame& frame = frames[tasks[t].frame];
        if (tasks[t].block < frame.sums.blocks())
            frame.sums.measure(tasks[t].block);
        else
            find_overlaps(frames[tasks[t].frame - 1].pieces, frame.pieces, frame.overlaps);
    });
}

SpotCollector::SpotCollector(const SpotProblem& problem, unsigned threads)
    : state_(new State{problem, threads}) {}

SpotCollector::~SpotCollector() = default;

void SpotCollector::add(std::size_t frame, std::span<const std::byte> pixels,
                        std::span<const std::uint32_t> signal) {
    const FrameSignal found{frame, pixels, signal};
    add_all({&found, 1});
}

void SpotCollector::add_all(std::span<const FrameSignal> frames) {
    Stopwatch watch;
    state_->group(frames);
    state_->nanoseconds += watch.lap();
}

/// The table of the spots, a block of rows at a time.
std::vector<Dataset> SpotCollector::State::table() {
    constexpr std::size_t block = 256;
    const std::vector<std::uint32_t> roots = linker.roots();
    std::vector<Dataset> datasets = empty_table(roots.size(), threads);
    const bool resolves = problem.geometry.complete() && problem.located;
    parallel_for((roots.size() + block - 1) / block, threads, [&](std::size_t b) {
        std::vector<Spot> spots;
        for (std::size_t i = b * block; i < std::min(roots.size(), (b + 1) * block); ++i) {
            Spot& spot = spots.emplace_back(linker.spot(roots[i]));
            if (resolves) {
                spot.q = problem.geometry.q(spot.x, spot.y);
                spot.d = problem.geometry.d(spot.x, spot.y);
            }
            spot.dropped = why_dropped(spot, problem.grouping());
        }
        write_rows(spots, b * block, datasets);
    });
    return datasets;
}

Result SpotCollector::result() {
    Stopwatch watch;
    const SpotProblem& problem = state_->problem;
    Result result;
    const auto append = [&](std::vector<Dataset> more) {
        for (Dataset& dataset : more) result.datasets.push_back(std::move(dataset));
    };
    // The signal is as large as all else.
    auto signal = beside([this] { return signal_datasets(state_->signals); });
    append(state_->table());
    append(frame_datasets(problem, result, state_->signals, state_->threads));
    append(signal.get());
    add_facts(problem, result);
    if (problem.shared()->missing() > 0) result.warnings.push_back(missing_warning(problem));
    if (std::string warning = marked_warning(problem, state_->marked_in_first, state_->marked_signal);
        !warning.empty())
        result.warnings.push_back(std::move(warning));
    state_->nanoseconds += watch.lap();
    return result;
}

std::uint64_t SpotCollector::nanoseconds() const {
    return state_->nanoseconds;
}

Result collect(const SpotProblem& problem, std::vector<Timing>& timings,
               const std::function<void(SignalSink&)>& find) {
    SpotCollector collector(problem);
    Stopwatch watch;
    find(collector);
    Result result = collector.result();
    const double seconds = static_cast<double>(watch.lap()) / 1e9;
    add(timings, {.stage = "group", .kind = StageKind::host, .nanoseconds = collector.nanoseconds()});
    const auto frames = static_cast<double>(problem.frames() - problem.shared()->missing());
    if (seconds > 0) result.facts["frames_per_second"] = frames / seconds;
    return result;
}

}  // namespace ks::spots
