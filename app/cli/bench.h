#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/progress.h"
#include "core/run/engine.h"
#include "core/run/run.h"

namespace ks::cli {

struct BenchPlan {
    std::string analysis;
    ParameterSet sizes;  ///< as given; of a report: as Analysis::benchmark_sizes() completes them
    std::vector<std::string> variants;  ///< ids; empty: all that belong to the device or the host
    std::string device;
    std::size_t repeats = 10, warmups = 1;
    std::optional<std::uint64_t> memory_limit = {};
    CheckMode check = CheckMode::full;
    /// Set for the variants that have a definition of that name.
    std::map<std::string, std::string> defines = {};
    struct KernelSource {
        std::string file, text;
    };
    /// By the id of the variant whose own they replace.
    std::map<std::string, KernelSource> kernel_sources = {};
};

/// What one run of a variant took, nanoseconds.
struct BenchSample {
    double kernel = 0;  ///< kernels; for host variants their host stages
    double upload = 0, download = 0, host = 0, read = 0, total = 0;
    std::vector<Timing> timings;
};

struct BenchRow {
    Variant variant;
    std::string not_run;  ///< why there are no samples
    bool failed =
        false;  ///< not_run tells of a failure, not of something that the device or the request excludes
    BenchSample first;  ///< the very first run: builds the kernels and uploads
    std::vector<BenchSample> samples;
    std::vector<BuildLog> builds;  ///< the programs of its runs
    nlohmann::json facts;          ///< Result::facts of its first run
    Verdict verdict;
    /// Of the device, by the median of the kernels; nothing for host variants.
    std::optional<CeilingShare> ceiling;
};

struct BenchReport {
    BenchPlan plan;
    DeviceInfo device;
    DeviceInfo host;
    std::string started, version;
    std::string ceilings_started;  ///< when the ceilings were measured; empty: no row has a share
    std::vector<BenchRow> rows;

    /// The row that speed-ups are counted from, and the host's best; null where it has no samples.
    const BenchRow* baseline() const;
    const BenchRow* best_host(const std::string& reference) const;
};

/// Times the variants: one check each, warm-ups, then the repeats round robin, so that noise hits all of them
/// alike. A variant that takes over 5 s a run is repeated 3 times at most. Throws ks::Error where nothing can
/// be asked.
BenchReport run_bench(Engine& engine, const BenchPlan& plan, Progress& progress);

std::string bench_table(const BenchReport& report, const std::string& reference);
nlohmann::json bench_json(const BenchReport& report);

}  // namespace ks::cli
