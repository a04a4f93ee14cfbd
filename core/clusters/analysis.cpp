#include "core/clusters/analysis.h"

#include <utility>

#include "core/clusters/parameters.h"
#include "core/clusters/synthetic/generator.h"
#include "core/io/digis/digi_file.h"

namespace ks::clusters {
namespace {

std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& set) {
    const EventSpec spec = event_spec_from(set);
    ClusterSettings settings = settings_from(set, spec.layout);
    Progress progress;
    auto digis = std::make_shared<const ModuleDigis>(make_events(spec, progress), spec.layout, "benchmark");
    return std::make_shared<ClusterProblem>(std::move(digis), std::move(settings));
}

Request benchmark_files(const ParameterSet& sizes, const std::filesystem::path& folder, Progress& progress) {
    const AnalysisInfo info = analysis_info();
    const std::filesystem::path file = folder / "digis.csv";
    io::write_digis(make_events(event_spec_from(sizes), progress), file, false, progress);
    Request request;
    request.inputs["digis"].name = file.string();
    request.parameters = among(info.parameters, sizes);
    return request;
}

}  // namespace

std::vector<Analysis> make_analyses() {
    return one_analysis({.info = analysis_info(),
                         .load = load_problem,
                         .benchmark_problem = benchmark_problem,
                         .benchmark_files = benchmark_files,
                         .generate = generate_file,
                         .check = check_clusters,
                         .save = write_run,
                         .open = read_run,
                         .save_csv = write_table,
                         .summary = summary_of,
                         .setup_text = setup_text_of,
                         .traits = traits_of,
                         .units = units_of,
                         .part = part_by(part_of),
                         .joined = joined_clusters});
}

}  // namespace ks::clusters
