#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/basics/exercise_analysis.h"
#include "core/basics/images/images.h"
#include "core/data/count_text.h"
#include "core/data/not_numbers.h"

namespace ks::basics {
namespace {

/// Of the sampled picture.
struct Pixel {
    std::size_t channel = 0, x = 0, y = 0, z = 0;
};

/// Distance from the allowed values at a pixel: 0 for the value of one of the nearest pixels.
double error_of_nearest(const ImagesProblem& problem, const Pixel& at, double found) {
    static constexpr std::array<double, 3> on_either_side = {0, -weight_error, weight_error};
    static constexpr std::array<double, 1> exactly = {0};
    const auto steps = [&](std::size_t direction) {
        return direction < problem.dimensions() ? std::span<const double>(on_either_side)
                                                : std::span<const double>(exactly);
    };
    const Picture picture = problem.picture(at.channel);
    const double u = problem.u(at.x), v = problem.v(at.y), w = problem.w(at.z);
    double smallest = std::numeric_limits<double>::infinity();
    for (const double dz : steps(2))
        for (const double dy : steps(1))
            for (const double dx : steps(0)) {
                const double right = nearest_value(picture, problem.addressing, u + dx, v + dy, w + dz);
                if (found == right) return 0;
                smallest = std::min(smallest, std::abs(found - right));
            }
    return std::isnan(smallest) ? std::numeric_limits<double>::infinity() : smallest;
}

/// In units of the range of the surrounding pixels.
double error_of_linear(const ImagesProblem& problem, const Pixel& at, double found) {
    const Picture picture = problem.picture(at.channel);
    const double u = problem.u(at.x), v = problem.v(at.y), w = problem.w(at.z);
    const double distance = std::abs(found - linear_value(picture, problem.addressing, u, v, w));
    const Range around = values_around(picture, problem.addressing, u, v, w);
    // a byte written may be off by 0.6 units
    const double to_bytes = problem.type == ChannelType::unorm_int8 ? 0.6 / 255 : 0;
    const double rounding = to_bytes + 0x1p-22 * std::max(std::abs(around.low), std::abs(around.high));
    if (distance <= rounding) return 0;
    const double error = (distance - rounding) / (around.high - around.low);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// The values of a channel's dataset; empty if its shape does not match the problem.
std::span<const float> values_found(const ImagesProblem& problem, const Run& run, const std::string& name) {
    const Dataset* const sampled = run.result.find(name);
    if (sampled == nullptr || sampled->values.type() != ElementType::f32 ||
        sampled->values.shape() != problem.shape())
        return {};
    return sampled->values.as<float>();
}

/// The largest error of a row, and its position.
using Worst = std::pair<double, Pixel>;

std::vector<Worst> worst_of_rows(const ImagesProblem& problem, std::size_t channel,
                                 std::span<const float> found, Progress& progress) {
    std::vector<Worst> worst(problem.depth * problem.height);
    parallel_for(worst.size(), compute_threads(), progress, [&](std::size_t row) {
        Pixel at{channel, 0, row % problem.height, row / problem.height};
        worst[row] = {0, at};
        for (; at.x < problem.width; ++at.x) {
            const double value = found[problem.place(at.x, at.y, at.z)];
            const double error =
                problem.linear ? error_of_linear(problem, at, value) : error_of_nearest(problem, at, value);
            if (error > worst[row].first) worst[row] = {error, at};
        }
    });
    return worst;
}

std::string place_text(const ImagesProblem& problem, const Pixel& at) {
    const std::string slice = problem.slices.size() > 1 ? fmt::format("slice {}, ", at.z) : "";
    const std::size_t row = problem.transposed ? at.x : at.y, column = problem.transposed ? at.y : at.x;
    return fmt::format("{}, {}row {}, column {}", channel_name("sampled", at.channel, problem.channels),
                       slice, row, column);
}

/// A possible cause of a failure, if one is known: quirk normalised_layers.
std::string cause_text(const ImagesProblem& problem) {
    const bool array = problem.kind == ImageKind::d1_array || problem.kind == ImageKind::d2_array;
    return array && problem.normalised ? "; the number of a layer must not be scaled with normalised "
                                         "coordinates, but PoCL 3.1 scales it and reads the wrong layers"
                                       : "";
}

std::string verdict_text(const ImagesProblem& problem, const Verdict& verdict, bool pass) {
    const double worst = *verdict.worst_error;
    const std::string text =
        problem.linear && worst == 0
            ? fmt::format(
                  "pass: {} {}, apart from rounding, the value interpolated between the surrounding "
                  "picture pixels",
                  count_text(verdict.samples, "result pixel"), verdict.samples == 1 ? "has" : "have")
        : problem.linear && std::isinf(worst)
            ? fmt::format(
                  "fail: a result pixel is not a number, or differs from its surrounding picture "
                  "pixels, which are all equal: {}",
                  verdict.where)
        : problem.linear ? fmt::format(
                               "{}: the largest error is {:.2g} times the range of the surrounding pixels "
                               "(tolerance {:.2g}); it is in {}",
                               pass ? "pass" : "fail", worst, verdict.tolerance, verdict.where)
        : pass
            ? fmt::format("pass: {} {} the value of the nearest picture pixel",
                          count_text(verdict.samples, "result pixel"), verdict.samples == 1 ? "has" : "have")
            : fmt::format("fail: a result pixel does not have the value of the nearest picture pixel: {}",
                          verdict.where);
    return pass ? text : text + cause_text(problem);
}

}  // namespace

Verdict check_images(const ImagesProblem& problem, const Run& run, CheckMode, Progress& progress) {
    Verdict verdict;
    verdict.tolerance = problem.linear ? static_cast<double>(problem.dimensions()) * weight_error : 0;
    Worst worst{0, {}};
    std::string nan;
    for (std::size_t channel = 0; channel < problem.channels; ++channel) {
        const std::string name = channel_name("sampled", channel, problem.channels);
        const std::span<const float> found = values_found(problem, run, name);
        if (found.empty())
            return failed(name,
                          fmt::format("expected {} values in {}", fmt::join(problem.shape(), " x "), name),
                          verdict);
        for (const Worst& row : worst_of_rows(problem, channel, found, progress))
            if (row.first > worst.first) worst = row;
        verdict.samples += found.size();
        if (nan.empty()) nan = nan_text(found, progress);
    }
    verdict.worst_error = worst.first;
    verdict.where = place_text(problem, worst.second);
    const bool pass = worst.first <= verdict.tolerance;
    verdict.state = pass ? Verdict::State::pass : Verdict::State::fail;
    verdict.text = verdict_text(problem, verdict, pass);
    if (!pass && !nan.empty()) verdict.text += "; " + nan;
    return verdict;
}

}  // namespace ks::basics
