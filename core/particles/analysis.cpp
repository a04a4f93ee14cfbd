#include "core/particles/analysis.h"

#include <fmt/format.h>

#include <utility>

#include "core/particles/check.h"
#include "core/particles/generator.h"
#include "core/particles/load.h"
#include "core/particles/pair_ceiling.h"
#include "core/particles/parameters.h"
#include "core/particles/sum_file.h"
#include "core/particles/summary.h"
#include "core/particles/traits.h"
#include "core/run/analysis_parts.h"

namespace ks::particles {
namespace {

std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& set) {
    PointSpec spec = point_spec_from(set);
    if (spec.weights == "none") spec.weights = "ones";
    auto sources = std::make_shared<const PointSet>(make_points(spec));
    const auto targets = static_cast<std::size_t>(optional_integer(set, "targets").value_or(0));
    require_one_kind(set, targets > 0);
    Targets places = grid_from(set, usual_side);
    if (targets > 0)
        places = std::make_shared<const PointSet>(make_points({targets, "random", "none", spec.seed + 1}));
    auto problem = std::make_shared<SumProblem>(std::move(sources), std::move(places), settings_from(set));
    problem->sources_key =
        fmt::format("{} {} {} {} {}", spec.points, spec.shape, spec.weights, spec.seed, spec.vectors);
    return problem;
}

}  // namespace

std::vector<std::unique_ptr<Analysis>> make_analyses() {
    return one_analysis(analysis_of<SumProblem>({.info = analysis_info(),
                                                 .load = load_problem,
                                                 .benchmark_problem = benchmark_problem,
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
                                                 .ceiling_share = share_of_pairs}));
}

}  // namespace ks::particles
