#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ranks/exchange.h"
#include "core/run/analysis.h"
#include "core/run/engine.h"

namespace ks {

/// Units [first, end) of a run, computed by one rank.
struct Share {
    std::size_t first = 0, end = 0;
    double work = 0;  ///< fraction of all work, 0 to 1

    bool is_empty() const { return first == end; }
};

/// Cuts units into `count` consecutive shares whose work is as even as whole units allow: each border is
/// placed where the cumulated work is nearest to its ideal value. Shares may be empty, but the first one has
/// a unit if there is any.
/// @param work per unit, not negative
std::vector<Share> even_shares(std::span<const double> work, std::size_t count);

/// The same for the units of a problem; borders are multiples of ShareUnits::multiple.
std::vector<Share> even_shares(const ShareUnits& units, std::size_t count);

/// Consecutive stages of a rank, counted from a moment common to all ranks.
class RankStages {
  public:
    /// Ends the current stage; the next one begins.
    void end(const std::string& stage, StageKind kind);
    /// Returns and clears the stages that have ended.
    std::vector<Timing> taken();
    /// Nanoseconds since that moment.
    std::uint64_t now() const;

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point zero_ = Clock::now(), last_ = zero_;
    std::vector<Timing> rows_;
};

/// What a rank computed for a run: the units of its share.
struct RankPart {
    std::string host;
    Share share;
    Run run;  ///< without a result if the share is empty
};

/// Runs the share of this rank.
/// @param request with this rank's device
/// @param stages of the rank so far
RankPart computed_part(Engine& engine, const Exchange& exchange, const Request& request,
                       const std::shared_ptr<const Problem>& whole, const Share& share, RankStages& stages,
                       Progress& progress);

wire::Message message_of(const RankPart& part);
/// Throws ks::Error(run).
RankPart part_from(const wire::Message& message);

/// Joins the parts of all ranks, by rank, into one run: request, variant and device are those of rank 0.
/// Warnings that only some ranks had name these ranks.
Run joined_run(const Analysis& analysis, const Problem& whole, const ShareUnits& units,
               std::vector<RankPart> parts);

}  // namespace ks
