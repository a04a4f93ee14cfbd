#include "core/clusters/analysis.h"

#include <utility>

#include "core/base/error.h"
#include "core/clusters/parameters.h"
#include "core/input/frame_input.h"
#include "core/io/digis/digi_file.h"
#include "core/run/problem_key.h"

namespace ks::clusters {
namespace {

/// Data read for a problem, kept for the next one with the same file.
struct Origin {
    std::string name, state, layout;
    std::vector<std::string> warnings;
    bool operator==(const Origin&) const = default;
};

class LoadedProblem : public ClusterProblem {
  public:
    using ClusterProblem::ClusterProblem;
    Origin origin;
};

}  // namespace

std::shared_ptr<const ClusterProblem> load_problem(const Request& request, Progress& progress,
                                                   std::shared_ptr<const Problem> previous) {
    const InputRef& input = io::required_input(request, "digis");
    if (input.values)
        throw Error(ErrorKind::input, "expected the name of a file with digis, found an array", "digis");
    const DetectorLayout& layout = layout_named(text(request.parameters, "layout"));
    ClusterSettings settings = settings_from(request.parameters, layout);
    Origin origin{input.name, file_state(input.name), layout.id, {}};
    std::shared_ptr<const ModuleDigis> digis;
    if (const auto before =
            std::dynamic_pointer_cast<const LoadedProblem>(std::exchange(previous, nullptr))) {
        const Origin& old = before->origin;
        if (!origin.state.empty() && old.name == origin.name && old.state == origin.state &&
            old.layout == layout.id) {
            digis = before->shared();
            origin.warnings = old.warnings;
        }
    }
    if (!digis) {
        const io::DigiLimits limits{layout.modules, layout.extent_x, layout.extent_y, layout.invalid_ids};
        io::DigiFile file = io::read_digis(input.name, limits, progress);
        digis = std::make_shared<const ModuleDigis>(std::move(file.digis), layout, input.name);
        origin.warnings = std::move(file.warnings);
    }
    auto problem = std::make_shared<LoadedProblem>(std::move(digis), std::move(settings));
    problem->warnings = origin.warnings;
    problem->origin = std::move(origin);
    return problem;
}

}  // namespace ks::clusters
