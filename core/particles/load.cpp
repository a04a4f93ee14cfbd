#include "core/particles/analysis.h"

#include <utility>

#include "core/base/error.h"
#include "core/input/frame_input.h"
#include "core/io/points/point_file.h"
#include "core/particles/parameters.h"
#include "core/run/problem_key.h"

namespace ks::particles {
namespace {

/// Points and the file they were read from, kept for the next problem with the same file.
struct Loaded {
    std::string name, state;
    std::shared_ptr<const PointSet> points;
    std::vector<std::string> warnings;
};

class LoadedProblem : public SumProblem {
  public:
    using SumProblem::SumProblem;
    Loaded from_sources, from_targets;
};

Loaded load_points(const InputRef& input, const std::string& role, io::Weights weights, const Loaded* before,
                   Progress& progress) {
    if (input.values)
        throw Error(ErrorKind::input, "expected the name of a file with points, found an array", role);
    Loaded loaded{input.name, file_state(input.name), nullptr, {}};
    if (before != nullptr && before->points && !loaded.state.empty() && before->name == loaded.name &&
        before->state == loaded.state)
        return *before;
    io::PointFile file = io::read_points(input.name, weights, progress);
    loaded.points = std::make_shared<const PointSet>(std::move(file.points));
    loaded.warnings = std::move(file.warnings);
    return loaded;
}

}  // namespace

std::shared_ptr<const SumProblem> load_problem(const Request& request, Progress& progress,
                                               std::shared_ptr<const Problem> previous) {
    const SumSettings settings = settings_from(request.parameters);
    const auto targets = request.inputs.find("targets");
    const bool at_points =
        targets != request.inputs.end() && (!targets->second.name.empty() || targets->second.values);
    require_one_kind(request.parameters, at_points);
    const auto before = std::dynamic_pointer_cast<const LoadedProblem>(std::exchange(previous, nullptr));
    Loaded sources = load_points(io::required_input(request, "sources"), "sources", io::Weights::wanted,
                                 before ? &before->from_sources : nullptr, progress);
    std::shared_ptr<LoadedProblem> problem;
    if (at_points) {
        Loaded points = load_points(targets->second, "targets", io::Weights::ignored,
                                    before ? &before->from_targets : nullptr, progress);
        problem = std::make_shared<LoadedProblem>(sources.points, points.points, settings);
        problem->from_targets = std::move(points);
    } else {
        problem = std::make_shared<LoadedProblem>(sources.points, grid_from(request.parameters, usual_side),
                                                  settings);
    }
    if (!sources.state.empty()) problem->sources_key = sources.name + "@" + sources.state;
    problem->warnings.insert(problem->warnings.begin(), sources.warnings.begin(), sources.warnings.end());
    problem->from_sources = std::move(sources);
    return problem;
}

}  // namespace ks::particles
