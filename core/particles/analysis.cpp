#include "core/particles/analysis.h"

#include <fmt/format.h>

#include <utility>

#include "core/io/points/point_file.h"
#include "core/particles/check.h"
#include "core/particles/generator.h"
#include "core/particles/pair_ceiling.h"
#include "core/particles/parameters.h"

namespace ks::particles {
namespace {

PointSpec benchmark_sources(const ParameterSet& set) {
    PointSpec spec = point_spec_from(set);
    if (spec.weights == "none") spec.weights = "ones";
    return spec;
}

/// Empty if the targets are planes or a cube.
std::optional<PointSpec> benchmark_targets(const ParameterSet& set) {
    const auto targets = static_cast<std::size_t>(optional_integer(set, "targets").value_or(0));
    require_one_kind(set, targets > 0);
    if (targets == 0) return std::nullopt;
    return PointSpec{targets, "random", "none", point_spec_from(set).seed + 1};
}

std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& set) {
    const PointSpec spec = benchmark_sources(set);
    auto sources = std::make_shared<const PointSet>(make_points(spec));
    Targets places = grid_from(set, usual_side);
    if (const auto targets = benchmark_targets(set))
        places = std::make_shared<const PointSet>(make_points(*targets));
    auto problem = std::make_shared<SumProblem>(std::move(sources), std::move(places), settings_from(set));
    problem->sources_key = fmt::format("{} {} {} {} {} {}", spec.points, spec.shape, spec.weights, spec.seed,
                                       spec.vectors, spec.repeated);
    return problem;
}

Request benchmark_files(const ParameterSet& sizes, const std::filesystem::path& folder, Progress& progress) {
    Request request;
    const auto write = [&](const PointSpec& spec, const char* role) {
        const std::filesystem::path file = folder / fmt::format("{}.csv", role);
        io::write_points(make_points(spec), file, false, progress);
        request.inputs[role].name = file.string();
    };
    write(benchmark_sources(sizes), "sources");
    if (const auto targets = benchmark_targets(sizes)) write(*targets, "targets");
    request.parameters = among(analysis_info().parameters, sizes);
    return request;
}

}  // namespace

std::vector<Analysis> make_analyses() {
    return one_analysis({.info = analysis_info(),
                         .load = load_problem,
                         .benchmark_problem = benchmark_problem,
                         .benchmark_files = benchmark_files,
                         .generate = generate_file,
                         .check = check_sums,
                         .save = write_run,
                         .open = read_run,
                         .save_csv = write_table,
                         .summary = summary_of,
                         .setup_text = setup_text_of,
                         .traits = traits_of,
                         .idle = idle_parameters,
                         .benchmark_sizes = benchmark_sizes,
                         .ceiling_share = share_of_pairs,
                         .units = units_of,
                         .part = part_by(part_of),
                         .joined = joined_sums});
}

}  // namespace ks::particles
