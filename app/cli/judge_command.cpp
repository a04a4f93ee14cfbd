#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/judge_worker.h"
#include "app/cli/kernel_options.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/quantities.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/base/printable.h"
#include "core/io/files/atomic_file.h"
#include "core/judge/judge_step.h"
#include "core/judge/judged_choices.h"
#include "core/judge/judged_run.h"
#include "core/judge/judged_sizes.h"
#include "core/judge/oclgrind_log.h"
#include "core/judge/questions.h"
#include "core/judge/source_causes.h"
#include "core/kernels/resolved_source.h"
#include "core/run/parameters/whole_number.h"
#include "core/run/user/text_defines.h"

namespace ks::cli {
namespace {

struct JudgeOptions {
    JudgeOptions(CLI::App& command, const AnalysisInfo& info)
        : kernels(command, {.variant = "Variant whose kernel is judged",
                            .kernel_source = "Kernel file to judge in place of the variant's own",
                            .needs_variant = true}) {
        add_number(command, "--time-limit", time_limit, "Time limit per kernel, in seconds (default 10)",
                   "SECONDS", 0.1, 1e6);
        command.add_flag("--no-simulation", no_simulation, "Skip the runs under oclgrind");
        add_number(command, "--simulation-limit", simulation_limit,
                   "Total time limit of all runs under oclgrind, in seconds (default 60)", "SECONDS", 0.1,
                   1e6);
        if (std::ranges::none_of(info.benchmark,
                                 [](const ParameterSpec& spec) { return is_launch_size(spec.id); }))
            command
                .add_option("--local-sizes", local_sizes,
                            "Comma-separated work-group sizes to run, for variants with a definition WG")
                ->type_name("INTEGER,..")
                ->delimiter(',');
        add_texts(command, "--only", only,
                  "Run only the problem with this title, or those whose titles contain these words; may be "
                  "repeated",
                  "WORDS");
        command.add_flag("--strict", strict, "Also exit with code 1 if an answer is not known");
        add_text(command, "--json", json, "File to write the findings to", "FILE");
        command.add_flag("--overwrite", overwrite, "Replace an existing file");
        command.add_flag("--progress", progress, "Print progress as lines");
    }
    KernelOptions kernels;
    std::string json;
    std::vector<std::string> local_sizes, only;
    double time_limit = 10, simulation_limit = 60;
    bool overwrite = false, progress = false, no_simulation = false, strict = false;
};

/// The sizes of the benchmark, with the small problem's values as defaults.
std::vector<ParameterSpec> small_sizes(const AnalysisInfo& info) {
    std::vector<ParameterSpec> sizes = info.benchmark;
    for (ParameterSpec& spec : sizes)
        if (const auto small = info.small.find(spec.id); small != info.small.end())
            spec.default_value = small->second;
    return sizes;
}

/// @param choices as choices_of() gives them
void print(const std::string& choices, const std::vector<JudgedRun>& runs,
           const std::vector<Finding>& findings) {
    if (!choices.empty()) fmt::print("with: {}\n", printable(choices));
    for (const bool simulated : {false, true}) {
        std::vector<std::string> titles;
        for (const JudgedRun& run : runs)
            if (run.simulated == simulated && run.not_simulated.empty())
                titles.push_back(printable(run.title));
        if (!titles.empty())
            fmt::print("{}: {}\n", simulated ? "under oclgrind" : "on the device", fmt::join(titles, "; "));
    }
    for (const Finding& finding : findings) {
        fmt::print("{}\n", printable(line_of(finding)));
        if (!finding.details.empty()) fmt::print("{}\n", printable_lines(finding.details));
    }
    fmt::print("\n{}{}", table_of(runs), printable_lines(not_taken_of(runs)));
}

/// What the simulator's compiler said of the first kernel that it refused; empty: it refused none.
std::string simulator_log_of(const std::vector<JudgedRun>& runs) {
    const auto refused =
        std::ranges::find_if(runs, [](const JudgedRun& run) { return !run.simulator_log.empty(); });
    return refused == runs.end() ? std::string() : refused->simulator_log;
}

nlohmann::json json_of(const std::string& choices, const JudgePlan& plan, const std::vector<JudgedRun>& runs,
                       const std::vector<Finding>& findings) {
    nlohmann::json all = nlohmann::json::array();
    for (const Finding& finding : findings) all.push_back(ks::to_json(finding));
    nlohmann::json json{{"analysis", plan.request.analysis},
                        {"variant", plan.request.variant},
                        {"kernel_file", plan.request.kernel_file},
                        {"sizes", to_json(runs.front().sizes)},
                        {"choices", choices},
                        {"findings", all},
                        {"runs", to_json(runs)}};
    if (!plan.text_hash.empty()) json["text_hash"] = plan.text_hash;
    if (const std::string log = simulator_log_of(runs); !log.empty()) json["simulator_log"] = log;
    return json;
}

/// The requested variant as the device offers it; nothing if it offers none of that name.
std::optional<Variant> offered_variant(const Engine& engine, const Request& request) {
    for (const Offer& offer : engine.offers(request.analysis, request.device))
        if (offer.variant.id == request.variant) return offer.variant;
    return std::nullopt;
}

/// The judged kernel as the compiler gets it; nothing if no variant has that name.
std::optional<ResolvedSource> judged_source(const Engine& engine, const Request& request) {
    const std::map<std::string, std::string> files = engine.kernel_files();
    if (!request.kernel_source.empty())
        return resolve_source(request.kernel_file.empty() ? given_source : request.kernel_file,
                              request.kernel_source, files);
    const std::optional<Variant> variant = offered_variant(engine, request);
    if (!variant) return std::nullopt;
    return resolve_source(variant->source_file, variant->source, files);
}

/// The values that the request gives to definitions, by their names in the judged text.
std::map<std::string, std::string> defines_in_text(const Engine& engine, const Request& request) {
    const std::optional<Variant> variant = offered_variant(engine, request);
    return variant ? values_in_text(variant->defines, request.defines) : request.defines;
}

/// What the text of a kernel shows before it runs.
struct KnownOfText {
    std::optional<Finding> no_build = {};  ///< it must not be compiled
    std::string private_memory = {};       ///< "each work-item has 16 MiB ..."; empty: little
    bool is_too_much_to_simulate = false;
};

KnownOfText known_of_text(const ResolvedSource& source, const std::map<std::string, std::string>& defines) {
    // On processors the arrays of all work-items of a group are on one thread's stack at a time: from 1 KiB
    // on they count.
    constexpr std::uint64_t large = 1024, most_simulated = std::uint64_t{2} << 20;
    KnownOfText known;
    const std::string text = source.text();
    const auto placed = [&](std::size_t line) {
        const auto place = source.place_of(line);
        return place ? fmt::format("{}:{}", place->file, place->line) : fmt::format("line {}", line);
    };
    if (const auto recursion = recursion_in(text)) {
        known.no_build = {"builds", Finding::State::no,
                          fmt::format("{}: the function {} calls itself, directly or indirectly; OpenCL C "
                                      "does not support recursion",
                                      placed(recursion->line), recursion->function)};
        if (const auto place = source.place_of(recursion->line)) known.no_build->places = {*place};
    }
    const auto arrays = private_arrays_in(text, defines);
    if (!arrays || arrays->bytes < large) return known;
    known.private_memory = fmt::format("each work-item has {} of private memory, for example `{}` at {}",
                                       bytes_text(arrays->bytes), arrays->largest, placed(arrays->line));
    known.is_too_much_to_simulate = arrays->bytes > most_simulated;
    return known;
}

/// Values of definitions for the simulator.
struct SimulatorDefines {
    std::map<std::string, std::string> always = {};       ///< see simulated_defines()
    std::map<std::string, std::string> small_steps = {};  ///< see small_steps()
    std::map<std::string, std::string> smallest = {};     ///< the same, whatever the text chooses
};

SimulatorDefines defines_of_simulation(const Engine& engine, const Request& request) {
    const std::vector<Offer> offers = engine.offers(request.analysis, request.device);
    const auto of_id = [&](const std::string& id) {
        return std::ranges::find_if(offers, [&](const Offer& offer) { return offer.variant.id == id; });
    };
    const auto judged = of_id(request.variant);
    if (judged == offers.end()) return {};
    const auto base = of_id(judged->variant.base);
    const Variant& shipped = base == offers.end() ? judged->variant : base->variant;
    const std::map<std::string, std::string> files = engine.kernel_files();
    OwnText own{request.kernel_source, {}};
    if (!own.text.empty()) own.with_files = resolve_source(request.kernel_file, own.text, files).text();
    const std::string text = resolve_source(shipped.source_file, shipped.source, files).text();
    return {simulated_defines(judged->variant, own, text, request.defines),
            small_steps(judged->variant, own, text, request.defines),
            small_steps(judged->variant, {}, text, {})};
}

/// The definition of the work-group size, one for each requested local size. Throws ks::Error(input) if the
/// variant has none, or does not take a value.
std::vector<std::map<std::string, std::string>> group_sizes(const Engine& engine, const Request& request,
                                                            const std::vector<std::string>& local_sizes) {
    std::vector<std::map<std::string, std::string>> all;
    if (const std::optional<Variant> variant = offered_variant(engine, request))
        for (const std::string& given : local_sizes) {
            if (std::ranges::find(variant->defines, "WG", &DefineSpec::name) == variant->defines.end())
                throw Error(ErrorKind::input, "this variant has no choice of local size", variant->id,
                            "leave out --local-sizes");
            const std::string size = in_digits(given);
            require_define(*variant, "WG", size);
            all.push_back({{"WG", size}});
        }
    if (all.empty()) all.emplace_back();  // the variant's default
    return all;
}

/// Runs on the device, then runs under the simulator.
std::vector<JudgedRun> runs_to_judge(const JudgedSizes& sizes,
                                     const std::vector<std::map<std::string, std::string>>& groups,
                                     const std::map<std::string, std::string>& simulated) {
    std::vector<JudgedRun> runs;
    for (const bool on_device : {true, false})
        for (const ParameterSet& one : on_device ? sizes.on_device : sizes.simulated)
            for (std::map<std::string, std::string> defines : groups) {
                if (!on_device) defines.insert(simulated.begin(), simulated.end());
                runs.push_back({.sizes = one, .defines = std::move(defines), .simulated = !on_device});
            }
    for (const ParameterSet& one : sizes.simulated_choices) {
        std::map<std::string, std::string> defines = groups.front();
        defines.insert(simulated.begin(), simulated.end());
        runs.push_back({.sizes = one, .defines = std::move(defines), .simulated = true, .of_choices = true});
    }
    // Last: what is wrong in a whole problem, too, is told of that one first.
    for (const ParameterSet& one : sizes.in_parts)
        for (const std::map<std::string, std::string>& defines : groups)
            runs.push_back({.sizes = one, .defines = defines, .in_parts = true});
    give_titles(runs, sizes.names, sizes.usual);
    return runs;
}

/// Marks the runs as left out whose titles are none of these texts, and contain none of those that are no
/// title. Throws ks::Error(input) if one of the texts is in no title.
void leave_out_others(std::vector<JudgedRun>& runs, const std::vector<std::string>& texts) {
    for (JudgedRun& run : runs) run.left_out = true;
    for (const std::string& text : texts) {
        const bool is_title = std::ranges::find(runs, text, &JudgedRun::title) != runs.end();
        bool found = false;
        for (JudgedRun& run : runs) {
            if (is_title ? run.title != text : run.title.find(text) == std::string::npos) continue;
            run.left_out = false;
            found = true;
        }
        if (found) continue;
        std::string titles;
        for (const JudgedRun& run : runs) titles += run.title + "\n";
        throw Error(ErrorKind::input, fmt::format("no problem has \"{}\" in its title", text), "--only",
                    "the titles follow", titles);
    }
}

/// All steps judge the text that the file has now, even if it changes meanwhile.
void keep_own_text(const Engine& engine, JudgePlan& plan) {
    if (plan.request.kernel_source.empty()) plan.request = engine.with_user_text(plan.request);
    if (plan.request.kernel_source.empty()) return;
    const auto files = engine.kernel_files();
    const auto own = files.find(plan.request.kernel_file);
    plan.text_hash = hash_text(hash_of(own == files.end() ? plan.request.kernel_source : own->second));
}

bool has_no(const JudgedRun& run, std::string_view id) {
    return std::ranges::any_of(run.findings, [&](const Finding& finding) {
        return finding.id == id && finding.state == Finding::State::no;
    });
}

const Finding& finding_named(const JudgedRun& run, std::string_view id) {
    return *std::ranges::find_if(run.findings, [&](const Finding& finding) { return finding.id == id; });
}

/// Empty if it is simulated.
std::string why_not_simulated(const JudgeOptions& options, const std::vector<JudgedRun>& runs) {
    if (options.no_simulation) return "it was not requested";
    const bool is_built =
        std::ranges::none_of(runs, [](const JudgedRun& run) { return has_no(run, "builds"); });
    return is_built ? "" : "it does not build";
}

/// Whether a run without guard zones would show nothing else.
bool says_it_all(const Attempt& guarded) {
    return guarded.was_too_long || (guarded.error && guarded.error->kind() == ErrorKind::build);
}

/// Whether only a run without guard zones can show the values: this one ended at a guard zone, or at an input
/// that had been written.
bool lacks_values(const Attempt& guarded) {
    return !guarded.damage.empty() || (guarded.error && guarded.error->kind() == ErrorKind::run);
}

class Judging {
  public:
    Judging(Session& session, const JudgePlan& plan) : session_(session), plan_(plan) {}

