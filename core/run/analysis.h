#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/fields.h"
#include "core/base/progress.h"
#include "core/devices/ceilings.h"
#include "core/run/parameter_spec.h"
#include "core/run/request.h"
#include "core/run/result.h"
#include "core/run/run.h"
#include "core/run/verdict.h"

namespace ks {

/// One input that an analysis reads. On the command line the first one is the positional argument, the others
/// are options; `forms` are further options that write the same input with a prefix ("rings" ->
/// "rings:VALUE").
struct InputSpec {
    std::string role;    ///< "frames", "partition"
    std::string label;   ///< "Frames"
    std::string option;  ///< "qmask": the command line's --qmask; empty for the positional argument
    std::vector<std::string> forms;  ///< {"rings"}: --rings VALUE gives "rings:VALUE"
    bool required = true;
    std::string help;

    /// Whether the input names a file, and is neither values nor a description such as "rings:10,10,0,4,8".
    bool names_file(const InputRef& input) const {
        return !input.values && !input.name.empty() &&
               std::ranges::none_of(
                   forms, [&input](const std::string& form) { return input.name.starts_with(form + ":"); });
    }
};

void fields(auto& visit, ConstOr<InputSpec> auto& input) {
    visit("role", input.role);
    visit("label", input.label);
    visit("option", input.option);
    visit("forms", input.forms);
    visit("required", input.required);
    visit("help", input.help);
}

/// What an analysis is, as data: the window and the command line are made from this.
struct AnalysisInfo {
    std::string id;           ///< "xpcs"
    std::string title;        ///< "XPCS"
    std::string description;  ///< one sentence
    /// Title of the group that it is shown in, "Basics"; empty: it stands alone.
    std::string group = {};
    std::vector<InputSpec> inputs;  ///< may be none: then the request's parameters say it all
    std::vector<ParameterSpec> parameters;
    std::vector<ParameterSpec> generator;  ///< of `generate`, where the analysis has one
    std::vector<ParameterSpec> benchmark;  ///< sizes of `bench`, where the analysis has one
    /// Some of `benchmark`, so that a run takes no time beside the building of its kernels; empty: no kernels
    /// are built ahead.
    ParameterSet small = {};
    std::string reference;  ///< variant that a full check compares with
    /// What save() writes beside HDF5, as the help of --out goes on: "labels where it ends in .csv".
    std::string other_files = {};

    bool needs_input() const {
        return std::ranges::any_of(inputs, [](const InputSpec& input) { return input.required; });
    }
    /// Name of the data of a request, its first input: a file, or a file and an object in it. Empty: it has
    /// none, or its values alone.
    std::string data_of(const Request& request) const {
        if (inputs.empty()) return {};
        const auto data = request.inputs.find(inputs.front().role);
        return data == request.inputs.end() || data->second.values ? std::string() : data->second.name;
    }
};

void fields(auto& visit, ConstOr<AnalysisInfo> auto& info) {
    visit("id", info.id);
    visit("title", info.title);
    visit("description", info.description);
    visit.added("group", info.group);
    visit("inputs", info.inputs);
    visit("parameters", info.parameters);
    visit("generator", info.generator);
    visit("benchmark", info.benchmark);
    visit.added("small", info.small);
    visit("reference", info.reference);
    visit.added("other_files", info.other_files);
}

/// A parameter that a request sets without effect.
struct IdleParameter {
    std::string id, why;  ///< "sigma", "of the kernel rbf alone"
};

/// How near a run comes to what its device can do at most.
struct CeilingShare {
    double share = 0;  ///< 1: at the ceiling; above it where a variant does less than the ceiling counts
    std::string text;  ///< "38 % of the ceiling of exponentials"
    /// Over the ceiling of device memory: a cache holds the data, and the ceiling bounds nothing.
    bool cached = false;
};

void fields(auto& visit, ConstOr<CeilingShare> auto& ceiling) {
    visit("share", ceiling.share);
    visit("text", ceiling.text);
    visit.added("cached", ceiling.cached);
}

/// What an analysis may have beside what every one has. What it lacks appears nowhere.
struct AnalysisExtras {
    bool generator = true;  ///< Analysis::generate() writes an input file
    bool benchmark = true;  ///< Analysis::benchmark_problem() makes one
};

/// Inputs as loaded and checked on the host, ready for every variant. Each analysis derives its own.
class Problem {
  public:
    virtual ~Problem() = default;

    /// What of the inputs cannot be used or contradicts itself, one sentence each, and stops nothing: runs
    /// have them among their warnings.
    std::vector<std::string> notices = {};
};

/// Adds the notices of a problem to the warnings of its result.
inline void add_notices(const Problem& problem, Result& result) {
    for (const std::string& notice : problem.notices)
        if (std::ranges::find(result.warnings, notice) == result.warnings.end())
            result.warnings.push_back(notice);
}

/// What the work of a problem is shared out by, to several devices: units that are computed by themselves.
struct ShareUnits {
    std::string name = {};     ///< "targets"; empty: it cannot be shared out
    std::string why_not = {};  ///< and why: "it ..."
    std::size_t count = 0;
    /// Parts begin at multiples of it, where what is done with a unit may depend on its place among others.
    std::size_t multiple = 1;
    std::vector<double> work = {};  ///< of each unit in order, relative; empty: they are alike
    /// Values are rounded as the kind of device does it: devices of one kind give the same bytes, others may
    /// differ in the last bits.
    bool rounded = false;
    /// Each part reads all of the input, so there are no more parts than devices.
    bool reads_all = false;

