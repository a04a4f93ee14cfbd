#include "core/spots/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/data/count_text.h"
#include "core/data/damaged_frame.h"
#include "core/spots/grouping/frame_pieces.h"
#include "core/spots/grouping/piece_sums.h"
#include "core/spots/grouping/spot_filter.h"
#include "core/spots/grouping/spot_linker.h"
#include "core/spots/results/filter_columns.h"
#include "core/spots/results/frame_columns.h"
#include "core/spots/results/invalid_frames.h"
#include "core/spots/results/marked_pixels.h"

namespace ks::spots {
namespace {

/// "3 of 10 frames are missing in FILE and were skipped: 4, 5, 9"
std::string skipped_warning(const SpotProblem& problem, const std::vector<std::size_t>& frames,
                            const char* what) {
    const SharedFrames& shared = *problem.shared();
    const bool one = frames.size() == 1;
    return fmt::format("{} of {} {} {} in {} and {} skipped: {}", frames.size(),
                       count_text(shared.frames(), "frame"), one ? "is" : "are", what, shared.source().name(),
                       one ? "was" : "were", frame_list(frames));
}

void add_skipped_warnings(const SpotProblem& problem, std::vector<std::string>& warnings) {
    const SharedFrames& shared = *problem.shared();
    std::vector<std::size_t> missing, damaged;
    for (std::size_t k = 0; k < shared.frames(); ++k)
        if (shared.missing(k) && !shared.left_out(k)) missing.push_back(shared.first() + k);
    if (!missing.empty()) warnings.push_back(skipped_warning(problem, missing, "missing"));
    const auto found = shared.damaged();
    for (const auto& [k, why] : found) damaged.push_back(shared.first() + k);
    if (!damaged.empty())
        warnings.push_back(fmt::format("{} (frame {}: {})", skipped_warning(problem, damaged, "damaged"),
                                       damaged.front(), found.begin()->second));
}

/// Throws if no frame could be read.
void require_sound_frames(const SharedFrames& shared) {
    const auto damaged = shared.damaged();
    if (damaged.empty() || damaged.size() + shared.missing() < shared.frames()) return;
    const char* const others = shared.missing() == 0    ? ""
                               : shared.left_out() == 0 ? " and the others missing"
                               : shared.left_out() == shared.missing()
                                   ? " and the others left out"
                                   : " and the others missing or left out";
    throw Error(ErrorKind::input,
                fmt::format("{} of {} {} damaged{}; frame {} cannot be read: {}", damaged.size(),
                            count_text(shared.frames(), "frame"), damaged.size() == 1 ? "is" : "are", others,
                            shared.first() + damaged.begin()->first, damaged.begin()->second),
                shared.source().name());
}

/// Pixels, as [x, y], that are signal in every searched frame, if these are too many for a reflection to be
/// present in all of them.
void add_hot_pixels(const SpotProblem& problem, std::span<const std::size_t> without_valid, Result& result) {
    constexpr std::size_t hot_frames = 5;
    const SharedFrames& shared = *problem.shared();
    std::vector<std::uint32_t> hot;
    std::size_t looked_at = 0;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame) {
        if (shared.missing(frame) || shared.damaged(frame)) continue;
        if (std::ranges::binary_search(without_valid, frame)) continue;
        const std::span<const std::uint32_t> signal = signal_of(result, frame);
        if (looked_at++ == 0)
            hot.assign(signal.begin(), signal.end());
        else
            std::erase_if(hot,
                          [&](std::uint32_t pixel) { return !std::ranges::binary_search(signal, pixel); });
        if (hot.empty()) break;
    }
    if (hot.empty() || looked_at < hot_frames) return;
    std::vector<std::array<std::size_t, 2>> places;
    for (const std::uint32_t pixel : hot)
        places.push_back({pixel % problem.width(), pixel / problem.width()});
    result.facts["hot_pixels"] = places;
    result.facts["hot_in_frames"] = looked_at;
}

using DroppedCounts = std::array<std::size_t, all_reasons.size()>;

void add_facts(const SpotProblem& problem, const DroppedCounts& dropped,
               std::span<const std::size_t> without_valid, Result& result) {
    auto& facts = result.facts;
    facts["frames"] = problem.frames();
    const std::size_t left_out = problem.shared()->left_out();
    facts["missing_frames"] = problem.shared()->missing() - left_out;
    if (left_out > 0) facts["left_out_frames"] = left_out;
    if (!without_valid.empty()) facts["frames_without_valid"] = without_valid.size();
    facts["damaged_frames"] = problem.shared()->damaged().size();
    facts["height"] = problem.height();
    facts["width"] = problem.width();
    facts["first_frame"] = problem.shared()->first();
    facts["masked_pixels"] = problem.masked_pixels();
    facts["signal_pixels"] = result.at("signal_pixel").values.size();
    facts["spots"] = std::accumulate(dropped.begin(), dropped.end(), std::size_t{0});
    for (const Dropped why : all_reasons) {
        std::string name = why == Dropped::kept ? "kept" : std::string("dropped_") + name_of(why);
        std::ranges::replace(name, ' ', '_');
        facts[name] = dropped[static_cast<std::size_t>(why)];
    }
    const auto saturated = result.at("saturated").values.as<std::uint32_t>();
    facts["spots_with_saturated"] =
        static_cast<std::size_t>(std::ranges::count_if(saturated, [](std::uint32_t n) { return n > 0; }));
    add_hot_pixels(problem, without_valid, result);
    facts["save_signal"] = problem.save_signal;
    facts["all_spots"] = problem.all_spots;
}

}  // namespace