    /// Runs on the device, the first of them, and those that fail at a guard zone, also without guard zones.
    /// Problems that the variant does not take are left out. Throws ks::Error(input) if it takes none.
    /// A user's kernel that is built for the usual values need not be for others.
    /// @param usual JudgedSizes::usual
    void on_device(std::vector<JudgedRun>& runs, const ParameterSet& usual) {
        DeviceJudge judge(plan_, session_.progress());
        std::optional<Error> refusal;
        std::string why_no_more;
        // Those in parts are the last.
        const auto is_taken = [](const JudgedRun& run) {
            return !run.simulated && !run.in_parts && !run.left_out && run.not_taken.empty();
        };
        const auto front = std::ranges::find(runs, false, &JudgedRun::left_out);
        bool first = true;
        for (JudgedRun& run : runs) {
            if (run.simulated || run.left_out) continue;
            if (run.in_parts && refusal && std::ranges::none_of(runs, is_taken)) {
                run.not_taken = refusal->what();  // no memory limit would help
                continue;
            }
            if (!why_no_more.empty()) {
                for (const char* id : {"guards", "ends", "survives", "values"})
                    run.findings.push_back({id, Finding::State::unknown, why_no_more});
                continue;
            }
            try {
                begin_step("a run between guard zones", run);
                const Attempt guarded = judge.attempted(run, true);
                const bool again =
                    (std::exchange(first, false) || lacks_values(guarded)) && !says_it_all(guarded);
                if (again) begin_step("a run without guard zones", run);
                const Attempt ordinary = again ? judge.attempted(run, false) : guarded;
                run.findings = findings_of(guarded, ordinary, plan_.limit);
                run.groups = guarded.groups;
                run.launch = guarded.launch.known() ? guarded.launch : ordinary.launch;
                run.groups.insert(ordinary.groups.begin(), ordinary.groups.end());
                for (const Attempt* attempt : {&guarded, &ordinary})
                    builds.insert(builds.end(), attempt->builds.begin(), attempt->builds.end());
            } catch (const Error& error) {
                // Without such a variant, no other problem helps.
                if (error.kind() != ErrorKind::input || !offered_variant(session_.engine(), plan_.request))
                    throw;
                run.not_taken = error.what();
                if (!refusal) refusal = error;
            }
            const bool is_built = &run != &*front && !has_no(*front, "builds");
            if (has_no(run, "builds") && is_built && !plan_.request.kernel_source.empty() &&
                !has_usual_values(run, usual)) {
                run.not_taken = "it does not build: " + finding_named(run, "builds").text;
                run.findings.clear();
            }
            if (has_no(run, "builds")) why_no_more = "it does not build";
            if (has_no(run, "ends")) why_no_more = "it does not finish for " + run.title;
        }
        if (refusal && std::ranges::none_of(runs, is_taken)) throw *refusal;
    }

