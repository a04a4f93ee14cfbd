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

/// A benchmark that was kept (`bench --json`), to compare later ones with.
struct BenchBaseline {
    struct Point {
        nlohmann::json sizes;
        std::vector<BenchRow> rows;  ///< without facts, and of builds what the file tells

        const BenchRow* find(const std::string& variant) const;
    };
    std::string file, analysis, started, version, from;
    bool kernels_only = false;
    DeviceInfo device;
    std::optional<DeviceInfo> host = {};  ///< absent in the first files
    std::optional<double> load = {};      ///< as BenchReport has it
    std::map<std::string, std::string> defines;
    std::vector<Point> points;

    /// Throws ks::Error(input) where the file is none of a benchmark, damaged, or of a newer form.
    static BenchBaseline read(const std::filesystem::path& file);
    /// Throws ks::Error(input) where a benchmark of that plan is of another analysis or other definitions,
    /// takes its input from elsewhere, or has no sizes in common.
    /// @param sizes bench_points() of the plan
    void require_comparable(const BenchPlan& plan, const std::vector<ParameterSet>& sizes) const;
};

/// A benchmark with all samples; what stands in it is in docs/formats.md.
nlohmann::json bench_json(const BenchReport& report);
/// The same as the text of a file.
std::string bench_text(const BenchReport& report);

/// What makes times of then and now no fair comparison, a sentence each: another device, driver or processor,
/// or a machine that was busier before the benchmark began.
std::vector<std::string> differences_of_machine(const BenchBaseline& baseline, const BenchReport& now);

/// Whether a row is of a kernel of the user's own whose text was another one then, as far as both tell the
/// hashes of what was built: files of earlier versions do not.
bool is_other_text(const BenchRow& then, const BenchRow& now);

/// A variant at a point, then and now.
struct BenchChange {
    std::string variant;
    ParameterSet sizes;
    std::string not_compared{};    ///< why there are no numbers
    bool other_text = false;       ///< a kernel of the user's own whose text was another one then
    double before = 0, now = 0;    ///< medians, nanoseconds
    RatioInterval ratio{0, 0, 0};  ///< now / before
};

/// Of every row of `now`, which is comparable.
std::vector<BenchChange> changes_since(const BenchBaseline& baseline, const BenchReport& now,
                                       double BenchSample::*time);

}  // namespace ks
