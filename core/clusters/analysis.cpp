#include "core/clusters/analysis.h"

#include <utility>

#include "core/clusters/check.h"
#include "core/clusters/cluster_file.h"
#include "core/clusters/generator.h"
#include "core/clusters/load.h"
#include "core/clusters/parameters.h"
#include "core/clusters/summary.h"

namespace ks::clusters {
namespace {

class ClusterAnalysis : public Analysis {
  public:
    ClusterAnalysis() : info_(analysis_info()) {}

    const AnalysisInfo& info() const override { return info_; }

    std::shared_ptr<const Problem> load(const Request& request, Progress& progress,
                                        std::shared_ptr<const Problem> previous) const override {
        Request complete = request;
        complete.parameters = checked(info_.parameters, request.parameters);
        return load_problem(complete, progress, std::move(previous));
    }

    std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& sizes) const override {
        const ParameterSet set = checked(info_.benchmark, sizes);
        const EventSpec spec = event_spec_from(set);
        ClusterSettings settings = settings_from(set, spec.layout);
        Progress progress;
        auto digis =
            std::make_shared<const ModuleDigis>(make_events(spec, progress), spec.layout, "benchmark");
        return std::make_shared<ClusterProblem>(std::move(digis), std::move(settings));
    }

    void generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                  Progress& progress) const override {
        generate_file(checked(info_.generator, parameters), out, overwrite, progress);
    }

    Verdict check(const Problem& problem, const Run& run, CheckMode mode, Progress& progress) const override {
        return check_clusters(dynamic_cast<const ClusterProblem&>(problem), run, mode, progress);
    }

    void save(const Run& run, const std::filesystem::path& out, bool overwrite) const override {
        write_run(run, out, overwrite);
    }

    void save_csv(const Run& run, const std::filesystem::path& out, bool overwrite) const override {
        write_table(run, out, overwrite);
    }

    std::string summary(const Run& run) const override { return summary_of(run); }

  private:
    AnalysisInfo info_;
};

}  // namespace

std::unique_ptr<Analysis> make_analysis() {
    return std::make_unique<ClusterAnalysis>();
}

}  // namespace ks::clusters
