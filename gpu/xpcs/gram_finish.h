#pragma once

#include <memory>
#include <vector>

#include "gpu/xpcs/gram_rows.h"
#include "gpu/xpcs/gram_totals.h"

namespace ks::gpu::xpcs {

/// Reduces tiles of G to totals, on the device or, if it has no double precision, on the host. Both add along
/// a diagonal in the order of t1.
class TileFinisher {
  public:
    virtual ~TileFinisher() = default;
    /// Starts a group of bins with zero totals.
    virtual void begin(std::size_t bins) = 0;
    /// Launches the tile kernel on a batch and merges its results. Returns the event of the tile kernel.
    virtual cl::Event run(const TileBatch& batch, const DeviceSlab& a, const DeviceSlab& b) = 0;
    virtual GramTotals end() = 0;
    /// [t1][t2] of the chosen bin; empty if none was requested.
    virtual std::vector<double> two_time() = 0;
};

/// What both implementations need.
struct FinishContext {
    LaunchContext& context;
    const ks::xpcs::CorrelationProblem& problem;
    const GramShape& shape;
    const GramPlan& plan;
};

std::unique_ptr<TileFinisher> finish_on_device(const FinishContext& with);
std::unique_ptr<TileFinisher> finish_on_host(const FinishContext& with);

}  // namespace ks::gpu::xpcs
