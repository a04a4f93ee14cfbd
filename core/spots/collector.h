#pragma once

#include <algorithm>
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

/// Makes the result of a run from the signal of its frames: groups them as they come (SpotLinker), measures
/// spots, filters.
///
/// Datasets of the result. Table, a row a spot, ordered by the first pixel (z, y, x), filtered ones too; kind
/// table:
///   n_signal u32; x0 x1 y0 y1 z0 z1 u32; x y z var_x var_y var_z sum peak background q d f64;
///   peak_x peak_y peak_z u32; saturated u32 (Spot::saturated); dropped u8 (Dropped; 0 = kept).
/// Frames, a row a frame; kind curves with the axis "frame":
///   frame u32 (number in the file; kind axis); frame_missing u8 (FrameState); frame_signal u32 (signal
///   pixels); frame_spots u32 (kept spots whose peak is there); frame_sum f64 (sum of their counts); frame_d
///   f64 (estimated resolution, angstrom: see frame_resolution(); NaN where unknown).
/// Signal, kind overlay: signal_offset u64 [frames + 1]; signal_pixel u32: indices [y][x] of the signal
/// pixels of frame k from
///   signal_offset[k] to signal_offset[k + 1].
/// q and d are NaN unless the geometry is complete and the beam located. Facts: frames, missing_frames,
/// left_out_frames and frames_without_valid (where there are any), damaged_frames, height, width,
/// first_frame, masked_pixels, signal_pixels, spots, kept, save_signal, all_spots,
///   dropped_<why> for each reason, spots_with_saturated, and hot_pixels: [[x, y], ...] of those that are
///   signal in all hot_in_frames frames, of five or more, where there are any. Warnings: missing frames ("3
///   of 10 frames are missing in FILE and were skipped: 4, 5, 9"), damaged ones likewise, frames of which
///   half of the pixels or more are invalid, pixels that hold io::marking_value().
class SpotCollector : public SignalSink {
  public:
    /// @param problem outlives the collector
    /// @param threads that work on what comes at once; the result is the same for any number
    /// @param memory  of the table; null: anywhere
    explicit SpotCollector(const SpotProblem& problem, unsigned threads = compute_threads(),
                           ResultMemory memory = {});
    ~SpotCollector() override;

    void add(std::size_t frame, std::span<const std::byte> pixels,
             std::span<const std::uint32_t> signal) override;
    void add_all(std::span<const FrameSignal> frames) override;
    bool takes_groups() const override { return true; }
    void add_groups(FrameGroups groups) override;
    /// What another collector found, of the part of the problem that begins at frame `first`; ascending. In
    /// place of the other functions. Spots that go on from part to part are the same bytes as if there were
    /// none: where doubles may have rounded their sums, these are made again, from their frames.
    void add_part(std::size_t first, SpotPart part);
    /// Of a problem that is a part, the SpotPart as a result.
    Result result();
    /// False where a spot of add_groups() has sums that doubles may not hold (SpotSums::exact): the result
    /// that was made is not the one that add_all() makes.
    bool exact() const;
    const Timing& timing() const;  ///< of the calls of it: the stage "group"

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The result of a collector that got all. Throws ks::Error(input) where no frame could be read.
Result collected(const SpotProblem& problem, SpotCollector& collector);

/// The result of what `find` delivers, with the fact frames_per_second; adds the timing row "group". Where
/// sums of groups that `find` made are not exact, it is called once more, for the host to group.
Result collect(const SpotProblem& problem, std::vector<Timing>& timings,
               const std::function<void(SignalSink&)>& find, ResultMemory memory = {});

}  // namespace ks::spots
