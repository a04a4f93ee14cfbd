#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/request.h"
#include "core/run/run.h"
#include "core/xpcs/live/diagonal_totals.h"
#include "core/xpcs/pairs/kept_pairs.h"

namespace ks::xpcs {

/// How many pairs a run for LivePairs may keep.
struct PairsLimit {
    std::uint64_t bytes = std::uint64_t{512} << 20;  ///< of 32-bit products
    double products = 2e11;                          ///< of counts, i.e. pairs times pixels
};
/// The number of delays from 0 on whose pairs are within the limit, at least 1.
/// @param pixels in all bins
std::size_t delays_within(const PairsLimit& limit, std::size_t frames, std::size_t bins, std::size_t pixels);

/// Whether two requests need the same pairs: at most their delays, frames that are left out or averaged,
/// estimator and errors differ.
bool need_same_pairs(const Request& one, const Request& other);

/// The pairs of frames of all bins of a run, from which curves follow for other choices of frames that are
/// left out, of the estimator and of its errors, without reading a frame.
class LivePairs {
  public:
    /// The request for the run: that of the next run, by host.pairs, with the pairs of these delays between
    /// single frames.
    /// @param keeps_left_out frames that it leaves out have no pairs; otherwise all frames are used
    /// @param frames of the range, so that those that it skips have no pairs then either; 0: they have
    static Request request_of(const Request& next, std::size_t delays, bool keeps_left_out,
                              std::size_t frames = 0);

    /// @param made the answer to `asked` @param frames_in_file also outside the range of the request
    /// Throws ks::Error(input) if it has no pairs.
    LivePairs(Request asked, const Run& made, std::size_t frames_in_file);

    const std::vector<BinPairs>& bins() const { return pairs_.bins; }
    std::size_t frames() const { return pairs_.used.size(); }
    /// Delays 0 .. delays() - 1 have pairs: frames(), unless that is more than PairsLimit allows.
    std::size_t delays() const { return delays_; }
    /// Number in the file of the first frame.
    std::size_t first_frame() const { return first_; }
    /// Frames that have pairs, [frame].
    const std::vector<bool>& used() const { return pairs_.used; }
    /// Seconds; nothing if it is unknown.
    const std::optional<double>& frame_time() const { return frame_time_; }
    /// Counts per pixel of each frame: of a bin, or of all bins together; missing_value where a frame has
    /// no pairs or a bin no pixels.
    std::vector<double> mean_counts(std::optional<std::size_t> bin) const;

    /// Monitor of each frame relative to its mean, missing_value where a frame has no pairs; empty: the
    /// counts are not normalised by a monitor.
    std::vector<double> monitor() const;

    /// Whether another request needs these pairs.
    bool is_of(const Request& next) const { return need_same_pairs(asked_, next); }
    /// The frames that a request leaves out, [frame]; nothing if it names them otherwise than by numbers
    /// ("auto"), or names frames that the file does not have.
    std::optional<std::vector<bool>> left_out(const Request& next) const;
    /// Those that it names before and after the frames of the pairs, as numbers in the file, ascending.
    std::vector<std::size_t> left_out_elsewhere(const Request& next) const;
    /// The run that the request would make, without its two-time map; nothing if it needs the frames: it
    /// averages frames or delays, uses frames that have no pairs, asks for errors over pixels or for static
    /// bins, or pixels would come back into their bins because they are invalid only in frames that it leaves
    /// out.
    std::optional<Run> preview(const Request& next);
    /// C(t1, t2) of a bin as two_time_of(), without the frames that the request leaves out; nothing where
    /// preview() gives nothing, or if the pairs do not have all delays.
    std::optional<std::vector<double>> two_time(const Request& next, std::size_t bin) const;

  private:
    /// As numbers in the file; nothing as for left_out().
    std::optional<std::vector<std::size_t>> named_frames(const Request& next) const;
    /// Frames that a preview of the request uses; nothing if there is none.
    std::optional<std::vector<bool>> used_by(const Request& next) const;

    Request asked_;
    Run base_;  ///< without the pairs
    KeptPairs pairs_;
    std::optional<double> frame_time_;
    std::size_t frames_in_file_ = 0, first_ = 0, delays_ = 0;
    bool pixels_change_ = false;                         ///< pixels are invalid in some frames only
    std::vector<std::optional<DiagonalTotals>> totals_;  ///< of each bin with pixels
};

}  // namespace ks::xpcs
