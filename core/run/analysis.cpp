#include "core/run/analysis.h"

namespace ks {

Analysis::Analysis(AnalysisFunctions functions) : AnalysisFunctions(std::move(functions)) {
    if (!keep)
        keep = [whole = save](const Run& run, const std::filesystem::path& out, Progress& progress) {
            whole(run, out, true, progress);
        };
}

void Analysis::require(bool has_it, const char* what) const {
    if (!has_it) throw Error(ErrorKind::input, std::string("the analysis has no ") + what, info().id);
}

std::shared_ptr<const Problem> Analysis::load(const Request& request, Progress& progress,
                                              std::shared_ptr<const Problem> previous) const {
    Request complete = request;
    complete.parameters = checked(info().parameters, request.parameters);
    return AnalysisFunctions::load(complete, progress, std::move(previous));
}

std::string Analysis::code_of(const ParameterSet& parameters) const {
    if (!AnalysisFunctions::code_of) return {};
    return AnalysisFunctions::code_of(checked(info().parameters, parameters));
}

ParameterSet Analysis::benchmark_sizes(const ParameterSet& given) const {
    Request request;
    request.parameters = checked(info().benchmark, given);
    if (AnalysisFunctions::benchmark_sizes)
        request.parameters = AnalysisFunctions::benchmark_sizes(std::move(request.parameters));
    for (const IdleParameter& parameter : idle(request)) request.parameters.erase(parameter.id);
    return request.parameters;
}

std::shared_ptr<const Problem> Analysis::benchmark_problem(const ParameterSet& sizes) const {
    require(has_benchmark(), "benchmark");
    Request request;
    request.analysis = info().id;
    request.parameters = checked(info().benchmark, sizes);
    if (AnalysisFunctions::benchmark_problem) return AnalysisFunctions::benchmark_problem(request.parameters);
    Progress progress;
    return load(request, progress, nullptr);
}

std::optional<Request> Analysis::benchmark_files(const ParameterSet& sizes,
                                                 const std::filesystem::path& folder,
                                                 Progress& progress) const {
    if (!AnalysisFunctions::benchmark_files) return std::nullopt;
    Request request = AnalysisFunctions::benchmark_files(checked(info().benchmark, sizes), folder, progress);
    request.analysis = info().id;
    return request;
}

void Analysis::generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                        Progress& progress) const {
    require(has_generator(), "generator");
    AnalysisFunctions::generate(checked(info().generator, parameters), out, overwrite, progress);
}

Verdict Analysis::check(const Problem& problem, const Run& run, CheckMode mode, Progress& progress) const {
    return mode == CheckMode::none ? Verdict() : AnalysisFunctions::check(problem, run, mode, progress);
}

}  // namespace ks
