#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/fields.h"
#include "core/base/progress.h"
#include "core/run/bench.h"
#include "core/run/bench_statistics.h"
#include "core/run/engine.h"
#include "core/tune/search.h"

namespace ks {

/// What to tune.
struct TunePlan {
    std::string analysis, variant, device;
    ParameterSet sizes;  ///< all sizes of the problem
    std::optional<std::uint64_t> memory_limit = {};
    std::map<std::string, std::vector<std::string>> space = {};  ///< replaces the allowed values
    std::vector<std::string> rules = {};                         ///< in addition to those of the variant
    TuneMethod method = TuneMethod::full;
    std::size_t budget = 1000;
    std::uint64_t seed = 1;
    std::size_t repeats = 15;  ///< of the best one and the default, in the final comparison
    CheckMode check = CheckMode::sample;
    /// Time limit of a user's kernel in seconds; absent: no limit.
    std::optional<double> kernel_limit = {};
};

void fields(auto& visit, ConstOr<TunePlan> auto& plan) {
    visit("analysis", plan.analysis);
    visit("variant", plan.variant);
    visit("device", plan.device);
    visit("sizes", plan.sizes);
    visit("memory_limit", plan.memory_limit);
    visit("space", plan.space);
    visit("rules", plan.rules);
    visit.name("method", plan.method, tune_method_from);
    visit("budget", plan.budget);
    visit("seed", plan.seed);
    visit("repeats", plan.repeats);
    visit.name("check", plan.check, check_mode_from);
    visit.added("kernel_limit", plan.kernel_limit);
}

/// A configuration with the times of its kernels and of computations on the host, in nanoseconds.
struct TuneRow {
    Defines defines;
    std::string not_timed;  ///< the reason: it does not build, does not run, crashes its process, or is wrong
    bool wrong = false;     ///< the check of its result failed
    /// Of the error that not_timed states; also unknown in reports of earlier versions.
    std::optional<BenchFailure> failure = {};
    /// Times when it was first tried, and those of the default, each measured just before.
    std::vector<double> tried, default_then;
    std::vector<double> samples;  ///< from the comparison of the best, round robin; empty: not among them

    /// Median of the ratios to the default when it was tried.
    std::optional<double> cost() const;
};

void fields(auto& visit, ConstOr<TuneRow> auto& row) {
    visit("defines", row.defines);
    visit("not_timed", row.not_timed);
    visit.added("wrong", row.wrong);
    visit.added("failure", row.failure);
    visit("tried_ns", row.tried);
    visit("default_then_ns", row.default_then);
    visit("samples_ns", row.samples);
}

struct TuneReport {
    TunePlan plan;
    DeviceInfo device;
    std::string started, version;
    std::string program_hash;  ///< of the variant's kernel file, with its includes as compiled
    std::string text_mark;     ///< text_mark() of its text if the user wrote it; else empty
    std::size_t combinations = 0, valid = 0;
    TunedFor of;
    TuneRow usual;              ///< the default, with its defines as compiled
    std::vector<TuneRow> rows;  ///< in the order of trial
    /// Index of the fastest row in the final comparison, and its time / that of the default.
    std::optional<std::size_t> best = {};
    RatioInterval ratio{1, 1, 1};

    /// The order of the best one and the default; undecided if there is none.
    Order order() const { return best ? order_of(usual.samples, rows.at(*best).samples) : Order::undecided; }
    bool surely_better() const { return order() == Order::shorter; }
    /// The runs needed for a significant order, where the final comparison has fewer; else 0.
    std::size_t runs_needed() const {
        const std::size_t needed = runs_for_an_order(2);
        return best && usual.samples.size() < needed ? needed : 0;
    }
};

void fields(auto& visit, ConstOr<TuneReport> auto& report) {
    visit("plan", report.plan);
    visit("device", report.device);
    visit("started", report.started);
    visit("version", report.version);
    visit("program_hash", report.program_hash);
    visit.added("text_mark", report.text_mark);
    visit("combinations", report.combinations);
    visit("valid", report.valid);
    visit("for", report.of);
    visit("default", report.usual);
    visit("rows", report.rows);
    visit("best", report.best);
    visit.derived("ratio", nlohmann::json{report.ratio.value, report.ratio.low, report.ratio.high});
}

/// The report to be continued is of another variant, problem, device or text.
class OtherTuning : public Error {
    using Error::Error;
};

/// Called after each configuration tried, and at the end.
using TuneListener = std::function<void(const TuneReport&)>;

/// Tries configurations of a variant: each is run and checked, then timed a few times in turn with the
/// default. The best ones are then timed in turn, and the slower half drops out each time, until one is left.
/// This one is compared with the default. Throws ks::Error(input) for an unknown variant or define, an empty
/// space and a host variant, and OtherTuning for a report `before` of another tuning. Also throws the errors
/// of the default, and if it is cancelled.
/// @param before a report from an earlier call, whose configurations are not tried again
TuneReport run_tune(Engine& engine, const TunePlan& plan, const std::optional<TuneReport>& before,
                    Progress& progress, const TuneListener& listener = {});

/// Why the best configuration cannot be stored in the user's table, as a text that follows "nothing is kept";
/// empty: it can be stored. For a user's kernel it cannot be, since runs of such a kernel take their values
/// from its text and header, not from the table.
std::string why_not_kept(const TuneReport& report);
/// The row for the user's table, where why_not_kept() is empty. @param now ISO 8601
TunedRow tuned_row(const TuneReport& report, const std::string& now);

}  // namespace ks