    /// Simulations of the runs that ask for it, of the device's branches where they differ, and in small
    /// steps.
    /// @param sizes for give_titles()
    void simulated(std::vector<JudgedRun>& runs, const std::string& why_not, const SimulatorDefines& defines,
                   const JudgedSizes& sizes) {
        const std::map<std::string, std::string> files = session_.engine().kernel_files();
        Simulator simulator(plan_, builds, files, session_.progress());
        for (JudgedRun& run : runs) {
            if (!run.simulated || run.left_out) continue;
            const auto refused = std::ranges::find_if(runs, [&](const JudgedRun& one) {
                return !one.not_taken.empty() && !one.in_parts && one.sizes == run.sizes;
            });
            if (refused != runs.end()) {
                run.not_taken = refused->not_taken;
                continue;
            }
            if (!why_not.empty()) {
                run.not_simulated = why_not;
                run.findings = unknown_to_oclgrind(why_not);
                continue;
            }
            begin_step("a run under oclgrind", run);
            simulator.judge(run);
        }
        // Where that was another branch than the device ran, its branch is simulated as well.
        const std::optional<Variant> variant = offered_variant(session_.engine(), plan_.request);
        const auto simulate_more = [&](const std::vector<JudgedRun>& more) {
            runs.insert(runs.end(), more.begin(), more.end());
            give_titles(runs, sizes.names, sizes.usual);
            for (JudgedRun& run : std::span(runs).last(more.size())) {
                begin_step("a run under oclgrind", run);
                simulator.judge(run);
            }
        };
        std::vector<JudgedRun> more =
            runs_as_on_device(runs, variant ? variant->defines : std::vector<DefineSpec>());
        std::ranges::move(runs_in_small_steps(runs, defines.small_steps, sizes.names),
                          std::back_inserter(more));
        simulate_more(more);
        simulate_more(runs_of_several_steps(runs, plan_.request.analysis, defines.smallest));
        doubt_single_steps(runs, plan_.request.analysis, defines.smallest);
        doubt_other_branches(runs);
        give_titles(runs, sizes.names, sizes.usual);
    }

