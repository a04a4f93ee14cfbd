#include "core/run/analysis.h"

namespace ks {
namespace {

ShareUnits not_shared() {
    return {.why_not = "it cannot be divided among several devices; choose one"};
}

}  // namespace

void Analysis::require(bool has_it, const char* what) const {
    if (!has_it) throw Error(ErrorKind::input, std::string("the analysis has no ") + what, info().id);
}

std::shared_ptr<const Problem> Analysis::load(const Request& request, Progress& progress,
                                              std::shared_ptr<const Problem> previous) const {
    Request complete = request;
    complete.parameters = checked(info().parameters, request.parameters);
    return functions_.load(complete, progress, std::move(previous));
}

Traits Analysis::traits(const Problem& problem) const {
    return functions_.traits ? functions_.traits(problem) : Traits();
}

std::vector<IdleParameter> Analysis::idle(const Request& request) const {
    return functions_.idle ? functions_.idle(request) : std::vector<IdleParameter>();
}

std::string Analysis::code_of(const ParameterSet& parameters) const {
    return functions_.code_of ? functions_.code_of(checked(info().parameters, parameters)) : std::string();
}

ParameterSet Analysis::benchmark_sizes(const ParameterSet& given) const {
    ParameterSet sizes = checked(info().benchmark, given);
    if (functions_.benchmark_sizes) sizes = functions_.benchmark_sizes(std::move(sizes));
    Request request;
    request.parameters = sizes;
    for (const IdleParameter& parameter : idle(request)) sizes.erase(parameter.id);
    return sizes;
}

std::shared_ptr<const Problem> Analysis::benchmark_problem(const ParameterSet& sizes) const {
    require(has_benchmark(), "benchmark");
    const ParameterSet complete = checked(info().benchmark, sizes);
    if (functions_.benchmark_problem) return functions_.benchmark_problem(complete);
    Request request;
    request.analysis = info().id;
    request.parameters = complete;
    Progress progress;
    return load(request, progress, nullptr);
}

std::optional<Request> Analysis::benchmark_files(const ParameterSet& sizes,
                                                 const std::filesystem::path& folder,
                                                 Progress& progress) const {
    if (!functions_.benchmark_files) return std::nullopt;
    Request request = functions_.benchmark_files(checked(info().benchmark, sizes), folder, progress);
    request.analysis = info().id;
    return request;
}

void Analysis::generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                        Progress& progress) const {
    require(has_generator(), "generator");
    functions_.generate(checked(info().generator, parameters), out, overwrite, progress);
}

ShareUnits Analysis::units(const Problem& problem) const {
    return functions_.units ? functions_.units(problem) : not_shared();
}

std::shared_ptr<const Problem> Analysis::part(const std::shared_ptr<const Problem>& whole, std::size_t first,
                                              std::size_t end) const {
    if (!functions_.part) throw Error(ErrorKind::input, not_shared().why_not, info().id);
    return functions_.part(whole, first, end);
}

Result Analysis::joined(const Problem& whole, std::vector<PartResult> parts,
                        std::vector<Timing>& timings) const {
    if (!functions_.joined) throw Error(ErrorKind::input, not_shared().why_not, info().id);
    return functions_.joined(whole, std::move(parts), timings);
}

Verdict Analysis::check(const Problem& problem, const Run& run, CheckMode mode, Progress& progress) const {
    return mode == CheckMode::none ? Verdict() : functions_.check(problem, run, mode, progress);
}

void Analysis::save(const Run& run, const std::filesystem::path& out, bool overwrite,
                    Progress& progress) const {
    functions_.save(run, out, overwrite, progress);
}

void Analysis::keep(const Run& run, const std::filesystem::path& out, Progress& progress) const {
    if (!functions_.keep) return save(run, out, true, progress);
    functions_.keep(run, out, progress);
}

Run Analysis::open(const std::filesystem::path& file) const {
    return functions_.open(file);
}

void Analysis::save_csv(const Run& run, const std::filesystem::path& out, bool overwrite,
                        Progress& progress) const {
    functions_.save_csv(run, out, overwrite, progress);
}

std::optional<CeilingShare> Analysis::ceiling_share(const Problem& problem, const Variant& variant,
                                                    double kernel_nanoseconds,
                                                    const Ceilings& ceilings) const {
    if (!functions_.ceiling_share) return std::nullopt;
    return functions_.ceiling_share(problem, variant, kernel_nanoseconds, ceilings);
}

std::string Analysis::pixel_text(const Run& run, const Dataset& image, std::size_t pixel) const {
    return functions_.pixel_text ? functions_.pixel_text(run, image, pixel) : std::string();
}

std::string Analysis::setup_text(const Run& run) const {
    return functions_.setup_text ? functions_.setup_text(run) : std::string();
}

std::string Analysis::summary(const Run& run) const {
    return functions_.summary ? functions_.summary(run) : summary_of_result(run.result);
}

}  // namespace ks