struct SpotCollector::State {
    /// Table rows per task: for columns that need much computation per row, and for those that need little.
    static constexpr std::size_t busy_block = 128, light_block = 4096;
    /// State of one frame; its memory is reused for later frames.
    struct Frame {
        FramePieces pieces;
        PieceSums sums;
        std::vector<PieceOverlap> overlaps;  ///< with the previous frame
        std::size_t marked_signal = 0;
    };
    const SpotProblem& problem;
    unsigned threads;
    ResultMemory memory;
    SpotLinker linker{problem.grouping().stills};
    std::vector<Frame> frames = {};  ///< the last one added, then those added together
    std::vector<Array> signal = {};  ///< u32, several frames each
    std::vector<std::uint64_t> signal_sizes = std::vector<std::uint64_t>(problem.frames());  ///< by frame
    std::optional<GroupedTable> made = {};  ///< the table, if it was delivered whole
    bool exact = true;
    std::optional<SpotPart> part = {};             ///< its edges, if the problem is a part
    bool of_parts = false;                         ///< results are added as parts
    std::vector<std::uint32_t> crossing = {};      ///< groups that continue from one part to the next
    std::map<std::uint32_t, SpotSums> again = {};  ///< recomputed sums of such spots, by root
    DroppedCounts dropped{};                       ///< spots by reason, once the table exists
    std::size_t marked_signal = 0, marked_in_first = 0;
    Timing timing{.stage = "group", .kind = StageKind::host};

    void group(std::span<const FrameSignal> found);
    void measure(std::span<const FrameSignal> found);
    void add(FrameGroups groups);
    void link(FrameGroups& groups);
    /// For a part: records its first and last frame.
    void note_edge(std::size_t frame, const FramePieces& first);
    std::vector<SignalRun> in_groups(const FramePieces& pieces) const;
    void add_part(std::size_t first, SpotPart part);
    SpotPart as_part();
    void sum_again();
    std::span<const std::uint32_t> signal_in(std::size_t frame) const;
    void look_for_marks();
    Spot spot_of(std::uint32_t root) const;
    std::vector<Dataset> table();
    std::vector<Dataset> linked_table();
    std::vector<Dataset> made_table();
    /// Calls rows(first, last, counts) for blocks of table rows in parallel, and sums the counts.
    template <class Rows>
    void by_block(std::size_t all, std::size_t block, const Rows& rows);
    bool resolves() const { return problem.geometry.complete() && problem.located; }
};

