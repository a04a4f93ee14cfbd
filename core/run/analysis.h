#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
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

KS_FIELDS(InputSpec, role, label, option, forms, required, help)

/// What an analysis is, as data: the window and the command line are generated from this.
struct AnalysisInfo {
    std::string id;           ///< "xpcs"
    std::string title;        ///< "XPCS"
    std::string description;  ///< one sentence
    /// Title of the group it is shown in, "Basics"; empty: no group.
    std::string group = {};
    std::vector<InputSpec> inputs = {};  ///< may be empty: then the parameters define the whole request
    std::vector<ParameterSpec> parameters = {};
    std::vector<ParameterSpec> generator = {};  ///< of `generate`, if the analysis has a generator
    std::vector<ParameterSpec> benchmark = {};  ///< sizes of `bench`, if the analysis has a benchmark
    /// Values that replace those of `benchmark` for a problem so small that a run takes hardly longer than
    /// building its kernels. Empty: no kernels are built ahead.
    ParameterSet small = {};
    std::string reference = {};  ///< variant that a full check compares against
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

/// A file that an analysis can write besides those of AnalysisFunctions::save and save_csv.
struct FurtherFile {
    std::string option;             ///< of the command line, "--fit-csv"
    std::string help;               ///< one sentence
    std::string type = "FILE.csv";  ///< of the name, in the help
    /// If several files are written: what follows the name in their names.
    std::vector<std::string> suffixes = {};
    bool of_averages = true;  ///< an average of repeats has one, too
    /// Why the run of a request has no such file, and what to do: "needs --fit"; empty: it has one. Asked
    /// before the run; may read what its files state about the experiment.
    std::function<std::string(const Request&)> why_not;
    /// Atomic; writes nothing if it is cancelled.
    std::function<void(const Run&, const std::filesystem::path& out, bool overwrite, Progress&)> save;
};

/// A form in which an analysis can write the table of AnalysisFunctions::save_csv.
struct CsvForm {
    std::string id;     ///< of --csv-form: "wide"
    std::string title;  ///< of a file filter and in the help: "two columns per bin"
    /// Atomic; writes nothing if it is cancelled.
    std::function<void(const Run&, const std::filesystem::path& out, bool overwrite, Progress&)> save;
};

/// One of several repeats of a measurement.
struct Repeat {
    std::string name;  ///< of its data
    Run run;
};

/// How close a run comes to a peak rate of its device.
struct CeilingShare {
    double share = 0;  ///< 1: at the ceiling; above 1 if a variant does less work than is counted
    std::string text;  ///< "38 % of the ceiling of exponentials"
    /// Above the ceiling of device memory: the data are in a cache, so that ceiling does not apply.
    bool cached = false;
};

void fields(auto& visit, ConstOr<CeilingShare> auto& ceiling) {
    visit("share", ceiling.share);
    visit("text", ceiling.text);
    visit.added("cached", ceiling.cached);
}

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
    /// Parts begin at multiples of this number, which is above 1 if the treatment of a unit may depend on its
    /// position among others.
    std::size_t multiple = 1;
    std::vector<double> work = {};  ///< relative work per unit, in order; empty: all equal
    /// True if the rounding of values depends on the kind of device: devices of one kind then give the same
    /// bytes, but devices of different kinds may differ in the last bits.
    bool rounded = false;
    /// True if each part reads the whole input; there are then no more parts than devices.
    bool reads_all = false;

    bool shareable() const { return !name.empty(); }
};

/// The result of a part of a problem: units [first, end).
struct PartResult {
    std::size_t first = 0, end = 0;
    Result result;
};

/// A function of one kind of problem, callable with any problem: OfProblem<R(A...)> wraps a function
/// R(const P&, A...) and is called with (const Problem&, A...). Throws std::bad_cast if the problem is no
/// P.
template <class Signature>
class OfProblem;

template <class R, class... A>
class OfProblem<R(A...)> {
  public:
    OfProblem() = default;
    template <class F>
    requires(!std::is_same_v<F, OfProblem>) OfProblem(F function)
        : call_(of_any(std::move(function), pointer_to_call<F>())) {}

    explicit operator bool() const { return call_ != nullptr; }
    R operator()(const Problem& problem, A... arguments) const {
        return call_(problem, std::forward<A>(arguments)...);
    }

  private:
    using Call = std::function<R(const Problem&, A...)>;

    /// Names the first parameter of a function or of a lambda.
    template <class F>
    static constexpr auto pointer_to_call() {
        if constexpr (std::is_pointer_v<F>)
            return F{};
        else
            return decltype(&F::operator()){};
    }
    template <class F, class P, class... B>
    static Call of_any(F function, R (*)(const P&, B...)) {
        return with_cast<P>(std::move(function));
    }
    template <class F, class C, class P, class... B>
    static Call of_any(F function, R (C::*)(const P&, B...) const) {
        return with_cast<P>(std::move(function));
    }
    template <class P, class F>
    static Call with_cast(F function) {
        if constexpr (std::is_same_v<P, Problem>)
            return function;
        else
            return [function = std::move(function)](const Problem& problem, A... arguments) {
                return function(dynamic_cast<const P&>(problem), std::forward<A>(arguments)...);
            };
    }