    std::vector<BuildLog> builds = {};

  private:
    void begin_step(const std::string& name, const JudgedRun& run) {
        session_.progress().report(0, fmt::format("{}{}, {}", judge_step, name, run.title));
    }
    Session& session_;
    const JudgePlan& plan_;
};

/// A crash may come from too much private memory.
void name_private_memory(std::vector<JudgedRun>& runs, const std::string& private_memory) {
    if (private_memory.empty()) return;
    for (JudgedRun& run : runs)
        for (Finding& finding : run.findings)
            if (finding.id == "survives" && finding.state == Finding::State::no)
                finding.text += "; " + private_memory;
}

/// "races, barriers"
std::string unknown_questions(const std::vector<Finding>& findings) {
    std::vector<std::string> ids;
    for (const Finding& finding : findings)
        if (finding.state == Finding::State::unknown) ids.push_back(finding.id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

std::chrono::milliseconds milliseconds_of(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

int run_judge(Session& session, const Analysis& analysis, const JudgeOptions& options,
              const SizeOptions& given) {
    const InterruptCancels guard(session.progress());
    if (options.progress) session.terminal().use_lines();
    JudgePlan plan;
    plan.request.analysis = analysis.info().id;
    options.kernels.add_to(plan.request);
    plan.limit = milliseconds_of(options.time_limit);
    plan.simulation_limit = milliseconds_of(options.simulation_limit);
    const SizeLists lists = given.given();
    if (!options.json.empty()) {
        require_no_kernel("--json", options.json, plan.request.kernel_file, plan.request.defines);
        require_output(options.json, options.overwrite);
    }
    const std::string& variant = plan.request.variant;
    if (variant.starts_with("host."))
        throw Error(ErrorKind::input, "it runs on the host, so there is no kernel to judge", variant);
    keep_own_text(session.engine(), plan);
    const Engine& engine = session.engine();
    const JudgedSizes sizes = sizes_to_judge(analysis, lists);
    const SimulatorDefines simulator = defines_of_simulation(engine, plan.request);
    std::vector<JudgedRun> runs =
        runs_to_judge(sizes, group_sizes(engine, plan.request, options.local_sizes), simulator.always);
    if (!options.only.empty()) leave_out_others(runs, options.only);

    const std::optional<ResolvedSource> source = judged_source(session.engine(), plan.request);
    const KnownOfText known =
        source ? known_of_text(*source, defines_in_text(session.engine(), plan.request)) : KnownOfText();
    const std::string used = source ? used_text(*source) : std::string();
    Judging judging(session, plan);
    if (known.no_build) {
        std::ranges::find(runs, false, &JudgedRun::left_out)->findings =
            findings_that_do_not_build(*known.no_build);
    } else {
        judging.on_device(runs, sizes.usual);
        if (source && !plan.request.kernel_source.empty())
            leave_out_other_kernels(runs, analysis.info(), sizes.usual, used);
        name_private_memory(runs, known.private_memory);
    }
    // Many kernels do not end because only some work-items reach a barrier; the simulator soon finds that.
    if (std::ranges::any_of(runs, [](const JudgedRun& run) { return has_no(run, "ends"); }))
        plan.simulation_limit = std::min(plan.simulation_limit, plan.limit);
    const std::string why_not = why_not_simulated(options, runs);
    judging.simulated(runs, why_not.empty() && known.is_too_much_to_simulate ? known.private_memory : why_not,
                      simulator, sizes);
    // Titles and choices are those among all runs.
    const std::string choices = choices_of(analysis.info(), runs, sizes.usual);
    std::erase_if(runs, [](const JudgedRun& run) { return run.left_out; });
    doubt_races_between_groups(runs);
    session.terminal().clear();
    std::vector<Finding> findings = summed_up(runs);
    if (source)
        name_choices_not_simulated(findings, choices_not_simulated(runs, analysis.info(), sizes.usual, used));
    print(choices, runs, findings);
    if (const std::string log = simulator_log_of(runs); !log.empty())
        tell(fmt::format("the simulator's compiler:\n{}\n", printable_lines(log)));
    if (!options.json.empty())
        io::write_text(options.json, dump_json(json_of(choices, plan, runs, findings), 1) + "\n",
                       options.overwrite);
    const std::string unknown = unknown_questions(findings);
    if (!unknown.empty()) fmt::print("not known: {}\n", unknown);
    std::fflush(stdout);
    const auto wrong = std::ranges::count(findings, Finding::State::no, &Finding::state);
    if (wrong > 0)
        throw Error(ErrorKind::run,
                    fmt::format("the kernel is wrong: {} finding{}", wrong, wrong == 1 ? "" : "s"),
                    plan.request.kernel_file.empty() ? variant : plan.request.kernel_file);
    return options.strict && !unknown.empty() ? 1 : 0;
}

}  // namespace

void add_judge(CLI::App& root, const Registry& registry, Commands& commands) {
    CLI::App* judge =
        add_group(root, commands, "judge", "Check whether a kernel is right, and find what is wrong with it");
    for (const Analysis& analysis : registry.analyses()) {
        if (!analysis.has_benchmark()) continue;
        const AnalysisInfo& info = analysis.info();
        CLI::App* command = judge->add_subcommand(info.id, "A kernel of " + info.title);
        auto options = std::make_shared<JudgeOptions>(*command, info);
        auto sizes = std::make_shared<SizeOptions>(*command, small_sizes(info), SizeOptions::Names::plural);
        commands.push_back({command, [options, sizes, &analysis](Session& session) {
                                return run_judge(session, analysis, *options, *sizes);
                            }});
    }
}

}  // namespace ks::cli