/// First processes the frames independently and in parallel; only the linking is sequential.
void SpotCollector::State::group(std::span<const FrameSignal> found) {
    frames.resize(std::max(frames.size(), found.size() + 1));
    const std::size_t parts = signal.size();
    signal.resize(parts + found.size());
    parallel_for(found.size(), threads, [&](std::size_t i) {
        const auto& [number, pixels, of_frame] = found[i];
        Frame& frame = frames[i + 1];
        frame.pieces = pieces_of(of_frame, problem.width(), std::move(frame.pieces));
        const ImageView image{pixels,           problem.type(),  problem.height(),    problem.width(),
                              problem.ignore(), problem.limit(), problem.saturation()};
        frame.sums.start(frame.pieces, image, problem.mask()->unused(), number);
        signal[parts + i] = Array::of<std::uint32_t>({of_frame.size()}, of_frame);
        signal_sizes[number] = of_frame.size();
        frame.marked_signal = spots::marked_signal(problem, found[i]);
        if (number == problem.shared()->first_there())
            marked_in_first = spots::marked_in_first(problem, pixels);
    });
    measure(found);
    for (std::size_t i = 0; i < found.size(); ++i) {
        linker.add(found[i].frame, frames[i + 1].overlaps, frames[i + 1].sums.sums());
        note_edge(found[i].frame, frames[i + 1].pieces);
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
        // The overlaps take as long as several blocks, so they must not come last.
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

void SpotCollector::State::add(FrameGroups groups) {
    const std::vector<std::uint32_t> numbers = groups.spots.frames;
    if (groups.table)
        made = std::move(groups.table);
    else
        link(groups);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        signal_sizes[numbers[i]] = groups.offsets[i + 1] - groups.offsets[i];
    signal.push_back(std::move(groups.signal));
    marked_signal += groups.marked;
    if (std::ranges::find(numbers, problem.shared()->first_there()) != numbers.end())
        marked_in_first = spots::marked_in_first(problem, groups.first_pixels);
}

/// The linker treats frames that were grouped together like a single frame.
void SpotCollector::State::link(FrameGroups& groups) {
    frames.resize(std::max<std::size_t>(frames.size(), 1));
    const std::size_t places = groups.spots.frames.size(), first = groups.spots.frames.front();
    const auto count = static_cast<std::uint32_t>(groups.spots.size());
    const auto pixels = std::as_const(groups.signal).as<std::uint32_t>();
    const auto pieces = [&](std::size_t place) {
        const std::size_t from = groups.offsets[place], n = groups.offsets[place + 1] - from;
        return pieces_of_groups(pixels.subspan(from, n), groups.spot.subspan(from, n), count,
                                problem.width());
    };
    std::vector<PieceOverlap> overlaps;
    if (!groups.spot.empty() && linker.links_to(first)) find_overlaps(frames[0].pieces, pieces(0), overlaps);
    const std::size_t last = groups.spots.frames.back();
    linker.add(overlaps, std::move(groups.spots));
    note_edge(first, groups.spot.empty() || part ? FramePieces{} : pieces(0));
    if (part) part->last_frame = last;
    frames[0].pieces = groups.spot.empty() ? FramePieces{} : pieces(places - 1);
}

std::vector<SignalRun> SpotCollector::State::in_groups(const FramePieces& pieces) const {
    std::vector<SignalRun> runs = pieces.runs;
    for (SignalRun& run : runs) run.piece = linker.last_groups()[run.piece];
    return runs;
}

void SpotCollector::State::note_edge(std::size_t frame, const FramePieces& first) {
    if (!problem.is_part()) return;
    if (!part) {
        part.emplace();
        part->any = true;
        part->first_frame = frame;
        if (!problem.grouping().stills) part->first_runs = in_groups(first);
    }
    part->last_frame = frame;
}

SpotPart SpotCollector::State::as_part() {
    SpotPart own = part.value_or(SpotPart{});
    if (own.any && !problem.grouping().stills) own.last_runs = in_groups(frames[0].pieces);
    const std::vector<std::uint32_t> roots = linker.roots();
    sum_again();
    own.sums.reserve(roots.size());
    for (const std::uint32_t root : roots) {
        const auto better = again.find(root);
        own.sums.push_back(better == again.end() ? linker.sums(root) : better->second);
        if (linker.has_grouped() && !linker.exact(root)) exact = false;
    }
    for (std::vector<SignalRun>* runs : {&own.first_runs, &own.last_runs})
        for (SignalRun& run : *runs)
            run.piece = static_cast<std::uint32_t>(
                std::ranges::lower_bound(roots, linker.root_of(run.piece)) - roots.begin());
    own.signal_sizes = signal_sizes;
    own.signal = signal_datasets(std::move(signal), signal_sizes, threads).back().values;
    own.marked_signal = marked_signal;
    return own;
}

void SpotCollector::State::add_part(std::size_t first, SpotPart found) {
    frames.resize(1);
    of_parts = true;
    std::ranges::copy(found.signal_sizes, signal_sizes.begin() + static_cast<std::ptrdiff_t>(first));
    signal.push_back(std::move(found.signal));
    marked_signal += found.marked_signal;
    if (!found.any) return;
    const auto count = static_cast<std::uint32_t>(found.sums.size());
    for (SpotSums& sums : found.sums) sums.move_frames(static_cast<std::uint32_t>(first));
    const FramePieces pieces{std::move(found.first_runs), count};
    std::vector<PieceOverlap> overlaps;
    if (linker.links_to(first + found.first_frame)) find_overlaps(frames[0].pieces, pieces, overlaps);
    linker.add(first + found.last_frame, overlaps, found.sums);
    for (const PieceOverlap& overlap : overlaps) crossing.push_back(linker.last_groups()[overlap.now]);
    note_edge(first + found.first_frame, pieces);
    if (part) part->last_frame = first + found.last_frame;
    frames[0].pieces = {std::move(found.last_runs), count};
}

/// For spots that continue across parts and whose sums are not whole numbers in doubles: recomputes the sums
/// as sequential processing of all frames would have given them.
void SpotCollector::State::sum_again() {
    const bool whole_counts = problem.type() != ElementType::f32;
    std::vector<std::uint32_t> roots;
    for (const std::uint32_t group : crossing)
        if (const std::uint32_t root = linker.root_of(group); !whole_counts || !linker.sums(root).exact())
            roots.push_back(root);
    std::ranges::sort(roots, {}, [this](std::uint32_t root) { return linker.sums(root).z0(); });
    for (std::size_t i = 0; i < roots.size();) {
        // Spots with overlapping frames are processed together.
        const std::size_t from = linker.sums(roots[i]).z0();
        std::size_t to = from;
        std::map<std::array<std::uint32_t, 3>, std::uint32_t> wanted;
        for (; i < roots.size() && (to == from || linker.sums(roots[i]).z0() < to); ++i) {
            to = std::max<std::size_t>(to, linker.sums(roots[i]).z1());
            wanted.emplace(linker.sums(roots[i]).first(), roots[i]);
        }
        State some{problem, threads, {}};
        std::vector<std::byte> scratch;
        for (std::size_t frame = from; frame < to; ++frame) {
            const auto pixels = problem.shared()->sound_frame(frame, scratch);
            if (!pixels) continue;
            const FrameSignal found{frame, *pixels, signal_in(frame)};
            some.group({&found, 1});
        }
        for (const std::uint32_t root : some.linker.roots()) {
            const SpotSums sums = some.linker.sums(root);
            if (const auto known = wanted.find(sums.first()); known != wanted.end())
                again.insert_or_assign(known->second, sums);
        }
    }
}

/// For results added as parts.
std::span<const std::uint32_t> SpotCollector::State::signal_in(std::size_t frame) const {
    std::uint64_t before = 0;
    for (std::size_t k = 0; k < frame; ++k) before += signal_sizes[k];
    for (const Array& some : signal) {
        if (before < some.size()) return some.as<std::uint32_t>().subspan(before, signal_sizes[frame]);
        before -= some.size();
    }
    return {};
}

/// The first frame of the run, which no part could identify as such.
void SpotCollector::State::look_for_marks() {
    const SharedFrames& shared = *problem.shared();
    const std::size_t first = shared.first_there();
    if (first == shared.frames() || !counted_mark(problem)) return;
    std::vector<std::byte> scratch;
    const auto pixels =
        shared.knows_marked() ? std::span<const std::byte>() : shared.sound_frame(first, scratch).value();
    marked_in_first = spots::marked_in_first(problem, pixels);
}

Spot SpotCollector::State::spot_of(std::uint32_t root) const {
    const auto better = again.find(root);
    return better == again.end() ? linker.spot(root) : better->second.spot();
}

SpotCollector::SpotCollector(const SpotProblem& problem, unsigned threads, ResultMemory memory)
    : state_(new State{problem, threads, std::move(memory)}) {}

SpotCollector::~SpotCollector() = default;

void SpotCollector::add(std::size_t frame, std::span<const std::byte> pixels,
                        std::span<const std::uint32_t> signal) {
    const FrameSignal found{frame, pixels, signal};
    add_all({&found, 1});
}

void SpotCollector::add_all(std::span<const FrameSignal> frames) {
    Stopwatch watch;
    state_->group(frames);
    add_piece(state_->timing, watch.lap());
}

void SpotCollector::add_groups(FrameGroups groups) {
    Stopwatch watch;
    state_->add(std::move(groups));
    add_piece(state_->timing, watch.lap());
}

void SpotCollector::add_part(std::size_t first, SpotPart part) {
    Stopwatch watch;
    state_->add_part(first, std::move(part));
    add_piece(state_->timing, watch.lap());
}

template <class Rows>
void SpotCollector::State::by_block(std::size_t all, std::size_t block, const Rows& rows) {
    std::array<std::atomic<std::size_t>, all_reasons.size()> counts{};
    parallel_for((all + block - 1) / block, threads, [&](std::size_t b) {
        DroppedCounts own{};
        rows(b * block, std::min(all, (b + 1) * block), own);
        for (std::size_t why = 0; why < own.size(); ++why) counts[why] += own[why];
    });
    std::ranges::copy(counts, dropped.begin());
}

std::vector<Dataset> SpotCollector::State::table() {
    return made ? made_table() : linked_table();
}

/// The table of the linked spots.
std::vector<Dataset> SpotCollector::State::linked_table() {
    const std::vector<std::uint32_t> roots = linker.roots();
    std::vector<Dataset> datasets = empty_table(roots.size(), memory);
    std::atomic<bool> all_exact = true;
    by_block(roots.size(), busy_block, [&](std::size_t first, std::size_t last, DroppedCounts& counts) {
        std::vector<Spot> spots;
        spots.reserve(last - first);
        for (std::size_t i = first; i < last; ++i) {
            Spot& spot = spots.emplace_back(spot_of(roots[i]));
            if (linker.has_grouped() && !linker.exact(roots[i])) all_exact = false;
            if (resolves()) {
                spot.q = problem.geometry.q(spot.x, spot.y);
                spot.d = problem.geometry.d(spot.x, spot.y);
            }
            spot.dropped = why_dropped(spot, problem.grouping());
            ++counts[static_cast<std::size_t>(spot.dropped)];
        }
        write_rows(spots, first, datasets);
    });
    exact = all_exact;
    return datasets;
}

/// The delivered table. With a geometry, q, d and dropped are computed from its columns.
std::vector<Dataset> SpotCollector::State::made_table() {
    exact = made->exact;
    FilterColumns columns(made->columns);
    const bool resolved = resolves(), filtered = made->filtered;
    const auto finish = [&](std::size_t first, std::size_t last, DroppedCounts& counts) {
        for (std::size_t i = first; i < last; ++i) {
            if (resolved) columns.resolve(i, problem.geometry);
            if (resolved || !filtered) columns.filter(i, problem.grouping());
            ++counts[static_cast<std::size_t>(columns.dropped(i))];
        }
    };
    by_block(columns.size(), resolved ? busy_block : light_block, finish);
    return std::move(made->columns);
}

Result SpotCollector::result() {
    Stopwatch watch;
    const SpotProblem& problem = state_->problem;
    Result result;
    if (problem.is_part()) {
        result = result_of(state_->as_part());
        nlohmann::json& damaged = result.facts["damaged"] = nlohmann::json::object();
        for (const auto& [frame, why] : problem.shared()->damaged()) damaged[std::to_string(frame)] = why;
        add_piece(state_->timing, watch.lap());
        return result;
    }
    state_->sum_again();
    if (state_->of_parts) state_->look_for_marks();
    const auto append = [&](std::vector<Dataset> more) {
        for (Dataset& dataset : more) result.datasets.push_back(std::move(dataset));
    };
    // The signal is as large as everything else together.
    const auto make_signal = [this] {
        return signal_datasets(std::move(state_->signal), state_->signal_sizes, state_->threads);
    };
    const bool copies = state_->signal.size() != 1;
    Pending<std::vector<Dataset>> signal;
    if (copies) signal = beside(make_signal);
    append(state_->table());
    const InvalidFrames invalid = find_invalid_frames(problem, state_->signal_sizes, state_->threads);
    append(frame_datasets(problem, result, state_->signal_sizes, invalid.without_valid, state_->threads));
    append(copies ? signal.get() : make_signal());
    add_facts(problem, state_->dropped, invalid.without_valid, result);
    add_skipped_warnings(problem, result.warnings);
    if (std::string warning = invalid_frames_warning(problem, invalid); !warning.empty())
        result.warnings.push_back(std::move(warning));
    if (std::string warning = marked_warning(problem, state_->marked_in_first, state_->marked_signal);
        !warning.empty())
        result.warnings.push_back(std::move(warning));
    add_piece(state_->timing, watch.lap());
    return result;
}

bool SpotCollector::exact() const {
    return state_->exact;
}

const Timing& SpotCollector::timing() const {
    return state_->timing;
}

namespace {

/// Accepts frames only, so that the variant leaves the grouping to the host.
class HostGrouping : public SignalSink {
  public:
    explicit HostGrouping(SpotCollector& to) : to_(to) {}
    void add(std::size_t frame, std::span<const std::byte> pixels,
             std::span<const std::uint32_t> signal) override {
        to_.add(frame, pixels, signal);
    }
    void add_all(std::span<const FrameSignal> frames) override { to_.add_all(frames); }

  private:
    SpotCollector& to_;
};

}  // namespace

Result collected(const SpotProblem& problem, SpotCollector& collector) {
    // If this is a part, other parts may have readable frames.
    if (!problem.is_part()) require_sound_frames(*problem.shared());
    return collector.result();
}

Result collect(const SpotProblem& problem, std::vector<Timing>& timings,
               const std::function<void(SignalSink&)>& find, ResultMemory memory) {
    Stopwatch watch;
    SpotCollector collector(problem, compute_threads(), memory);
    find(collector);
    Result result = collected(problem, collector);
    if (!collector.exact()) {
        SpotCollector again(problem, compute_threads(), std::move(memory));
        HostGrouping host(again);
        find(host);
        result = again.result();
        add(timings, again.timing());
    }
    const double seconds = static_cast<double>(watch.lap()) / 1e9;
    add(timings, collector.timing());
    const SharedFrames& shared = *problem.shared();
    const auto frames = static_cast<double>(shared.frames() - shared.missing() - shared.damaged().size());
    if (seconds > 0) result.facts["frames_per_second"] = frames / seconds;
    return result;
}

}  // namespace ks::spots
