#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/judge_worker.h"
#include "app/cli/kernel_options.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/base/printable.h"
#include "core/input/input_files.h"
#include "core/io/files/atomic_file.h"
#include "core/judge/judge_step.h"
#include "core/judge/oclgrind_log.h"

namespace ks::cli {
namespace {

struct JudgeOptions {
    explicit JudgeOptions(CLI::App& command)
        : kernels(command, {.variant = "Variant whose kernel is judged",
                            .kernel_source = "Kernel file to judge in place of the variant's own",
                            .needs_variant = true}) {
        command.add_option("--time-limit", time_limit, "Seconds that a kernel may take (default 10)")
            ->type_name("SECONDS")
            ->check(CLI::Range(0.1, 1e6));
        command.add_flag("--no-simulation", no_simulation, "Do not run it under oclgrind");
        command.add_option("--json", json, "File to write the findings to")->type_name("FILE");
        command.add_flag("--overwrite", overwrite, "Replace an existing file");
        command.add_flag("--progress", progress, "Print progress as lines");
    }
    KernelOptions kernels;
    std::string json;
    double time_limit = 10;
    bool overwrite = false, progress = false, no_simulation = false;
};

/// The sizes of the benchmark, whose defaults here are those of the small problem.
std::vector<ParameterSpec> small_sizes(const AnalysisInfo& info) {
    std::vector<ParameterSpec> sizes = info.benchmark;
    for (ParameterSpec& spec : sizes)
        if (const auto small = info.small.find(spec.id); small != info.small.end())
            spec.default_value = small->second;
    return sizes;
}

ParameterSet overlaid(ParameterSet with, const ParameterSet& given) {
    for (const auto& [id, value] : given) with[id] = value;
    return with;
}

/// Sizes that the simulator is done with in seconds, and that no group divides.
struct SimulatedSize {
    const char* parameter;
    std::int64_t value;
};
constexpr std::array simulated_sizes{
    SimulatedSize{"frames", 18},   SimulatedSize{"height", 17},    SimulatedSize{"width", 19},
    SimulatedSize{"depth", 3},     SimulatedSize{"events", 1},     SimulatedSize{"points", 20},
    SimulatedSize{"planes", 5},    SimulatedSize{"size", 19},      SimulatedSize{"items", 19},
    SimulatedSize{"elements", 19}, SimulatedSize{"ring_width", 3}, SimulatedSize{"global_x", 19},
    SimulatedSize{"spots", 2},     SimulatedSize{"global_y", 3},   SimulatedSize{"groups", 3},
    SimulatedSize{"local_size", 7}};

/// Of the sizes that were given choices and switches remain: they tell kernels apart.
ParameterSet for_simulation(const AnalysisInfo& info, const ParameterSet& given) {
    ParameterSet sizes;
    for (const ParameterSpec& spec : info.benchmark) {
        const auto known = std::ranges::find(
            simulated_sizes, spec.id, [](const SimulatedSize& size) { return std::string(size.parameter); });
        const auto own = given.find(spec.id);
        const bool is_size = spec.type == ParameterType::integer;
        if (known != simulated_sizes.end() && is_size)
            sizes[spec.id] = std::max(known->value, static_cast<std::int64_t>(spec.minimum.value_or(0)));
        else if (own != given.end())
            sizes.insert(*own);
    }
    return sizes;
}

std::string line_of(const Finding& finding) {
    const std::string text = printable(finding.text);
    const std::string state = finding.state == Finding::State::unknown ? "not known" : name_of(finding.state);
    if (finding.state == Finding::State::no) return fmt::format("{}: {}\n", finding.id, text);
    return text.empty() ? fmt::format("{}: {}\n", finding.id, state)
                        : fmt::format("{}: {} ({})\n", finding.id, state, text);
}

void print(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
        fmt::print("{}", line_of(finding));
        if (!finding.details.empty()) fmt::print("{}\n", printable_lines(finding.details));
    }
    std::fflush(stdout);
}

nlohmann::json json_of(const JudgePlan& plan, const std::vector<Finding>& findings) {
    nlohmann::json all = nlohmann::json::array();
    for (const Finding& finding : findings) all.push_back(ks::to_json(finding));
    nlohmann::json json{{"analysis", plan.request.analysis},
                        {"variant", plan.request.variant},
                        {"kernel_file", plan.request.kernel_file},
                        {"sizes", to_json(plan.sizes)},
                        {"findings", all}};
    if (!plan.text_hash.empty()) json["text_hash"] = plan.text_hash;
    return json;
}

/// All steps judge the text that the file has now, whatever becomes of it meanwhile.
void keep_own_text(const Engine& engine, JudgePlan& plan) {
    if (plan.request.kernel_source.empty()) plan.request = engine.with_user_text(plan.request);
    if (plan.request.kernel_source.empty()) return;
    const auto files = engine.kernel_files();
    const auto own = files.find(plan.request.kernel_file);
    plan.text_hash = hash_text(hash_of(own == files.end() ? plan.request.kernel_source : own->second));
}

/// Empty: it is.
std::string why_not_simulated(const JudgeOptions& options, const std::vector<Finding>& findings) {
    if (options.no_simulation) return "nobody asked for it";
    for (const auto& [id, why] : {std::pair("builds", "it does not build"), {"ends", "it does not end"}})
        for (const Finding& finding : findings)
            if (finding.id == id && finding.state == Finding::State::no) return why;
    return {};
}

/// Whether a run without guard zones would tell nothing else.
bool says_it_all(const Attempt& guarded) {
    return guarded.was_too_long || (guarded.error && guarded.error->kind() == ErrorKind::build);
}

void begin_step(Session& session, const std::string& name) {
    session.progress().report(0, judge_step + name);
}

int run_judge(Session& session, const Analysis& analysis, const JudgeOptions& options,
              const ParameterOptions& given) {
    const InterruptCancels guard(session.progress());
    if (options.progress) session.terminal().use_lines();
    const AnalysisInfo& info = analysis.info();
    JudgePlan plan;
    plan.request.analysis = info.id;
    options.kernels.add_to(plan.request);
    plan.limit = std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit * 1000));
    plan.sizes = analysis.benchmark_sizes(overlaid(info.small, given.given()));
    if (!options.json.empty()) {
        require_no_kernel("--json", options.json, plan.request.kernel_file, plan.request.defines);
        require_output(options.json, options.overwrite);
    }
    const std::string& variant = plan.request.variant;
    if (variant.starts_with("host."))
        throw Error(ErrorKind::input, "it runs on the host: there is no kernel to judge", variant);
    keep_own_text(session.engine(), plan);

    begin_step(session, "a run between guard zones");
    const Attempt guarded = attempted(plan, true, session.progress());
    if (!says_it_all(guarded)) begin_step(session, "a run as usual");
    const Attempt ordinary = says_it_all(guarded) ? guarded : attempted(plan, false, session.progress());
    std::vector<Finding> findings = findings_of(guarded, ordinary, plan.limit);
    session.terminal().clear();
    print(findings);
    std::vector<Finding> further;
    if (const std::string why = why_not_simulated(options, findings); !why.empty()) {
        further = unknown_to_oclgrind(why);
    } else {
        begin_step(session, "a run under oclgrind");
        JudgePlan small = plan;
        small.sizes = for_simulation(info, given.given());
        further = simulated(std::move(small), session.engine().kernel_files(), session.progress());
    }
    session.terminal().clear();
    print(further);
    findings.insert(findings.end(), further.begin(), further.end());
    if (!options.json.empty())
        io::write_text(options.json, dump_json(json_of(plan, findings), 1) + "\n", options.overwrite);
    const auto wrong = std::ranges::count(findings, Finding::State::no, &Finding::state);
    if (wrong > 0)
        throw Error(ErrorKind::run,
                    fmt::format("the kernel is wrong: {} finding{}", wrong, wrong == 1 ? "" : "s"),
                    plan.request.kernel_file.empty() ? variant : plan.request.kernel_file);
    return 0;
}

}  // namespace

void add_judge(CLI::App& root, const Registry& registry, Commands& commands) {
    CLI::App* judge =
        add_group(root, commands, "judge", "Tell whether a kernel is right, and what is wrong with it");
    for (const auto& analysis : registry.analyses()) {
        if (!analysis->extras().benchmark) continue;
        const AnalysisInfo& info = analysis->info();
        CLI::App* command = judge->add_subcommand(info.id, "A kernel of " + info.title);
        auto options = std::make_shared<JudgeOptions>(*command);
        auto sizes = std::make_shared<ParameterOptions>(*command, small_sizes(info), "Sizes");
        commands.push_back({command, [options, sizes, &analysis = *analysis](Session& session) {
                                return run_judge(session, analysis, *options, *sizes);
                            }});
    }
}

}  // namespace ks::cli
