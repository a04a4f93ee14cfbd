#include "core/xpcs/analysis.h"

#include <limits>
#include <optional>
#include <utility>

#include "core/run/error.h"
#include "core/xpcs/check.h"
#include "core/xpcs/generator.h"
#include "core/xpcs/load.h"
#include "core/xpcs/nxxpcs.h"
#include "core/xpcs/parameters.h"
#include "core/xpcs/problem.h"
#include "core/xpcs/summary.h"

namespace ks::xpcs {
namespace {

class XpcsAnalysis : public Analysis {
  public:
    XpcsAnalysis() : info_(analysis_info()) {}

    const AnalysisInfo& info() const override { return info_; }

    std::shared_ptr<const Problem> load(const Request& request, Progress& progress,
                                        std::shared_ptr<const Problem> previous) const override {
        Request complete = request;
        complete.parameters = checked(info_.parameters, request.parameters);
        return load_problem(complete, progress, std::move(previous));
    }

    std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& sizes) const override {
        const ParameterSet set = checked(info_.benchmark, sizes);
        SyntheticSpec spec;
        spec.frames = static_cast<std::size_t>(integer(set, "frames"));
        spec.height = static_cast<std::size_t>(integer(set, "height"));
        spec.width = static_cast<std::size_t>(integer(set, "width"));
        spec.ring_width = real(set, "ring_width");
        spec.type = element_type_from(text(set, "type"));
        Progress progress;
        SyntheticFrames made = make_seed_frames(spec, progress);
        const QPartition partition = QPartition::from_array(made.labels, "benchmark");
        return std::make_shared<CorrelationProblem>(
            std::make_shared<MemoryFrames>("benchmark", std::move(made.stack)), partition, 0, spec.frames, 0,
            std::nullopt, std::numeric_limits<std::uint64_t>::max(), progress);
    }

    void generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                  Progress& progress) const override {
        generate_file(parameters, out, overwrite, progress);
    }

    Verdict check(const Problem& problem, const Run& run, CheckMode mode, Progress& progress) const override {
        return check_correlation(dynamic_cast<const CorrelationProblem&>(problem), run, mode, progress);
    }

    void save(const Run& run, const std::filesystem::path& out, bool overwrite) const override {
        write_nxxpcs(run, out, overwrite);
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
    return std::make_unique<XpcsAnalysis>();
}

}  // namespace ks::xpcs
