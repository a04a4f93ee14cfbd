#include "core/particles/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/run/error.h"

namespace ks::particles {
namespace {

struct PlaneNames {
    const char *potential, *first, *second;
};
constexpr PlaneNames planes[] = {{"xy", "x", "y"}, {"xz", "x", "z"}, {"yz", "y", "z"}};

const char* suffix(std::size_t part, std::size_t parts) {
    return parts == 1 ? "" : part == 0 ? "_re" : "_im";
}

/// Values [first, first + count) of an array of one dimension more than `shape` is of.
Array part_of(const Array& values, std::size_t first, std::vector<std::size_t> shape) {
    Array part(values.type(), std::move(shape));
    const std::size_t bytes = size_of(values.type());
    const auto from = values.bytes().subspan(first * bytes, part.size() * bytes);
    std::ranges::copy(from, part.bytes().begin());
    return part;
}

double pairs_per_second(const SumProblem& problem, const std::vector<Timing>& timings) {
    std::uint64_t spent = total(timings, StageKind::kernel);
    if (spent == 0) spent = total(timings, StageKind::host);
    return spent == 0 ? 0 : static_cast<double>(problem.pairs()) * 1e9 / static_cast<double>(spent);
}

}  // namespace

std::vector<std::string> potential_names(bool on_planes) {
    if (!on_planes) return {"potential"};
    std::vector<std::string> names;
    for (const PlaneNames& plane : planes) names.push_back(std::string("potential_") + plane.potential);
    return names;
}

Result to_result(const SumProblem& problem, const Array& values, std::uint64_t skipped,
                 const std::vector<Timing>& timings) {
    Result result;
    result.warnings = problem.warnings;
    const std::size_t parts = values.shape()[0], targets = problem.n_targets();
    const auto put = [&](const std::string& name, const std::string& title, DataKind kind, std::size_t first,
                         const std::vector<std::size_t>& shape, const std::vector<std::string>& axes) {
        for (std::size_t part = 0; part < parts; ++part) {
            const std::string of = parts == 1 ? "" : part == 0 ? "Re " : "Im ";
            result.datasets.push_back({name + suffix(part, parts), of + title, "", kind,
                                       part_of(values, part * targets + first, shape), axes});
        }
    };
    if (problem.on_planes()) {
        const std::size_t side = problem.planes().side;
        std::vector<double> along(side);
        for (std::size_t i = 0; i < side; ++i) along[i] = problem.planes().at(i);
        for (const char* axis : {"x", "y", "z"})
            result.datasets.push_back({axis, axis, "", DataKind::axis, Array::of<double>({side}, along)});
        for (std::size_t plane = 0; plane < std::size(planes); ++plane)
            put(std::string("potential_") + planes[plane].potential,
                fmt::format("f({}, {})", planes[plane].first, planes[plane].second), DataKind::image,
                plane * side * side, {side, side}, {planes[plane].first, planes[plane].second});
    } else {
        put("potential", "f at the targets", DataKind::table, 0, {targets}, {""});
    }
    result.facts = {{"sources", problem.n_sources()},
                    {"targets", targets},
                    {"pairs", problem.pairs()},
                    {"skipped_pairs", skipped},
                    {"pairs_per_second", pairs_per_second(problem, timings)}};
    if (skipped > 0)
        result.warnings.push_back(
            fmt::format("{} pairs of a source and a target at the same place add nothing", skipped));
    return result;
}

Array sums_of(const Result& result, const SumProblem& problem) {
    const std::size_t parts = problem.is_complex() ? 2 : 1, targets = problem.n_targets();
    Array values(ElementType::f64, {parts, targets});
    for (std::size_t part = 0; part < parts; ++part) {
        std::size_t at = part * targets;
        for (const std::string& name : potential_names(problem.on_planes())) {
            const std::vector<double> found = result.at(name + suffix(part, parts)).values.to_doubles();
            if (at + found.size() > (part + 1) * targets)
                throw Error(ErrorKind::run, fmt::format("expected {} values in all", targets), name);
            std::ranges::copy(found, values.as<double>().begin() + static_cast<std::ptrdiff_t>(at));
            at += found.size();
        }
        if (at != (part + 1) * targets)
            throw Error(ErrorKind::run,
                        fmt::format("expected {} values, found {}", targets, at - part * targets),
                        "potential");
    }
    return values;
}

}  // namespace ks::particles
