#pragma once

#include <string>
#include <vector>

#include "core/run/bench.h"
#include "core/run/bench_baseline.h"

namespace ks::cli {

/// A benchmark as a table for a terminal: of one point, or of several with the slopes over their sizes.
/// @param reference variant that does not count as the best of the host
std::string bench_table(const BenchReport& report, const std::string& reference);
/// The changes of one kind of time.
struct BenchTimeChanges {
    std::string name;  ///< "kernel"
    std::vector<BenchChange> changes;
};
/// What has changed since an earlier benchmark.
std::string changes_table(const BenchBaseline& baseline, const BenchReport& report,
                          const std::vector<BenchTimeChanges>& times);

}  // namespace ks::cli
