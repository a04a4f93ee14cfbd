#pragma once

#include <functional>
#include <vector>

#include "core/ranks/exchange.h"
#include "core/record/batch.h"

namespace ks {

/// run_batch() by all ranks: rank 0 hands the next item to whoever asks, and runs items itself meanwhile, on
/// a thread of its own. Rows come, and are told, at rank 0, in the order of the plan; other ranks return
/// none. Throws ks::Error(cancelled) as run_batch() does, and ks::Error(input) where ranks have other plans.
/// @param run_one at rank 0 called from that thread, and must not speak to other ranks
std::vector<BatchRow> run_batch_over_ranks(Exchange& exchange, const BatchPlan& plan, Progress& progress,
                                           const std::function<BatchRow(const BatchItem&)>& run_one,
                                           const std::function<void(const BatchRow&)>& each);

}  // namespace ks
