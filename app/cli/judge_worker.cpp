#include "app/cli/judge_worker.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "app/cli/worker_process.h"
#include "core/base/error.h"
#include "core/io/files/temporary_folder.h"
#include "core/judge/oclgrind_log.h"
#include "core/kernels/resolved_source.h"

namespace ks::cli {
namespace {

constexpr const char* judge = "judge";
constexpr std::chrono::seconds simulation_limit{60};  ///< for a simulation that says nothing

wire::Message asked(const JudgePlan& plan) {
    wire::Message message;
    message.header = {{"type", judge}};
    message.header["request"] = ks::to_json(plan.request, &message.blobs);
    message.header["sizes"] = to_json(plan.sizes);
    return message;
}

Attempt attempt_of(const WorkerProcess::Answer& answer) {
    Attempt attempt;
    attempt.stage = answer.stage;
    attempt.how_it_ended = answer.how_it_ended;
    attempt.was_too_long = answer.was_too_long;
    if (!answer.message) return attempt;
    const nlohmann::json& header = answer.message->header;
    if (answer.message->type() == "error") {
        attempt.error = wire::error_from(header.at("error"));
        return attempt;
    }
    attempt.verdict = ks::from_json<Verdict>(header.at("verdict"), "a verdict");
    for (const auto& build : header.at("builds"))
        attempt.builds.push_back(ks::from_json<BuildLog>(build, "a build"));
    return attempt;
}

bool is_installed(const std::string& program) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(std::filesystem::path(folder) / program, ignored)) return true;
    }
    return false;
}

/// Why a simulation says nothing of the kernel; empty where it does.
std::string why_nothing_is_known(const Attempt& attempt) {
    if (attempt.was_too_long) return "not within the time that a simulation may take";
    if (!attempt.how_it_ended.empty()) return "oclgrind ended: " + attempt.how_it_ended;
    if (attempt.error) return std::string("the kernel does not run under oclgrind: ") + attempt.error->what();
    return {};
}

/// Lines of programs as their compiler counts them, by the kernel that was taken from them.
class Origins {
  public:
    Origins(const Request& request, const std::vector<BuildLog>& builds,
            const std::map<std::string, std::string>& files) {
        for (const BuildLog& build : builds) {
            const auto shipped = files.find(build.source_file);
            const bool own = shipped == files.end();
            if (own && request.kernel_source.empty()) continue;
            const ResolvedSource source =
                resolve_source(build.source_file, own ? request.kernel_source : shipped->second, files);
            for (const std::string& entry_point : build.entry_points) of_kernel_[entry_point] = source;
        }
    }
    std::optional<SourcePlace> operator()(const std::string& kernel, std::size_t line) const {
        const auto source = of_kernel_.find(kernel);
        return source == of_kernel_.end() ? std::nullopt : source->second.place_of(line);
    }

  private:
    std::map<std::string, ResolvedSource> of_kernel_;
};

}  // namespace

Attempt attempted(const JudgePlan& plan, bool guarded, Progress& progress) {
    JudgePlan one = plan;
    one.request.guarded = guarded;
    one.request.check = CheckMode::full;
    WorkerProcess worker(progress);
    Attempt attempt = attempt_of(worker.ask(asked(one), {.kernel = plan.limit}));
    if (attempt.error &&
        (attempt.error->kind() == ErrorKind::input || attempt.error->kind() == ErrorKind::cancelled))
        throw *attempt.error;
    return attempt;
}

std::vector<Finding> simulated(JudgePlan plan, const std::map<std::string, std::string>& kernel_files,
                               Progress& progress) {
    if (!is_installed("oclgrind")) return findings_without_oclgrind();
    const io::TemporaryFolder folder("kernelscope-judge");
    const std::string log = (folder.path() / "log").string(),
                      cache = "KERNELSCOPE_CACHE=" + (folder.path() / "cache").string();
    plan.request.device = "Oclgrind";
    Attempt attempt;
    {
        // Its programs are for the simulator alone.
        WorkerProcess worker(progress, {"env", cache, "oclgrind", "--log", log, "--data-races"});
        attempt = attempt_of(worker.ask(asked(plan), {.any = simulation_limit}));
    }
    if (attempt.error && attempt.error->kind() == ErrorKind::cancelled) throw *attempt.error;
    std::ifstream file(log, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::vector<SimulatedFault> faults = faults_in(text);
    const std::string why = why_nothing_is_known(attempt);
    if (!why.empty() && faults.empty()) return unknown_to_oclgrind(why);
    return findings_of(faults, Origins(plan.request, attempt.builds, kernel_files));
}

WorkerJob judge_job(Session& session) {
    return [&session](const wire::Message& message, wire::Message& answer, Progress& progress) {
        const auto request =
            ks::from_json<Request>(message.header.at("request"), "a request", &message.blobs);
        const ParameterSet sizes = parameter_set_from(message.header.at("sizes"));
        const Analysis& analysis = session.registry().analysis(request.analysis);
        const Run run = session.engine().run(
            request, analysis.benchmark_problem(analysis.benchmark_sizes(sizes)), progress);
        answer.header["verdict"] = ks::to_json(run.verdict);
        answer.header["builds"] = nlohmann::json::array();
        for (const BuildLog& build : run.builds) answer.header["builds"].push_back(ks::to_json(build));
    };
}

}  // namespace ks::cli