    bool shareable() const { return !name.empty(); }
};

/// The result of a part of a problem: units [first, end).
struct PartResult {
    std::size_t first = 0, end = 0;
    Result result;
};

/// One analysis: everything that its variants share. Stateless.
class Analysis {
  public:
    virtual ~Analysis() = default;
    virtual const AnalysisInfo& info() const = 0;
    virtual AnalysisExtras extras() const { return {}; }

    /// Reads and checks the inputs. `previous` is the problem of the run before, or null: what is the same in
    /// both need not be read again; it should be let go before much memory is taken. Throws ks::Error(input);
    /// nothing is written.
    virtual std::shared_ptr<const Problem> load(const Request& request, Progress& progress,
                                                std::shared_ptr<const Problem> previous) const = 0;
    /// What a loaded problem is, for Variant::takes, beside the parameters of its request: "element", sizes.
    virtual Traits traits(const Problem&) const { return {}; }
    /// Parameters among those that `request` sets (none are completed) that change nothing in its run.
    virtual std::vector<IdleParameter> idle(const Request&) const { return {}; }
    /// Text among the parameters that a compiler is given as it is; what the analysis itself reads and
    /// understands is none. Empty: there is none.
    virtual std::string code_of(const ParameterSet&) const { return {}; }
    /// The sizes of a benchmark from those that the user gave: the others by their defaults, without what
    /// changes nothing. Throws ks::Error(input) where they contradict each other.
    virtual ParameterSet benchmark_sizes(const ParameterSet& given) const {
        return checked(info().benchmark, given);
    }
    /// The problem that `bench` times, made in memory from AnalysisInfo::benchmark values. Throws
    /// ks::Error(input) where there is no benchmark.
    virtual std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& sizes) const = 0;
    /// Writes the inputs of that problem as files into a folder; the request that reads them. Nothing where
    /// the analysis reads none.
    virtual std::optional<Request> benchmark_files(const ParameterSet& /*sizes*/,
                                                   const std::filesystem::path& /*folder*/,
                                                   Progress& /*progress*/) const {
        return std::nullopt;
    }
    /// Writes a synthetic input file (atomically). Throws ks::Error(input) where there is no generator.
    virtual void generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                          Progress& progress) const = 0;
    /// What several devices may share its work by.
    virtual ShareUnits units(const Problem&) const { return not_shared(); }
    /// The problem of units [first, end), which shares its memory with the whole: its variants compute just
    /// these, and what it takes of all units (extremes, scales, plans) is the whole's, so that a unit's
    /// values do not depend on where parts begin. Its result need be nothing but what joined() takes; it is a
    /// plain value, which may be sent. May be called from several threads. Throws ks::Error(input) where
    /// units() says that it cannot be shared out.
    virtual std::shared_ptr<const Problem> part(const std::shared_ptr<const Problem>& /*whole*/,
                                                std::size_t /*first*/, std::size_t /*end*/) const {
        throw Error(ErrorKind::input, not_shared().why_not, info().id);
    }
    /// The result of the whole, the same bytes whatever the parts were, but for facts that are rates.
    /// @param parts in order, each unit in one of them @param timings of the run so far, which it may add to
    virtual Result joined(const Problem& /*whole*/, std::vector<PartResult> /*parts*/,
                          std::vector<Timing>& /*timings*/) const {
        throw Error(ErrorKind::input, not_shared().why_not, info().id);
    }
    /// Compares with an independent computation on the host: all values, or a sample of them.
    virtual Verdict check(const Problem& problem, const Run& run, CheckMode mode,
                          Progress& progress) const = 0;
    /// Writes the run as HDF5, in a layout of its own or in the general one of core/record/result_file.h
    /// (atomically; nothing where it is asked to stop).
    virtual void save(const Run& run, const std::filesystem::path& out, bool overwrite,
                      Progress& progress) const = 0;
    /// The same for the program's own next start: nothing of the result is left out, and what was there is
    /// replaced.
    virtual void keep(const Run& run, const std::filesystem::path& out, Progress& progress) const {
        save(run, out, true, progress);
    }
    /// Reads a run back that save() wrote. Throws ks::Error(input).
    virtual Run open(const std::filesystem::path& file) const = 0;
    /// Writes the curves or the table as CSV (atomically; nothing where it is asked to stop). Throws
    /// ks::Error(input) where the result has no such form.
    virtual void save_csv(const Run& run, const std::filesystem::path& out, bool overwrite,
                          Progress& progress) const = 0;
    /// Of kernels of a variant that took so long. Nothing where the analysis names no ceiling for the problem
    /// or it was not measured.
    virtual std::optional<CeilingShare> ceiling_share(const Problem&, const Variant&,
                                                      double /*kernel_nanoseconds*/, const Ceilings&) const {
        return std::nullopt;
    }
    /// What there is to say of a pixel of an image among the run's datasets beside its value: lines of text.
    virtual std::string pixel_text(const Run&, const Dataset& /*image*/, std::size_t /*pixel*/) const {
        return {};
    }
    /// A few words on what the run was asked for, as a table of runs has room for: "8 rings", "gain 4".
    virtual std::string setup_text(const Run&) const { return {}; }
    /// A few lines for the terminal; the times of the stages are printed after them.
    virtual std::string summary(const Run& run) const = 0;

  private:
    static ShareUnits not_shared() {
        return {.why_not = "it cannot be shared out to several devices: choose one"};
    }
};

}  // namespace ks
