#include "core/particles/analysis.h"

#include <utility>

#include "core/particles/check.h"
#include "core/particles/generator.h"
#include "core/particles/load.h"
#include "core/particles/parameters.h"
#include "core/particles/sum_file.h"
#include "core/particles/summary.h"

namespace ks::particles {
namespace {

class SumAnalysis : public Analysis {
  public:
    SumAnalysis() : info_(analysis_info()) {}

    const AnalysisInfo& info() const override { return info_; }

    std::shared_ptr<const Problem> load(const Request& request, Progress& progress,
                                        std::shared_ptr<const Problem> previous) const override {
        Request complete = request;
        complete.parameters = checked(info_.parameters, request.parameters);
        return load_problem(complete, progress, std::move(previous));
    }

    std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& sizes) const override {
        const ParameterSet set = checked(info_.benchmark, sizes);
        PointSpec spec = point_spec_from(set);
        if (spec.weights == "none") spec.weights = "ones";
        auto sources = std::make_shared<const PointSet>(make_points(spec));
        const auto targets = static_cast<std::size_t>(integer(set, "targets"));
        if (targets == 0) {
            PlaneGrid planes = planes_from(set);
            if (planes.side == 0) planes.side = usual_side;
            return std::make_shared<SumProblem>(std::move(sources), planes, settings_from(set));
        }
        auto points =
            std::make_shared<const PointSet>(make_points({targets, "random", "none", spec.seed + 1}));
        return std::make_shared<SumProblem>(std::move(sources), std::move(points), settings_from(set));
    }

    void generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                  Progress& progress) const override {
        generate_file(checked(info_.generator, parameters), out, overwrite, progress);
    }

    Verdict check(const Problem& problem, const Run& run, CheckMode mode, Progress& progress) const override {
        return check_sums(dynamic_cast<const SumProblem&>(problem), run, mode, progress);
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
    return std::make_unique<SumAnalysis>();
}

}  // namespace ks::particles
