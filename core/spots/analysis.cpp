#include "core/spots/analysis.h"

#include <limits>
#include <utility>

#include "core/spots/check.h"
#include "core/spots/generator.h"
#include "core/spots/load.h"
#include "core/spots/parameters.h"
#include "core/spots/spot_file.h"
#include "core/spots/summary.h"

namespace ks::spots {
namespace {

class SpotAnalysis : public Analysis {
  public:
    SpotAnalysis() : info_(analysis_info()) {}

    const AnalysisInfo& info() const override { return info_; }

    std::shared_ptr<const Problem> load(const Request& request, Progress& progress,
                                        std::shared_ptr<const Problem> previous) const override {
        Request complete = request;
        complete.parameters = checked(info_.parameters, request.parameters);
        return load_problem(complete, progress, std::move(previous));
    }

    std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& sizes) const override {
        const ParameterSet set = checked(info_.benchmark, sizes);
        SceneSpec spec;
        spec.frames = static_cast<std::size_t>(integer(set, "frames"));
        spec.height = static_cast<std::size_t>(integer(set, "height"));
        spec.width = static_cast<std::size_t>(integer(set, "width"));
        spec.spots = static_cast<std::size_t>(integer(set, "spots"));
        spec.background = real(set, "background");
        Progress progress;
        auto source = std::make_shared<MemoryFrames>("benchmark", Scene(spec).stack(progress));
        auto shared = std::make_shared<SharedFrames>(std::move(source), 0, spec.frames, 0);
        Thresholds thresholds;
        const KernelSize kernel = kernel_from(text(set, "kernel"));
        thresholds.kernel_x = kernel.x;
        thresholds.kernel_y = kernel.y;
        if (text(set, "algorithm") != "dispersion") thresholds.algorithm = Algorithm::dispersion_extended;
        return std::make_shared<SpotProblem>(std::move(shared), PixelMask{},
                                             std::numeric_limits<double>::infinity(), thresholds,
                                             ModuleLayout::whole(spec.height, spec.width), Grouping{});
    }

    void generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                  Progress& progress) const override {
        generate_file(parameters, out, overwrite, progress);
    }

    Verdict check(const Problem& problem, const Run& run, CheckMode mode, Progress& progress) const override {
        return check_spots(dynamic_cast<const SpotProblem&>(problem), run, mode, progress);
    }

    void save(const Run& run, const std::filesystem::path& out, bool overwrite) const override {
        write_spots(run, out, overwrite);
    }

    void save_csv(const Run& run, const std::filesystem::path& out, bool overwrite) const override {
        write_csv(run, out, overwrite);
    }

    std::string summary(const Run& run) const override { return summary_of(run); }

  private:
    AnalysisInfo info_;
};

}  // namespace

std::unique_ptr<Analysis> make_analysis() {
    return std::make_unique<SpotAnalysis>();
}

}  // namespace ks::spots
