#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/xpcs/gram_rows.h"
#include "gpu/xpcs/gram_tiles.h"
#include "gpu/xpcs/gram_totals.h"

namespace ks::gpu::xpcs {

/// Takes tiles of G to totals. One way on the device, one on the host for devices without double precision;
/// both add along a diagonal in the order of t1.
class TileFinisher {
  public:
    virtual ~TileFinisher() = default;
    /// Starts a group of bins with totals of zero.
    virtual void begin(std::size_t bins) = 0;
    /// Launches the tile kernel on a batch and merges what it leaves. Returns the event of the tile kernel.
    virtual cl::Event run(const TileBatch& batch, const DeviceSlab& a, const DeviceSlab& b) = 0;
    virtual GramTotals end() = 0;
    /// [t1][t2] of the chosen bin; empty where none was asked for.
    virtual std::vector<double> two_time() = 0;
};

/// What both ways need.
struct FinishContext {
    LaunchContext& context;
    const ks::xpcs::CorrelationProblem& problem;
    const GramShape& shape;
    const GramPlan& plan;
};

std::unique_ptr<TileFinisher> finish_on_device(const FinishContext& with);
std::unique_ptr<TileFinisher> finish_on_host(const FinishContext& with);

}  // namespace ks::gpu::xpcs
