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

/// Which sizes a benchmark takes where several have more than one value.
enum class Sweep {
    product,    ///< every combination
    one_by_one  ///< one size after the other, the others at their first value
};
const char* name_of(Sweep sweep);
/// Throws ks::Error(input) for an unknown name.
Sweep sweep_from(const std::string& name);

/// Where each run of a benchmark takes its input from.
enum class BenchFrom {
    device,  ///< where it was left by the run before, as far as a variant leaves it there
    memory,  ///< the host's: what is to be on the device is uploaded in each run
    file     ///< read in each run, and nothing of it is known from the one before
};
const char* name_of(BenchFrom from);
/// Throws ks::Error(input) for an unknown name.
BenchFrom bench_from_named(const std::string& name);

/// A kernel file in place of a variant's own.
struct KernelSource {
    std::string file, text;
};

void fields(auto& visit, ConstOr<KernelSource> auto& source) {
    visit("file", source.file);
    visit("text", source.text);
}

/// Values by ParameterSpec::id of AnalysisInfo::benchmark.
using SizeLists = std::map<std::string, std::vector<ParameterValue>>;

/// What to time.
struct BenchPlan {
    std::string analysis;
    SizeLists sizes;  ///< as given; sizes without a value take their default
    Sweep sweep = Sweep::product;
    BenchFrom from = BenchFrom::device;
    /// Repeats are of the launches of one run alone, queued back to back.
    bool kernels_only = false;
    /// Ids; empty: all of the program that belong to the device or the host, but those that run by name only.
    /// Variants that the user wrote are timed where they are named.
    std::vector<std::string> variants;
    std::string device;
    std::size_t repeats = 20, warmups = 1;
    std::optional<std::uint64_t> memory_limit = {};
    CheckMode check = CheckMode::full;
    /// Set for the variants that have a definition of that name.
    std::map<std::string, std::string> defines = {};
    /// Takes the values of the user's table of tuned values.
    bool user_tuned = true;
    /// By the id of the variant whose own they replace.
    std::map<std::string, KernelSource> kernel_sources = {};
    /// Seconds that a kernel of the user's own may take; absent: it may go on for ever.
    std::optional<double> kernel_limit = {};
    /// Whose inputs and parameters are the problem, in place of one that is generated: `sizes` are none then,
    /// and there is one point. What else it asks for says the plan.
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

/// What one run of a variant took, nanoseconds.
struct BenchSample {
    double kernel = 0;  ///< kernels; for host variants their host stages
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

/// What the kernels of a run state that they do; of a host variant its stages. 0: not stated.
struct BenchWork {
    double operations = 0, bytes = 0;
};
BenchWork work_of(const BenchSample& sample, bool on_host);

/// A variant at one point of a benchmark.
struct BenchRow {
    Variant variant;             ///< without the text of its kernel file
    std::string text_mark = {};  ///< text_mark() of its text, where that is the user's own; else empty
    std::string not_run;         ///< why there are no samples
    bool failed =
        false;  ///< not_run tells of a failure, not of something that the device or the request excludes
    BenchSample first;  ///< the very first run: builds the kernels and uploads
    std::vector<BenchSample> samples;
    std::vector<BuildLog> builds;                     ///< the programs of its runs
    nlohmann::json facts = nlohmann::json::object();  ///< Result::facts of its first run
    std::map<std::string, std::string> tuned = {};    ///< Run::tuned of it
    Verdict verdict;
    std::size_t launches = 0;  ///< kernels and fills of a repetition, where they were repeated alone
    /// What each series of repetitions took beyond the device's time, per launch, nanoseconds.
    std::vector<double> host_per_launch = {};
    /// Of the device, by the median of the kernels; nothing for host variants.
    std::optional<CeilingShare> ceiling;