    Call call_;
};

/// Wraps a function of one kind of problem for AnalysisFunctions::part.
template <class P>
auto part_by(std::shared_ptr<const Problem> (*part)(const std::shared_ptr<const P>& whole, std::size_t first,
                                                    std::size_t end)) {
    return [part](const std::shared_ptr<const Problem>& whole, std::size_t first, std::size_t end) {
        return part(std::dynamic_pointer_cast<const P>(whole), first, end);
    };
}

/// An analysis as a table of functions: everything its variants share. Stateless. Functions without a default
/// are mandatory, except where a comment says what their absence means; for `save`, `open` and `save_csv`
/// core/record/result_file.h has general ones. Parameters are completed by defaults and checked before a
/// function receives them.
struct AnalysisFunctions {
    AnalysisInfo info;
    /// See Analysis::load().
    std::function<std::shared_ptr<const Problem>(const Request&, Progress&, std::shared_ptr<const Problem>)>
        load;
    /// Absent: `load` with the sizes as parameters; there is no benchmark if an input is required.
    std::function<std::shared_ptr<const Problem>(const ParameterSet& sizes)> benchmark_problem = {};
    /// Absent: the benchmark reads no files.
    std::function<Request(const ParameterSet& sizes, const std::filesystem::path& folder, Progress&)>
        benchmark_files = {};
    /// Absent: there is no generator.
    std::function<void(const ParameterSet&, const std::filesystem::path& out, bool overwrite, Progress&)>
        generate = {};
    OfProblem<Verdict(const Run&, CheckMode, Progress&)> check;
    /// Writes the run as HDF5, in a layout specific to the analysis or in the general one of
    /// core/record/result_file.h (atomically; nothing if it is cancelled).
    std::function<void(const Run&, const std::filesystem::path& out, bool overwrite, Progress&)> save = {};
    /// Like `save`, for runs that are restored at the next start: writes the complete result and replaces an
    /// existing file. Absent: `save` leaves nothing out.
    std::function<void(const Run&, const std::filesystem::path& out, Progress&)> keep = {};
    /// Reads a run written by save(). Throws ks::Error(input).
    std::function<Run(const std::filesystem::path& file)> open = {};
    /// Whether a file that holds no run has a result of another program, which open_other() reads as a run
    /// that was made_elsewhere(). Absent: no such files are known.
    std::function<bool(const std::filesystem::path& file)> is_other_result = {};
    /// Throws ks::Error(input). Given where is_other_result is.
    std::function<Run(const std::filesystem::path& file)> open_other = {};
    /// Writes the curves or the table as CSV (atomically; nothing if it is cancelled). Throws
    /// ks::Error(input) if the result has neither.
    std::function<void(const Run&, const std::filesystem::path& out, bool overwrite, Progress&)> save_csv =
        {};
    /// Absent: save_csv is the only form. Otherwise the first one is save_csv, which the command line writes
    /// unless another one is named; the window proposes the last one.
    std::vector<CsvForm> csv_forms = {};
    /// Adds results that follow from those of any variant on any device, such as fits, to a complete run.
    OfProblem<void(Run&, Progress&)> add_results = [](const Problem&, Run&, Progress&) {};
    /// These added results as text, which also a saved run is described by.
    std::function<std::string(const Run&)> added_text = [](const Run&) { return std::string(); };
    std::vector<FurtherFile> further_files = {};
    /// The average of runs of one request with different data. Data that do not belong together, and
    /// outliers, are left out and named in the warnings of the result. Absent: there is no such average.
    std::function<Run(std::vector<Repeat>, Progress&)> average = {};
    /// A few lines for the terminal; the stage times are printed after them.
    std::function<std::string(const Run&)> summary = [](const Run& run) {
        return summary_of_result(run.result);
    };
    /// A few words on the settings of the run, short enough for a table of runs: "8 rings", "gain 4".
    std::function<std::string(const Run&)> setup_text = [](const Run&) { return std::string(); };
    /// Traits of a loaded problem, for Variant::takes, in addition to the parameters of its request:
    /// "element", sizes.
    OfProblem<Traits()> traits = [](const Problem&) { return Traits(); };
    /// The parameters that a request sets although they do not affect its run. The request is not yet
    /// completed by defaults.
    std::function<std::vector<IdleParameter>(const Request&)> idle = [](const Request&) {
        return std::vector<IdleParameter>();
    };
    /// See Analysis::code_of(). Absent: no parameter is code.
    std::function<std::string(const ParameterSet&)> code_of = {};
    /// From complete sizes; absent: unchanged.
    std::function<ParameterSet(ParameterSet)> benchmark_sizes = {};
    /// The share of its ceiling that a variant reached with this kernel time. Nothing if the analysis
    /// names no ceiling for the problem, or the ceiling has not been measured.
    OfProblem<std::optional<CeilingShare>(const Variant&, double kernel_nanoseconds, const Ceilings&)>
        ceiling_share = [](const Problem&, const Variant&, double, const Ceilings&) {
            return std::optional<CeilingShare>();
        };
    /// The units in which several devices may share the work. `units`, `part` and `joined` are either all
    /// given or all absent; if they are absent, a run uses a single device.
    OfProblem<ShareUnits()> units = [](const Problem&) {
        return ShareUnits{.why_not = "it cannot be divided among several devices; choose one"};
    };
    /// The problem of units [first, end), which shares memory with the whole: its variants compute just these
    /// units. Everything derived from all units (extremes, scales, plans) is that of the whole, so that the
    /// values of a unit do not depend on where parts begin. The result of a part needs to contain only what
    /// joined() reads; it is a plain value that may be sent to another process. May be called from several
    /// threads.
    std::function<std::shared_ptr<const Problem>(const std::shared_ptr<const Problem>& whole,
                                                 std::size_t first, std::size_t end)>
        part = {};
    /// The result of the whole: the same bytes for any division into parts, except for facts that are rates.
    /// The parts are in order and together cover each unit once. May extend the timings of the run so far.
    OfProblem<Result(std::vector<PartResult>, std::vector<Timing>&)> joined = {};
    /// Lines of text on one pixel of an image among the run's datasets, in addition to its value.
    std::function<std::string(const Run&, const Dataset& image, std::size_t pixel)> pixel_text =
        [](const Run&, const Dataset&, std::size_t) { return std::string(); };
};

