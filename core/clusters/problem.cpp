#include "core/clusters/problem.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/error.h"

namespace ks::clusters {

ClusterProblem::ClusterProblem(std::shared_ptr<const ModuleDigis> digis, ClusterSettings settings)
    : digis_(std::move(digis)), settings_(std::move(settings)) {
    if (settings_.connectivity != 4 && settings_.connectivity != 8)
        throw Error(ErrorKind::input, fmt::format("expected 8 or 4, found {}", settings_.connectivity),
                    "connectivity");
    const std::size_t cuts = settings_.charge_cuts.size(), wanted = layout().fixed() ? layout().modules : 1;
    if (cuts != 0 && cuts != wanted)
        throw Error(ErrorKind::input,
                    fmt::format("expected {} charge cuts for layout {}, found {}", wanted, layout().id, cuts),
                    "charge_cut");
    if (settings_.record &&
        (*settings_.record < 0 || *settings_.record >= static_cast<std::int64_t>(slots())))
        throw Error(ErrorKind::input,
                    fmt::format("expected a module from 0 to {}, found {}",
                                static_cast<std::int64_t>(slots()) - 1, *settings_.record),
                    "record");
}

}  // namespace ks::clusters
