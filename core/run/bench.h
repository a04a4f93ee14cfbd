#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/fields.h"
#include "core/base/progress.h"
#include "core/run/bench_statistics.h"
#include "core/run/engine.h"
#include "core/run/run.h"

namespace ks {

/// How a benchmark combines sizes where several have more than one value.
enum class Sweep {
    product,    ///< every combination
    one_by_one  ///< one size at a time, the others at their first value
};
const char* name_of(Sweep sweep);
/// Throws ks::Error(input) for an unknown name.
Sweep sweep_from(const std::string& name);

/// The source of the input of each run of a benchmark.
enum class BenchFrom {
    device,  ///< stays on the device between runs, as far as the variant keeps it there
    memory,  ///< host memory: each run uploads what the device needs
    file     ///< each run reads the file, keeping nothing from the previous run
};
const char* name_of(BenchFrom from);
/// Throws ks::Error(input) for an unknown name.
BenchFrom bench_from_named(const std::string& name);

/// A kernel file that replaces that of a variant.
struct KernelSource {
    std::string file, text;
};

KS_FIELDS(KernelSource, file, text)

/// Values by ParameterSpec::id of AnalysisInfo::benchmark.
using SizeLists = std::map<std::string, std::vector<ParameterValue>>;

/// What to time.
struct BenchPlan {
    std::string analysis;
    SizeLists sizes;  ///< as given; sizes without values take their defaults
    Sweep sweep = Sweep::product;
    BenchFrom from = BenchFrom::device;
    /// Repeats only the launches of one run, queued back to back.
    bool kernels_only = false;
    /// Ids; empty: all built-in variants for the device or the host, except those that run by name only. The
    /// user's variants are timed only if they are named.
    std::vector<std::string> variants;
    std::string device;
    std::size_t repeats = 20, warmups = 1;
    std::optional<std::uint64_t> memory_limit = {};
    CheckMode check = CheckMode::full;
    /// Applied to the variants that have a definition of that name.
    std::map<std::string, std::string> defines = {};
    /// Use the values from the user's table of tuned values.
    bool user_tuned = true;
    /// By id of the variant whose source they replace.
    std::map<std::string, KernelSource> kernel_sources = {};
    /// Time limit of a user's kernel in seconds; absent: no limit.
    std::optional<double> kernel_limit = {};
    /// If present, the inputs and parameters of this request define the problem, and none is generated.
    /// `sizes` is then empty, and there is one point. All other settings come from the plan.
    std::optional<Request> request = {};
};

void fields(auto& visit, ConstOr<BenchPlan> auto& plan) {
    visit("analysis", plan.analysis);
    visit("sizes", plan.sizes);
    visit.name("sweep", plan.sweep, sweep_from);
    visit.name("from", plan.from, bench_from_named);
    visit("kernels_only", plan.kernels_only);
    visit("variants", plan.variants);
    visit("device", plan.device);
    visit("repeats", plan.repeats);
    visit("warmups", plan.warmups);
    visit("memory_limit", plan.memory_limit);
    visit.name("check", plan.check, check_mode_from);
    visit("defines", plan.defines);
    visit("kernel_sources", plan.kernel_sources);
    visit("user_tuned", plan.user_tuned);
    visit("request", plan.request);
    visit.added("kernel_limit", plan.kernel_limit);
}

/// Times of one run of a variant in nanoseconds.
struct BenchSample {
    double kernel = 0;  ///< kernels; for host variants the host stages
    double upload = 0, download = 0, host = 0, read = 0, total = 0;
    std::vector<Timing> timings;
};

void fields(auto& visit, ConstOr<BenchSample> auto& sample) {
    visit("kernel_ns", sample.kernel);
    visit("upload_ns", sample.upload);
    visit("download_ns", sample.download);
    visit("host_ns", sample.host);
    visit("read_ns", sample.read);
    visit("total_ns", sample.total);
    visit("stages", sample.timings);
}

/// Work declared by the kernels of a run, or by the stages of a host variant. 0: not stated.
struct BenchWork {
    double operations = 0, bytes = 0;
};
BenchWork work_of(const BenchSample& sample, bool on_host);

/// What is known of the error of a variant that failed, besides its sentence.
struct BenchFailure {
    ErrorKind kind = ErrorKind::run;
    std::string details = {};  ///< the compiler's messages if the kernel did not build
};

void fields(auto& visit, ConstOr<BenchFailure> auto& failure) {
    visit.name("kind", failure.kind, error_kind_from);
    visit("details", failure.details);
}

/// A variant at one point of a benchmark.
struct BenchRow {
    Variant variant;             ///< without the text of its kernel file
    std::string text_mark = {};  ///< text_mark() of its text if the user wrote it; else empty
    /// Those of the plan's definitions that the variant has.
    std::map<std::string, std::string> given = {};
    std::string not_run;  ///< why there are no samples
    bool failed = false;  ///< not_run is a failure, not an exclusion by the device or the request
    std::optional<BenchFailure> failure = {};  ///< unknown in reports of earlier versions
    BenchSample first;                         ///< the very first run, which builds the kernels and uploads
    std::vector<BenchSample> samples;
    std::vector<BuildLog> builds;                     ///< the programs of its runs
    nlohmann::json facts = nlohmann::json::object();  ///< Result::facts of its first run
    std::map<std::string, std::string> tuned = {};    ///< Run::tuned of its first run
    Verdict verdict;
    std::size_t launches = 0;  ///< kernels and fills per repetition, where only launches were repeated
    /// Time of each series of repetitions beyond the device's, per launch, in nanoseconds.
    std::vector<double> host_per_launch = {};
    /// From the median of the kernel times; absent for host variants.
    std::optional<CeilingShare> ceiling;