/// One analysis: its functions and the work common to all analyses, such as completing parameters.
class Analysis : private AnalysisFunctions {
  public:
    explicit Analysis(AnalysisFunctions functions);

    using AnalysisFunctions::add_results, AnalysisFunctions::added_text, AnalysisFunctions::average,
        AnalysisFunctions::ceiling_share, AnalysisFunctions::csv_forms, AnalysisFunctions::further_files,
        AnalysisFunctions::idle, AnalysisFunctions::is_other_result, AnalysisFunctions::joined,
        AnalysisFunctions::keep, AnalysisFunctions::open, AnalysisFunctions::open_other,
        AnalysisFunctions::part, AnalysisFunctions::pixel_text, AnalysisFunctions::save,
        AnalysisFunctions::save_csv, AnalysisFunctions::setup_text, AnalysisFunctions::summary,
        AnalysisFunctions::traits, AnalysisFunctions::units;

    const AnalysisInfo& info() const { return AnalysisFunctions::info; }
    bool has_generator() const { return AnalysisFunctions::generate != nullptr; }
    bool has_benchmark() const {
        return AnalysisFunctions::benchmark_problem || !AnalysisFunctions::info.needs_input();
    }

    /// Reads and checks the inputs. `previous` is the problem of the previous run, or null: whatever is the
    /// same in both need not be read again. It should be released before much memory is allocated. Throws
    /// ks::Error(input); nothing is written.
    std::shared_ptr<const Problem> load(const Request& request, Progress& progress,
                                        std::shared_ptr<const Problem> previous) const;
    /// Text from the parameters that is passed to a compiler unchanged. Text that the analysis parses itself
    /// does not count. Empty: there is none.
    std::string code_of(const ParameterSet& parameters) const;
    /// All sizes of a benchmark: those the user gave, defaults for the others, without those that have no
    /// effect. Throws ks::Error(input) if they contradict each other.
    ParameterSet benchmark_sizes(const ParameterSet& given) const;
    /// The problem that `bench` times, generated in memory from AnalysisInfo::benchmark values. Throws
    /// ks::Error(input) if there is no benchmark.
    std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& sizes) const;
    /// Writes the inputs of that problem as files into a folder and returns the request that reads them;
    /// nothing if the analysis reads no files.
    std::optional<Request> benchmark_files(const ParameterSet& sizes, const std::filesystem::path& folder,
                                           Progress& progress) const;
    /// Writes a synthetic input file (atomically). Throws ks::Error(input) if there is no generator.
    void generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                  Progress& progress) const;
    /// Compares with an independent computation on the host: all values, or a sample.
    Verdict check(const Problem& problem, const Run& run, CheckMode mode, Progress& progress) const;

  private:
    void require(bool has_it, const char* what) const;
};

/// The value of make_analyses() for a folder of core/ with a single analysis.
inline std::vector<Analysis> one_analysis(AnalysisFunctions functions) {
    return {Analysis(std::move(functions))};
}

}  // namespace ks
