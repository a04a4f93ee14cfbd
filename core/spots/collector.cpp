#include "core/spots/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/run/stopwatch.h"
#include "core/spots/frame_pieces.h"
#include "core/spots/frame_resolution.h"
#include "core/spots/piece_sums.h"
#include "core/spots/spot_columns.h"
#include "core/spots/spot_filter.h"
#include "core/spots/spot_linker.h"

namespace ks::spots {
namespace {

/// The pixels that no image has: the ignored ones and those between the modules.
std::vector<std::uint8_t> unused_pixels(const SpotProblem& problem) {
    const ModuleLayout& layout = problem.layout();
    std::vector<std::uint8_t> unused(problem.ignore().size(), 1);
    for (std::size_t i = 0; i < layout.pixels(); ++i) {
        const std::size_t at = layout.in_frame(i);
        unused[at] = problem.ignore()[at];
    }
    return unused;
}

/// What the table of frames holds beside its axis.
struct FrameRow {
    std::uint8_t missing = 0;
    std::uint32_t signal = 0, spots = 0;
    double sum = 0, d = 0;
};

template <class T, class Get>
Dataset column(const char* name, const char* title, const char* unit, const std::vector<FrameRow>& rows,
               const Get& get) {
    std::vector<T> values;
    for (const FrameRow& row : rows) values.push_back(get(row));
    return {name, title, unit, DataKind::curves, Array::of<T>({rows.size()}, values), {"frame"}};
}

std::vector<Dataset> frame_datasets(const std::vector<FrameRow>& rows, std::size_t first) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t k = 0; k < rows.size(); ++k) numbers.push_back(static_cast<std::uint32_t>(first + k));
    return {{"frame", "Frame", "", DataKind::axis, Array::of<std::uint32_t>({rows.size()}, numbers)},
            column<std::uint8_t>("frame_missing", "Missing in the file", "", rows,
                                 [](const FrameRow& row) { return row.missing; }),
            column<std::uint32_t>("frame_signal", "Signal pixels", "px", rows,
                                  [](const FrameRow& row) { return row.signal; }),
            column<std::uint32_t>("frame_spots", "Spots", "", rows,
                                  [](const FrameRow& row) { return row.spots; }),
            column<double>("frame_sum", "Sum of the spots", "counts", rows,
                           [](const FrameRow& row) { return row.sum; }),
            column<double>("frame_d", "Estimated resolution", "angstrom", rows,
                           [](const FrameRow& row) { return row.d; })};
}

std::vector<FrameRow> frame_rows(const SpotProblem& problem, const std::vector<Spot>& spots,
                                 const std::vector<std::vector<std::uint32_t>>& signals) {
    std::vector<FrameRow> rows(problem.frames());
    std::vector<std::vector<double>> spacings(rows.size());
    for (const Spot& spot : spots) {
        if (spot.dropped != Dropped::kept) continue;
        FrameRow& row = rows[spot.peak_z];
        ++row.spots;
        row.sum += spot.sum;
        spacings[spot.peak_z].push_back(spot.d);
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k].missing = problem.missing(k) ? 1 : 0;
        rows[k].signal = static_cast<std::uint32_t>(signals[k].size());
        rows[k].d = frame_resolution(spacings[k]);
    }
    return rows;
}

std::string missing_warning(const SpotProblem& problem) {
    constexpr std::size_t most = 20;
    const SharedFrames& shared = *problem.shared();
    std::string list;
    for (std::size_t k = 0, listed = 0; k < shared.frames(); ++k) {
        if (!shared.missing(k)) continue;
        if (listed++ == most) {
            list += fmt::format(" and {} more", shared.missing() - most);
            break;
        }
        list += fmt::format("{}{}", list.empty() ? "" : ", ", shared.first() + k);
    }
    const bool one = shared.missing() == 1;
    return fmt::format("{} of {} frames {} missing in {} and {} skipped: {}", shared.missing(),
                       shared.frames(), one ? "is" : "are", shared.source().name(), one ? "was" : "were",
                       list);
}

void add_facts(const SpotProblem& problem, const std::vector<Spot>& spots, Result& result) {
    auto& facts = result.facts;
    facts["frames"] = problem.frames();
    facts["missing_frames"] = problem.shared()->missing();
    facts["height"] = problem.height();
    facts["width"] = problem.width();
    facts["first_frame"] = problem.shared()->first();
    facts["masked_pixels"] = problem.masked_pixels();
    facts["signal_pixels"] = result.at("signal_pixel").values.size();
    facts["spots"] = spots.size();
    for (const Dropped why : {Dropped::kept, Dropped::too_small, Dropped::too_large, Dropped::far_peak,
                              Dropped::resolution, Dropped::ice}) {
        std::string name = why == Dropped::kept ? "kept" : std::string("dropped_") + name_of(why);
        std::ranges::replace(name, ' ', '_');
        facts[name] = std::ranges::count(spots, why, &Spot::dropped);
    }
    facts["save_signal"] = problem.save_signal;
    facts["all_spots"] = problem.all_spots;
}

}  // namespace

struct SpotCollector::State {
    const SpotProblem& problem;
    std::vector<std::uint8_t> unused;  ///< empty: the problem's ignore()
    SpotLinker linker;
    std::vector<std::vector<std::uint32_t>> signals;  ///< by frame
    std::uint64_t nanoseconds = 0;

    std::span<const std::uint8_t> ignore() const { return unused.empty() ? problem.ignore() : unused; }
};

SpotCollector::SpotCollector(const SpotProblem& problem)
    : state_(new State{problem, {}, SpotLinker(problem.grouping().stills), {}, 0}) {
    if (!problem.layout().is_whole()) state_->unused = unused_pixels(problem);
    state_->signals.resize(problem.frames());
}

SpotCollector::~SpotCollector() = default;

void SpotCollector::add(std::size_t frame, std::span<const std::byte> pixels,
                        std::span<const std::uint32_t> signal) {
    Stopwatch watch;
    const SpotProblem& problem = state_->problem;
    const ImageView image{pixels,          problem.type(),   problem.height(),
                          problem.width(), state_->ignore(), problem.limit()};
    FramePieces pieces = pieces_of(signal, problem.width());
    const std::vector<SpotSums> sums = measure(pieces, image, frame);
    state_->linker.add(frame, std::move(pieces), sums);
    state_->signals[frame].assign(signal.begin(), signal.end());
    state_->nanoseconds += watch.lap();
}

Result SpotCollector::result() {
    Stopwatch watch;
    const SpotProblem& problem = state_->problem;
    std::vector<Spot> spots = state_->linker.spots();
    const bool resolves = problem.geometry.complete() && problem.located;
    for (Spot& spot : spots) {
        if (resolves) {
            spot.q = problem.geometry.q(spot.x, spot.y);
            spot.d = problem.geometry.d(spot.x, spot.y);
        }
        spot.dropped = why_dropped(spot, problem.grouping());
    }
    Result result;
    const auto append = [&](std::vector<Dataset> more) {
        for (Dataset& dataset : more) result.datasets.push_back(std::move(dataset));
    };
    append(table_datasets(spots));
    append(frame_datasets(frame_rows(problem, spots, state_->signals), problem.shared()->first()));
    append(signal_datasets(state_->signals));
    add_facts(problem, spots, result);
    if (problem.shared()->missing() > 0) result.warnings.push_back(missing_warning(problem));
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
