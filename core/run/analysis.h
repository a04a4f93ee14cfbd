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

/// One input of an analysis. On the command line the first one is the positional argument, the others are
/// options; `forms` are further options that write the same input with a prefix ("rings" -> "rings:VALUE").
struct InputSpec {
    std::string role;    ///< "frames", "partition"
    std::string label;   ///< "Frames"
    std::string option;  ///< "qmask": the command line's --qmask; empty for the positional argument
    std::vector<std::string> forms;  ///< {"rings"}: --rings VALUE gives "rings:VALUE"
    bool required = true;
    std::string help;

    /// Whether the input names a file, as opposed to values or a description such as "rings:10,10,0,4,8".
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

/// What an analysis is, as data: the window and the command line are generated from this.
struct AnalysisInfo {
    std::string id;           ///< "xpcs"
    std::string title;        ///< "XPCS"
    std::string description;  ///< one sentence
    /// Title of the group it is shown in, "Basics"; empty: no group.
    std::string group = {};
    std::vector<InputSpec> inputs;  ///< may be empty: then the parameters define the whole request
    std::vector<ParameterSpec> parameters;
    std::vector<ParameterSpec> generator;  ///< of `generate`, if the analysis has a generator
    std::vector<ParameterSpec> benchmark;  ///< sizes of `bench`, if the analysis has a benchmark
    /// Overrides of `benchmark` for a problem so small that a run costs little more than building its
    /// kernels; empty: no kernels are built ahead.
    ParameterSet small = {};
    std::string reference;  ///< variant that a full check compares against
    /// What save() writes besides HDF5, appended to the help of --out: "labels where it ends in .csv".
    std::string other_files = {};

    bool needs_input() const {
        return std::ranges::any_of(inputs, [](const InputSpec& input) { return input.required; });
    }
    /// Name of the data of a request, which is its first input: a file, or a file and an object in it. Empty
    /// where there is no such input, or it consists of values.
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

/// A parameter that a request sets to no effect.
struct IdleParameter {
    std::string id, why;  ///< "sigma", "of the kernel rbf alone"
};

/// How close a run comes to a peak rate of its device.
struct CeilingShare {
    double share = 0;  ///< 1: at the ceiling; above 1 where a variant does less work than is counted
    std::string text;  ///< "38 % of the ceiling of exponentials"
    /// Above the ceiling of device memory: the data are in a cache, so that ceiling does not apply.
    bool cached = false;
};

void fields(auto& visit, ConstOr<CeilingShare> auto& ceiling) {
    visit("share", ceiling.share);
    visit("text", ceiling.text);
    visit.added("cached", ceiling.cached);
}

/// Optional parts of an analysis. Those it lacks appear nowhere in the window or on the command line.
struct AnalysisExtras {
    bool generator = true;  ///< Analysis::generate() writes an input file
    bool benchmark = true;  ///< Analysis::benchmark_problem() creates a problem
};

/// Inputs, loaded and checked on the host, ready for every variant. Each analysis derives its own class.
class Problem {
  public:
    virtual ~Problem() = default;

    /// Parts of the inputs that cannot be used or are contradictory, one sentence each. They do not stop a
    /// run, which lists them among its warnings.
    std::vector<std::string> notices = {};
};

/// Adds the notices of a problem to the warnings of its result.
inline void add_notices(const Problem& problem, Result& result) {
    for (const std::string& notice : problem.notices)
        if (std::ranges::find(result.warnings, notice) == result.warnings.end())
            result.warnings.push_back(notice);
}

/// The units in which the work of a problem is divided among several devices; each is computed independently.
struct ShareUnits {
    std::string name = {};     ///< "targets"; empty: the work cannot be divided
    std::string why_not = {};  ///< the reason for that: "it ..."
    std::size_t count = 0;
    /// Parts begin at multiples of this, where the treatment of a unit may depend on its
    /// position among others.
    std::size_t multiple = 1;
    std::vector<double> work = {};  ///< relative work per unit, in order; empty: all equal
    /// Rounding of values depends on the kind of device: devices of one kind give the same bytes, others may
    /// differ in the last bits.
    bool rounded = false;
    /// Each part reads the whole input, so there are no more parts than devices.
    bool reads_all = false;

    bool shareable() const { return !name.empty(); }
};

/// The result of a part of a problem: units [first, end).
struct PartResult {
    std::size_t first = 0, end = 0;
    Result result;
};

/// One analysis: everything its variants share. Stateless.
class Analysis {
  public:
    virtual ~Analysis() = default;
    virtual const AnalysisInfo& info() const = 0;
    virtual AnalysisExtras extras() const { return {}; }

