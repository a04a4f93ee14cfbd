#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ranks/exchange.h"
#include "core/ranks/shares.h"
#include "core/run/engine.h"

namespace ks {

/// Stages of a rank one after another, counted from a moment that all ranks have in common.
class RankStages {
  public:
    /// One ends now, and the next one begins.
    void end(const std::string& stage, StageKind kind);
    /// Those that have ended; then there are none.
    std::vector<Timing> taken();
    /// Since that moment, in nanoseconds.
    std::uint64_t now() const;

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point zero_ = Clock::now(), last_ = zero_;
    std::vector<Timing> rows_;
};

/// What a rank computed of a run: units of its share.
struct RankPart {
    std::string host;
    Share share;
    Run run;  ///< without result where the share is empty
};

/// Runs the share of this rank. @param request with this rank's device @param stages of the rank until now
RankPart computed_part(Engine& engine, const Exchange& exchange, const Request& request,
                       const std::shared_ptr<const Problem>& whole, const Share& share, RankStages& stages,
                       Progress& progress);

wire::Message message_of(const RankPart& part);
/// Throws ks::Error(run).
RankPart part_from(const wire::Message& message);

/// The parts of all ranks, by rank, as one run: request, variant and device are rank 0's. What only some
/// ranks were warned of is told with their names.
Run joined_run(const Analysis& analysis, const Problem& whole, const ShareUnits& units,
               std::vector<RankPart> parts);

}  // namespace ks
