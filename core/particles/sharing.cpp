#include "core/particles/analysis.h"

#include <algorithm>

#include "core/base/parallel.h"
#include "core/particles/result.h"

namespace ks::particles {
namespace {

constexpr std::size_t targets_of_groups = std::size_t{1} << 14;

}  // namespace

ShareUnits units_of(const SumProblem& problem) {
    return {.name = "targets", .count = problem.n_targets(), .multiple = targets_of_groups, .rounded = true};
}

std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SumProblem>& whole, std::size_t first,
                                       std::size_t end) {
    return whole->part(first, end);
}

Result part_result(const Array& values, std::uint64_t skipped) {
    Result result;
    result.datasets.push_back(
        {"sums", "Sums of a part", "", DataKind::overlay, values.slice(0, values.shape())});
    result.facts["skipped_pairs"] = skipped;
    return result;
}

Result joined_sums(const SumProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings) {
    const std::size_t rows = whole.n_rows(), targets = whole.n_targets();
    std::uint64_t skipped = 0;
    for (const PartResult& part : parts)
        skipped += part.result.facts.at("skipped_pairs").get<std::uint64_t>();
    if (parts.size() == 1 && !whole.is_part() && parts.front().result.find("sums") == nullptr)
        return std::move(parts.front().result);
    const ElementType type = parts.front().result.at("sums").values.type();
    const std::size_t element = size_of(type);
    Array values = Array::undefined(type, {rows, targets});
    parallel_for(parts.size(), compute_threads(), [&](std::size_t i) {
        const PartResult& part = parts[i];
        const std::size_t count = (part.end - part.first) * element;
        const auto from = part.result.at("sums").values.bytes();
        for (std::size_t row = 0; row < rows; ++row)
            std::ranges::copy(from.subspan(row * count, count),
                              values.bytes().subspan((row * targets + part.first) * element, count).begin());
    });
    return to_result(whole, values, skipped, timings);
}

}  // namespace ks::particles
