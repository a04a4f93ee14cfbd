#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/run/bench.h"
#include "core/run/bench_statistics.h"

namespace ks {

/// A saved benchmark (`bench --json`) that later ones are compared with.
struct BenchBaseline {
    struct Point {
        nlohmann::json sizes;
        std::vector<BenchRow> rows;  ///< without facts; builds as far as the file has them

        const BenchRow* find(const std::string& variant) const;
    };
    std::string file, analysis, started, version, from;
    bool kernels_only = false;
    DeviceInfo device;
    std::optional<DeviceInfo> host = {};  ///< absent in the oldest files
    std::optional<double> load = {};      ///< as BenchReport has it
    std::map<std::string, std::string> defines;
    std::vector<Point> points;

    /// Throws ks::Error(input) if the file is not a benchmark report, is damaged or has a newer format.
    static BenchBaseline read(const std::filesystem::path& file);
    /// Throws ks::Error(input) if a benchmark of that plan has a different analysis, definitions or source
    /// of input, or no sizes in common.
    /// @param sizes bench_points() of the plan
    void require_comparable(const BenchPlan& plan, const std::vector<ParameterSet>& sizes) const;
};

/// A benchmark with all samples, in the format described in docs/formats.md.
nlohmann::json bench_json(const BenchReport& report);
/// The same as the text of a file.
std::string bench_text(const BenchReport& report);

/// Reasons why times of then and now cannot be compared fairly, one sentence each: another device, driver or
/// processor, or a machine that was busier before the benchmark.
std::vector<std::string> differences_of_machine(const BenchBaseline& baseline, const BenchReport& now);

/// Whether a row belongs to a user's kernel whose text has changed since, as far as both record the hashes of
/// what was built; files of earlier versions do not.
bool is_other_text(const BenchRow& then, const BenchRow& now);

/// A variant at a point, then and now.
struct BenchChange {
    std::string variant;
    ParameterSet sizes;
    std::string not_compared{};    ///< why there are no numbers
    bool other_text = false;       ///< a user's kernel whose text has changed since
    bool wrong_then = false;       ///< the baseline's own check failed: its times are those of other work
    double before = 0, now = 0;    ///< medians, nanoseconds
    RatioInterval ratio{0, 0, 0};  ///< now / before
};

/// One change per row of `now`, which must be comparable.
std::vector<BenchChange> changes_since(const BenchBaseline& baseline, const BenchReport& now,
                                       double BenchSample::*time);

}  // namespace ks
