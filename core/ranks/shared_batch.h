#pragma once

#include <functional>
#include <vector>

#include "core/ranks/exchange.h"
#include "core/record/batch.h"

namespace ks {

/// run_batch() on all ranks: rank 0 hands the next item to whichever rank requests one, and runs items
/// itself on a second thread. Rows are collected and reported at rank 0, in the order of the plan; other
/// ranks return none. Throws ks::Error(cancelled) as run_batch() does, and ks::Error(input) if the plans of
/// the ranks differ.
/// @param run_one is called from that thread at rank 0 and must not communicate with other ranks
std::vector<BatchRow> run_batch_over_ranks(Exchange& exchange, const BatchPlan& plan, Progress& progress,
                                           const std::function<BatchRow(const BatchItem&)>& run_one,
                                           const std::function<void(const BatchRow&)>& each);

}  // namespace ks