    /// Reads and checks the inputs. `previous` is the problem of the previous run, or null: whatever is the
    /// same in both need not be read again. It should be released before much memory is allocated. Throws
    /// ks::Error(input); nothing is written.
    virtual std::shared_ptr<const Problem> load(const Request& request, Progress& progress,
                                                std::shared_ptr<const Problem> previous) const = 0;
    /// Traits of a loaded problem, for Variant::takes, in addition to the parameters of its
    /// request: "element", sizes.
    virtual Traits traits(const Problem&) const { return {}; }
    /// Those parameters set in `request` (not yet completed by defaults) that do not affect its run.
    virtual std::vector<IdleParameter> idle(const Request&) const { return {}; }
    /// Text among the parameters that is passed to a compiler verbatim; text that the analysis parses itself
    /// does not count. Empty: there is none.
    virtual std::string code_of(const ParameterSet&) const { return {}; }
    /// All sizes of a benchmark: those the user gave, defaults for the others, without those that have no
    /// effect. Throws ks::Error(input) where they contradict each other.
    virtual ParameterSet benchmark_sizes(const ParameterSet& given) const {
        return checked(info().benchmark, given);
    }
    /// The problem that `bench` times, generated in memory from AnalysisInfo::benchmark values. Throws
    /// ks::Error(input) where there is no benchmark.
    virtual std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& sizes) const = 0;
    /// Writes the inputs of that problem as files into a folder and returns the request that reads them;
    /// nothing where the analysis reads no files.
    virtual std::optional<Request> benchmark_files(const ParameterSet& /*sizes*/,
                                                   const std::filesystem::path& /*folder*/,
                                                   Progress& /*progress*/) const {
        return std::nullopt;
    }
    /// Writes a synthetic input file (atomically). Throws ks::Error(input) where there is no generator.
    virtual void generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                          Progress& progress) const = 0;
    /// The units in which several devices may share the work.
    virtual ShareUnits units(const Problem&) const { return not_shared(); }
    /// The problem of units [first, end), which shares memory with the whole: its variants compute just these
    /// units. Everything derived from all units (extremes, scales, plans) is that of the whole, so that the
    /// values of a unit do not depend on where parts begin. Its result needs only what joined() reads; it is
    /// a plain value that may be sent. May be called from several threads. Throws ks::Error(input) where
    /// units() says that the work cannot be divided.
    virtual std::shared_ptr<const Problem> part(const std::shared_ptr<const Problem>& /*whole*/,
                                                std::size_t /*first*/, std::size_t /*end*/) const {
        throw Error(ErrorKind::input, not_shared().why_not, info().id);
    }
    /// The result of the whole: the same bytes for any division into parts, except for facts that are rates.
    /// @param parts in order, together covering each unit once
    /// @param timings of the run so far, which it may extend
    virtual Result joined(const Problem& /*whole*/, std::vector<PartResult> /*parts*/,
                          std::vector<Timing>& /*timings*/) const {
        throw Error(ErrorKind::input, not_shared().why_not, info().id);
    }
    /// Compares with an independent computation on the host: all values, or a sample.
    virtual Verdict check(const Problem& problem, const Run& run, CheckMode mode,
                          Progress& progress) const = 0;
    /// Writes the run as HDF5, in a layout specific to the analysis or in the general one of
    /// core/record/result_file.h (atomically; nothing where it is cancelled).
    virtual void save(const Run& run, const std::filesystem::path& out, bool overwrite,
                      Progress& progress) const = 0;
    /// The same for the program's next start: the complete result, replacing an existing file.
    virtual void keep(const Run& run, const std::filesystem::path& out, Progress& progress) const {
        save(run, out, true, progress);
    }
    /// Reads a run written by save(). Throws ks::Error(input).
    virtual Run open(const std::filesystem::path& file) const = 0;
    /// Writes the curves or the table as CSV (atomically; nothing where it is cancelled). Throws
    /// ks::Error(input) where the result has neither.
    virtual void save_csv(const Run& run, const std::filesystem::path& out, bool overwrite,
                          Progress& progress) const = 0;
    /// The share of its ceiling that a variant reached with this kernel time. Nothing where the analysis
    /// names no ceiling for the problem, or the ceiling has not been measured.
    virtual std::optional<CeilingShare> ceiling_share(const Problem&, const Variant&,
                                                      double /*kernel_nanoseconds*/, const Ceilings&) const {
        return std::nullopt;
    }
    /// Lines of text on one pixel of an image among the run's datasets, in addition to its value.
    virtual std::string pixel_text(const Run&, const Dataset& /*image*/, std::size_t /*pixel*/) const {
        return {};
    }
    /// A few words on the settings of the run, short enough for a table of runs: "8 rings", "gain 4".
    virtual std::string setup_text(const Run&) const { return {}; }
    /// A few lines for the terminal; the stage times are printed after them.
    virtual std::string summary(const Run& run) const = 0;

  private:
    static ShareUnits not_shared() {
        return {.why_not = "it cannot be divided among several devices: choose one"};
    }
};

}  // namespace ks
