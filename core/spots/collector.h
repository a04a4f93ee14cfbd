#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/threads.h"
#include "core/run/result.h"
#include "core/run/timing.h"
#include "core/spots/problem.h"
#include "core/spots/results/spot_columns.h"
#include "core/spots/results/spot_part.h"
#include "core/spots/signal_sink.h"
#include "core/spots/spot.h"

namespace ks::spots {

/// Builds the result of a run from the signal of its frames: groups them as they arrive (SpotLinker),
/// measures spots and filters them.
///
/// Datasets of the result. Table, kind table, one row per spot including filtered ones, ordered by first
/// pixel (z, y, x):
///   n_signal u32; x0 x1 y0 y1 z0 z1 u32; x y z var_x var_y var_z sum peak background q d f64;
///   peak_x peak_y peak_z u32; saturated u32 (Spot::saturated); dropped u8 (Dropped; 0 = kept).
/// Frames, kind curves with the axis "frame", one row per frame:
///   frame u32 (number in the file; kind axis); frame_missing u8 (FrameState); frame_signal u32 (signal
///   pixels); frame_spots u32 (kept spots with their peak in the frame); frame_sum f64 (sum of their
///   counts); frame_d f64 (estimated resolution, angstrom: see frame_resolution(); NaN if unknown).
/// Signal, kind overlay:
///   signal_offset u64 [frames + 1]; signal_pixel u32: indices [y][x] of the signal pixels, those of frame k
///   from signal_offset[k] to signal_offset[k + 1].
/// q and d are NaN unless the geometry is complete and the beam located.
///
/// Facts: frames, missing_frames, left_out_frames and frames_without_valid (if there are any),
/// damaged_frames, height, width, first_frame, masked_pixels, signal_pixels, spots, kept, save_signal,
/// all_spots, dropped_<why> for each reason, and spots_with_saturated. If there are five frames or more and
/// some pixels are signal in all of them: hot_pixels, [[x, y], ...], and hot_in_frames, the number of these
/// frames.
///
/// Warnings: missing frames ("3 of 10 frames are missing in FILE and were skipped: 4, 5, 9"), damaged ones
/// likewise, frames with at least half of their pixels invalid, pixels that hold io::marking_value().
class SpotCollector : public SignalSink {
  public:
    /// @param problem outlives the collector
    /// @param threads for frames that are added together; the result is the same for any number
    /// @param memory for the table; null: any memory
    explicit SpotCollector(const SpotProblem& problem, unsigned threads = compute_threads(),
                           ResultMemory memory = {});
    ~SpotCollector() override;

    void add(std::size_t frame, std::span<const std::byte> pixels,
             std::span<const std::uint32_t> signal) override;
    void add_all(std::span<const FrameSignal> frames) override;
    bool takes_groups() const override { return true; }
    void add_groups(FrameGroups groups) override;
    /// Adds the result of another collector for the part of the problem that begins at frame `first`. Call it
    /// for all parts in ascending order, and none of the other functions that add. Spots that continue across
    /// parts have the same bytes as without parts: if doubles may have rounded their sums, these are
    /// recomputed from the frames.
    void add_part(std::size_t first, SpotPart part);
    /// If the problem is a part: the SpotPart, as a result.
    Result result();
    /// False if a spot from add_groups() has sums that doubles may not represent (SpotSums::exact): the
    /// result then differs from that of add_all().
    bool exact() const;
    const Timing& timing() const;  ///< time of its calls: the stage "group"

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The result of a collector to which everything was added. Throws ks::Error(input) if no frame
/// could be read.
Result collected(const SpotProblem& problem, SpotCollector& collector);

/// The result for the signal that `find` delivers, with the fact frames_per_second; adds the timing row
/// "group". If `find` delivers groups whose sums are not exact, it is called a second time, and the host
/// groups the signal.
Result collect(const SpotProblem& problem, std::vector<Timing>& timings,
               const std::function<void(SignalSink&)>& find, ResultMemory memory = {});

}  // namespace ks::spots
