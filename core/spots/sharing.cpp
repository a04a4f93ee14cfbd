#include "core/spots/analysis.h"

#include <utility>

#include "core/spots/collector.h"
#include "core/spots/results/spot_part.h"

namespace ks::spots {

ShareUnits units_of(const SpotProblem& problem) {
    return {.name = "frames", .count = problem.frames()};
}

std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SpotProblem>& whole, std::size_t first,
                                       std::size_t end) {
    return whole->part(first, end);
}

Result joined_spots(const SpotProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings) {
    if (parts.size() == 1) return std::move(parts.front().result);
    const bool one_kind = parts.front().result.facts.contains("kernels");
    const std::string kernels =
        one_kind ? parts.front().result.facts.at("kernels").get<std::string>() : std::string();
    for (const PartResult& part : parts)
        for (const auto& [frame, why] : part.result.facts.at("damaged").items())
            whole.shared()->note_damaged(part.first + std::stoul(frame), why.get<std::string>());
    SpotCollector collector(whole);
    for (PartResult& part : parts) collector.add_part(part.first, spot_part_of(std::move(part.result)));
    Result result = collected(whole, collector);
    if (one_kind) result.facts["kernels"] = kernels;
    const SharedFrames& shared = *whole.shared();
    const auto frames = static_cast<double>(shared.frames() - shared.missing() - shared.damaged().size());
    if (const std::uint64_t spent = covered_by_devices(timings); spent > 0)
        result.facts["frames_per_second"] = frames * 1e9 / static_cast<double>(spent);
    return result;
}

}  // namespace ks::spots
