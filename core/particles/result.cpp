#include "core/particles/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/data/count_text.h"
#include "core/particles/analysis.h"
#include "core/particles/scaling.h"

namespace ks::particles {
namespace {

struct PlaneNames {
    const char *plane, *first, *second;
};
constexpr PlaneNames planes[] = {{"xy", "x", "y"}, {"xz", "x", "z"}, {"yz", "y", "z"}};

const char* suffix(std::size_t part, std::size_t parts) {
    return parts == 1 ? "" : part == 0 ? "_re" : "_im";
}

/// Names of the datasets of one stem, without _re and _im.
std::vector<std::string> names_of(const std::string& stem, const SumProblem& problem) {
    if (!problem.on_planes()) return {stem};
    std::vector<std::string> names;
    for (const PlaneNames& plane : planes) names.push_back(stem + "_" + plane.plane);
    return names;
}

/// "f", "df/dx", "f_2", "df_2/dx" for the stem [vector][quantity].
std::string symbol(std::size_t vector, std::size_t quantity) {
    const std::string f = vector == 0 ? "f" : fmt::format("f_{}", vector + 1);
    return quantity == 0 ? f : fmt::format("d{}/d{}", f, "xyz"[quantity - 1]);
}

/// Values of points in shared, read-only memory: copying those of 1e7 targets takes as long as summing there
/// with a treecode.
Array in_place(const std::shared_ptr<const PointSet>& points, const std::vector<double>& values) {
    auto* const bytes = reinterpret_cast<std::byte*>(const_cast<double*>(values.data()));
    return Array::in(std::shared_ptr<std::byte[]>(points, bytes), ElementType::f64, {values.size()});
}

void put_places(Result& result, const std::shared_ptr<const PointSet>& points) {
    for (const auto& [name, values] : {std::pair{"x", &points->x}, {"y", &points->y}, {"z", &points->z}})
        result.datasets.push_back({std::string("target_") + name, std::string(name) + " of the targets", "",
                                   DataKind::axis, in_place(points, *values)});
}

double pairs_per_second(const SumProblem& problem, const std::vector<Timing>& timings) {
    std::uint64_t spent = total(timings, StageKind::kernel);
    if (spent == 0) spent = total(timings, StageKind::host);
    return spent == 0 ? 0 : static_cast<double>(problem.pairs()) * 1e9 / static_cast<double>(spent);
}

/// Smallest normal and largest number of a type of sums.
struct Range {
    double least, largest;
};
Range range_of(ElementType type) {
    if (type == ElementType::f32)
        return {std::numeric_limits<float>::min(), std::numeric_limits<float>::max()};
    return {std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};
}

struct NotFinite {
    std::size_t infinite = 0, nan = 0;
};

template <class T>
NotFinite not_finite(std::span<const T> values) {
    NotFinite found;
    for (const T v : values) {
        found.infinite += std::isinf(v) ? 1 : 0;
        found.nan += std::isnan(v) ? 1 : 0;
    }
    return found;
}

template <class T>
bool are_tiny(std::span<const T> values) {
    // Stops at the first one for ordinary sums.
    return std::ranges::all_of(values, [](T v) { return std::abs(v) < std::numeric_limits<T>::min(); });
}

/// Warns of sums outside the range of the type, and of those that are no numbers.
void put_range_warnings(std::vector<std::string>& warnings, const SumProblem& problem, const Array& values,
                        std::uint64_t skipped) {
    const bool single = values.type() == ElementType::f32;
    const Range range = range_of(values.type());
    const char* const other = problem.settings().precision == Precision::f32 ? "f64, or other" : "other";
    // For two distinct floats whose r^2 is still a float, 1 / r reaches 1e19: lighter weights cannot add up
    // to more than a float holds.
    const double reached = problem.total_weight() * scaling_of(problem).weight * (single ? 1e19 : 1e154);
    if (problem.settings().gradient || !(reached < range.largest)) {
        const NotFinite lost = single ? not_finite(values.as<float>()) : not_finite(values.as<double>());
        const auto many = [&](std::size_t n) {
            return fmt::format("{} of {} {}", n, count_text(values.size(), "sum"), n == 1 ? "is" : "are");
        };
        if (lost.infinite > 0)
            warnings.push_back(
                fmt::format("{} not finite, because {} only represents values up to {:.2g}; choose {} units "
                            "for the weights",
                            many(lost.infinite), single ? "f32" : "f64", range.largest, other));
        // Of infinite terms of both signs, or of a kernel that is wrong.
        if (lost.nan > 0) warnings.push_back(many(lost.nan) + " not a number (NaN)");
    }
    if (problem.total_weight() > 0 && skipped < problem.pairs() &&
        (single ? are_tiny(values.as<float>()) : are_tiny(values.as<double>())))
        warnings.push_back(
            fmt::format("all sums are 0 or below {:.2g}, because terms are too small or cancel each other; "
                        "{} has few digits or none for such values, so choose {} units for the weights",
                        range.least, single ? "f32" : "f64", other));
}

}  // namespace

std::vector<std::string> stems_of(const SumProblem& problem) {
    std::vector<std::string> stems;
    for (std::size_t vector = 0; vector < problem.n_vectors(); ++vector) {
        const std::string number = vector == 0 ? "" : fmt::format("_{}", vector + 1);
        stems.push_back("potential" + number);
        for (std::size_t axis = 0; axis + 1 < problem.quantities(); ++axis)
            stems.push_back(fmt::format("gradient{}_{}", number, "xyz"[axis]));
    }
    return stems;
}

TargetKind target_kind(const Result& result) {
    if (result.find("x") == nullptr) return TargetKind::points;
    const bool cube = result.find("potential") != nullptr || result.find("potential_re") != nullptr;
    return cube ? TargetKind::grid : TargetKind::planes;
}

Result to_result(const SumProblem& problem, const Array& values, std::uint64_t skipped,
                 const std::vector<Timing>& timings) {
    if (problem.is_part()) return part_result(values, skipped);
    Result result;
    result.warnings = problem.warnings;
    const std::size_t parts = problem.parts(), targets = problem.n_targets();
    const std::size_t side = problem.on_planes() ? problem.planes().side
                             : problem.on_grid() ? problem.grid().side
                                                 : 0;
    if (side > 0) {
        std::vector<double> along(side);
        for (std::size_t i = 0; i < side; ++i)
            along[i] = problem.on_planes() ? problem.planes().at(i) : problem.grid().at(i);
        for (const char* axis : {"x", "y", "z"})
            result.datasets.push_back({axis, axis, "", DataKind::axis, Array::of<double>({side}, along)});
    }
    const std::vector<std::string> stems = stems_of(problem);
    for (std::size_t stem = 0; stem < stems.size(); ++stem) {
        const std::string f = symbol(stem / problem.quantities(), stem % problem.quantities());
        const auto put = [&](const std::string& name, const std::string& title, DataKind kind,
                             std::size_t first, const std::vector<std::size_t>& shape,
                             const std::vector<std::string>& axes) {
            for (std::size_t part = 0; part < parts; ++part) {
                const std::string of = parts == 1 ? "" : part == 0 ? "Re " : "Im ";
                result.datasets.push_back({name + suffix(part, parts), of + title, "", kind,
                                           values.slice((stem * parts + part) * targets + first, shape),
                                           axes});
            }
        };
        if (problem.on_planes())
            for (std::size_t plane = 0; plane < std::size(planes); ++plane) {
                const auto& [name, first, second] = planes[plane];
                put(stems[stem] + "_" + name, fmt::format("{}({}, {})", f, first, second), DataKind::image,
                    plane * side * side, {side, side}, {first, second});
            }
        else if (problem.on_grid())
            put(stems[stem], f + "(x, y, z)", DataKind::image, 0, {side, side, side}, {"x", "y", "z"});
        else
            put(stems[stem], f + " at the targets", DataKind::table, 0, {targets}, {""});
    }
    if (side == 0) put_places(result, problem.shared_points());
    result.facts = {{"sources", problem.n_sources()},
                    {"targets", targets},
                    {"weight_vectors", problem.n_vectors()},
                    {"pairs", problem.pairs()},
                    {"skipped_pairs", skipped},
                    {"pairs_per_second", pairs_per_second(problem, timings)}};
    put_range_warnings(result.warnings, problem, values, skipped);
    if (skipped > 0)
        result.warnings.push_back(fmt::format("{} of a source and a target at the same position {} skipped",
                                              count_text(skipped, "pair"), skipped == 1 ? "was" : "were"));
    return result;
}

Array sums_of(const Result& result, const SumProblem& problem) {
    const std::size_t parts = problem.parts(), targets = problem.n_targets();
    Array values(ElementType::f64, {problem.n_rows(), targets});
    std::size_t row = 0;
    for (const std::string& stem : stems_of(problem))
        for (std::size_t part = 0; part < parts; ++part, ++row) {
            std::size_t at = row * targets;
            for (const std::string& name : names_of(stem, problem)) {
                const std::vector<double> found = result.at(name + suffix(part, parts)).values.to_doubles();
                if (at + found.size() > (row + 1) * targets)
                    throw Error(ErrorKind::run,
                                fmt::format("expected {} values of {} in total, found more", targets, stem),
                                name);
                std::ranges::copy(found, values.as<double>().begin() + static_cast<std::ptrdiff_t>(at));
                at += found.size();
            }
            if (at != (row + 1) * targets)
                throw Error(ErrorKind::run,
                            fmt::format("expected {} values, found {}", targets, at - row * targets), stem);
        }
    return values;
}

}  // namespace ks::particles