    /// Median of one time of the samples, nanoseconds; NaN without samples.
    double median(double BenchSample::*time) const;
    /// One time of all samples, in the order in which they were taken.
    std::vector<double> times(double BenchSample::*time) const;
};

void fields(auto& visit, ConstOr<BenchRow> auto& row) {
    visit("variant", row.variant);
    visit.added("text_mark", row.text_mark);
    visit("not_run", row.not_run);
    visit("failed", row.failed);
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

    /// The row that speed-ups are counted from, and the host's best; null where it has no samples.
    const BenchRow* baseline() const;
    const BenchRow* best_host(const std::string& reference) const;
};

void fields(auto& visit, ConstOr<BenchPoint> auto& point) {
    visit("sizes", point.sizes);
    visit("rows", point.rows);
}

/// How the time of a variant grows with one size: least squares of log(median) over log(size), from at least
/// three points that differ in that size alone.
struct BenchSlope {
    std::string variant, size;  ///< ids
    ParameterSet others;        ///< the other sizes that have several values in the benchmark
    std::size_t points = 0;
    double kernel = 0, total = 0;  ///< 2: four times as long at twice the size
};

void fields(auto& visit, ConstOr<BenchSlope> auto& slope) {
    visit("variant", slope.variant);
    visit("size", slope.size);
    visit("others", slope.others);
    visit("points", slope.points);
    visit("kernel", slope.kernel);
    visit("total", slope.total);
}

struct BenchReport {
    BenchPlan plan;  ///< without the values of its request's inputs
    DeviceInfo device;
    DeviceInfo host;
    std::vector<std::string> devices = {};  ///< names of several that share the runs, `device` first
    /// Processes that ran on the host on average in the minute before; absent where the system does not say.
    std::optional<double> load = {};
    std::string started, version;
    std::string ceilings_started;    ///< when the ceilings were measured; empty: no row has a share
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

/// The sizes of a plan, each complete and once, in the order of the lists: the last one varies fastest. Of a
/// plan with a request its parameters, and by their roles the names of its inputs, or a hash of their values.
/// Throws ks::Error(input) as Analysis::benchmark_sizes() does, and for over 1000 points.
std::vector<ParameterSet> bench_points(const Analysis& analysis, const BenchPlan& plan);

/// Launches that are repeated alone are queued in so many series, in which all variants take turns, and the
/// n-th of which has so many repetitions.
std::size_t series_of(std::size_t repeats);
std::size_t length_of_series(std::size_t repeats, std::size_t series);

/// One time of a row as it is ranked: of each run, and of launches that were repeated alone the median of
/// each series.
RankedTimes ranked_times(const BenchRow& row, const BenchPlan& plan, double BenchSample::*time);
/// Of all rows of a point, in their order.
Orders orders_of(const BenchPoint& point, const BenchPlan& plan, double BenchSample::*time);
/// The repeats that a sure order of its rows needs, where none of them has as many; else 0.
std::size_t repeats_needed(const BenchPoint& point, const BenchPlan& plan);

/// A size as a number; nothing where it is absent, or no finite number above 0.
std::optional<double> size_number(const ParameterSet& sizes, const std::string& id);

/// Ids of the sizes that differ between points.
std::vector<std::string> varied_sizes(const std::vector<BenchPoint>& points);

/// Of every variant, where one size varies alone over three values above 0 or more.
std::vector<BenchSlope> slopes_of(const std::vector<BenchPoint>& points);

/// Is told of each row: after its first run (no samples yet), when it is complete, and between two rounds of
/// timed runs where the last time was a second ago.
/// @param point index in BenchReport::points
using BenchListener = std::function<void(std::size_t point, const ParameterSet& sizes, const BenchRow& row)>;

/// Runs a request on the problem of a point; its times are those of the run that it returns.
using BenchRunner = std::function<Run(const Request& request, const std::shared_ptr<const Problem>& problem,
                                      const ParameterSet& sizes, Progress& progress)>;

/// Times the variants at each point: one check each, warm-ups, then the repeats in rounds of all variants,
/// each in another order, so that noise hits all of them alike. Where kernels of the user's own are among
/// them, all run in a process apart (Engine::apart()), the user's first between guard zones: one that ends
/// the process, or does not end, is a row that says so, and the others go on in a new process.
/// A variant that takes over 5 s per run is repeated 3 times at most. Files that are
/// to be read are written among the temporary files, and go with the benchmark. Throws ks::Error where
/// nothing can be asked, or the analysis reads no files that it should be timed from.
/// @param runner in place of Engine::run(), where each problem is made in memory
BenchReport run_bench(Engine& engine, const BenchPlan& plan, Progress& progress,
                      const BenchListener& listener = {}, const BenchRunner& runner = {});

}  // namespace ks