    /// Nanoseconds of the first run in which programs were compiled; 0 if they came from a cache.
    double build_nanoseconds() const;
    /// Median of one of the times over all samples, in nanoseconds; NaN without samples.
    double median(double BenchSample::*time) const;
    /// One of the times of all samples, in the order of measurement.
    std::vector<double> times(double BenchSample::*time) const;
};

void fields(auto& visit, ConstOr<BenchRow> auto& row) {
    visit("variant", row.variant);
    visit.added("text_mark", row.text_mark);
    visit.added("given", row.given);
    visit("not_run", row.not_run);
    visit("failed", row.failed);
    visit("failure", row.failure);
    visit("first", row.first);
    visit("samples", row.samples);
    visit("builds", row.builds);
    visit("facts", row.facts);
    visit("tuned", row.tuned);
    visit("verdict", row.verdict);
    visit("launches", row.launches);
    visit("host_per_launch_ns", row.host_per_launch);
    visit("ceiling", row.ceiling);
}

/// The variants on one problem.
struct BenchPoint {
    ParameterSet sizes;  ///< as Analysis::benchmark_sizes() completes them
    std::vector<BenchRow> rows;

    /// The row of the baseline variant.
    const BenchRow* baseline_row() const;
    /// The reference row of speed-ups, and the best host row; null if there are no samples. A row of the
    /// baseline variant with another source or with given definitions is no reference.
    const BenchRow* baseline() const;
    const BenchRow* best_host(const std::string& reference) const;
};

KS_FIELDS(BenchPoint, sizes, rows)

/// How the time of a variant scales with one size: least squares of log(median) over log(size), from at least
/// three points that differ in that size only.
struct BenchSlope {
    std::string variant, size;  ///< ids
    ParameterSet others;        ///< the other sizes with several values in the benchmark
    std::size_t points = 0;
    double kernel = 0, total = 0;  ///< 2: twice the size takes four times as long
};

KS_FIELDS(BenchSlope, variant, size, others, points, kernel, total)

struct BenchReport {
    BenchPlan plan;  ///< without the input values of its request
    DeviceInfo device;
    DeviceInfo host;
    std::vector<std::string> devices = {};  ///< names of the devices that share the runs, `device` first
    /// Mean number of runnable processes on the host in the minute before; absent if the system does
    /// not report it.
    std::optional<double> load = {};
    std::string started, version;
    std::string
        ceilings_started;  ///< when the ceilings were measured; empty: no row has a share of a ceiling
    std::vector<BenchPoint> points;  ///< at least one, in the order of the lists
    std::vector<BenchSlope> slopes;
};

void fields(auto& visit, ConstOr<BenchReport> auto& report) {
    visit("plan", report.plan);
    visit("device", report.device);
    visit("host", report.host);
    visit.added("devices", report.devices);
    visit.added("load", report.load);
    visit("started", report.started);
    visit("version", report.version);
    visit("ceilings_started", report.ceilings_started);
    visit("points", report.points);
    visit("slopes", report.slopes);
}

/// All distinct points of a plan, each with all sizes, in the order of the lists: the last size varies
/// fastest. For a plan with a request: its parameters and, by role, the names of its inputs or a hash of
/// their values. Throws ks::Error(input) as Analysis::benchmark_sizes() does, and for more than 1000 points.
std::vector<ParameterSet> bench_points(const Analysis& analysis, const BenchPlan& plan);

/// Repeated launches are queued in this many series, in which all variants take turns; length_of_series() is
/// the number of repetitions in one of them.
std::size_t series_of(std::size_t repeats);
std::size_t length_of_series(std::size_t repeats, std::size_t series);

/// The check found its result wrong: its times are those of other work, and it has no rank.
bool is_wrong(const BenchRow& row);
/// The values of one of the times of a row that are used for ranking: one per run or, for repeated launches,
/// the median of each series; none if its result is wrong.
RankedTimes ranked_times(const BenchRow& row, const BenchPlan& plan, double BenchSample::*time);
/// The orders of all rows of a point, in row order.
Orders orders_of(const BenchPoint& point, const BenchPlan& plan, double BenchSample::*time);
/// The repeats needed for a significant order of the rows; 0 if a row already has as many.
std::size_t repeats_needed(const BenchPoint& point, const BenchPlan& plan);

/// A variant of which one run takes longer than this is run less often than planned.
constexpr double slow_run_seconds = 5;
/// Whether fewer runs were made of a variant for this reason.
bool has_fewer_runs(const BenchRow& row, const BenchPlan& plan);

/// A size as a number; nothing if it is absent, or not a finite number above 0.
std::optional<double> size_number(const ParameterSet& sizes, const std::string& id);

/// Ids of the sizes that differ between points.
std::vector<std::string> varied_sizes(const std::vector<BenchPoint>& points);

/// Ids of the further sizes that, beside this one, set points apart. A size that varies only because some
/// values of `size` do not have it (the global size in y, over the number of dimensions) is none of them.
std::vector<std::string> varied_beside(const std::vector<BenchPoint>& points, const std::string& size);

/// The first size that varies by itself; nothing if the points have the same sizes.
std::optional<std::string> swept_size(const std::vector<BenchPoint>& points);

/// Slopes of every variant, where a single size varies over at least three values above 0.
std::vector<BenchSlope> slopes_of(const std::vector<BenchPoint>& points);

/// Called for each row: after its first run (no samples yet), when it is complete, and between rounds of
/// timed runs, about once per second.
/// @param point index in BenchReport::points
using BenchListener = std::function<void(std::size_t point, const ParameterSet& sizes, const BenchRow& row)>;

/// Runs a request on the problem of a point; the times are those of the returned run.
using BenchRunner = std::function<Run(const Request& request, const std::shared_ptr<const Problem>& problem,
                                      const ParameterSet& sizes, Progress& progress)>;

/// Times the variants at each point: one check each, warm-ups, then the repeats in rounds of all variants,
/// each in a different order, so that noise affects all of them alike. Where the user's kernels are among
/// them, everything runs in a separate process (Engine::apart()), and the user's kernels first run between
/// guard zones: one that ends the process, or does not end, is reported in its row, and the others continue
/// in a new process. A variant that takes over slow_run_seconds per run is repeated 3 times at most. Files to
/// be read are written to a temporary folder, which is removed with the benchmark. Throws ks::Error if no
/// variant can be timed, or the analysis reads no files and the plan times from files.
/// @param runner replaces Engine::run(), where each problem is generated in memory
BenchReport run_bench(Engine& engine, const BenchPlan& plan, Progress& progress,
                      const BenchListener& listener = {}, const BenchRunner& runner = {});

}  // namespace ks
