#include "core/basics/images/images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/input/frame_input.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

/// In the order of Addressing.
const std::vector<std::string> modes = {"clamp_to_edge", "clamp", "none", "repeat", "mirrored_repeat"};

AnalysisInfo images_info() {
    using namespace parameter;
    AnalysisInfo info;
    info.id = "images";
    info.title = "Images and samplers";
    info.description = "Copies a picture through a sampler: what lies outside, and between the pixels";
    info.inputs = {{"picture",
                    "Picture",
                    "",
                    {},
                    false,
                    "The first frame of a TIFF, NumPy or HDF5 file; without one a test picture is made"}};
    info.parameters = {
        whole("width", "Width", "px", 256, 1, 16384, "Columns of the test picture"),
        whole("height", "Height", "px", 192, 1, 16384, "Rows of the test picture"),
        choice("addressing", "Addressing", modes, "What is read outside of the picture"),
        choice("filter", "Filter", {"nearest", "linear"}, "What is read between the centres of pixels"),
        flag("normalised", "Normalised coordinates", false,
             "Coordinates are in widths and heights, as repeat and mirrored_repeat need them"),
        number("zoom", "Zoom", "", 0.5, 1e-3, 1e3, "Magnification about the centre"),
        number("shift_x", "Shift in x", "px", 0, -1e4, 1e4, "By how much further right the picture is read"),
        number("shift_y", "Shift in y", "px", 0, -1e4, 1e4, "By how much further down the picture is read"),
        seed_parameter()};
    return info;
}

/// Squares of 8 pixels, brighter to the right and down, and a little noise, so that no two places are alike.
std::vector<float> test_picture(std::size_t width, std::size_t height, std::uint64_t seed) {
    std::vector<float> values = exercise_values(width * height, seed, 1);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            const float square = (x / 8 + y / 8) % 2 == 0 ? 0.1F : 0.5F;
            const float slope = 0.2F * static_cast<float>(x) / static_cast<float>(width) +
                                0.2F * static_cast<float>(y) / static_cast<float>(height);
            float& value = values[y * width + x];
            value = square + slope + 0.05F * value;
        }
    return values;
}

void read_picture(const InputRef& input, ImagesProblem& problem) {
    const auto source = io::open_source(input);
    require_memory(std::uint64_t{source->pixels()} * 32, "the picture", source->name());
    problem.width = source->width();
    problem.height = source->height();
    if (source->pixels() == 0 || source->frames() == 0)
        throw Error(ErrorKind::input, "expected a picture, found none", source->name());
    Array frame(source->type(), {source->height(), source->width()});
    source->read(0, 1, frame.bytes());
    problem.values.clear();
    for (const double value : frame.to_doubles()) {
        problem.values.push_back(static_cast<float>(value));
        if (!std::isfinite(problem.values.back()))
            throw Error(ErrorKind::input, "expected pixels that are finite floats", source->name());
    }
}

/// With `none`, coordinates stay between the centres of the outer pixels, as that mode asks for.
std::vector<float> coordinates(std::size_t size, double zoom, double shift, const ImagesProblem& problem) {
    std::vector<float> all;
    const auto n = static_cast<double>(size);
    for (std::size_t i = 0; i < size; ++i) {
        double at = (static_cast<double>(i) + 0.5 - n / 2) / zoom + n / 2 + shift;
        if (problem.addressing == Addressing::none) at = std::clamp(at, 0.5, n - 0.5);
        all.push_back(static_cast<float>(problem.normalised ? at / n : at));
    }
    return all;
}

std::shared_ptr<const Problem> load_images(const Request& request, Progress&,
                                           std::shared_ptr<const Problem> previous) {
    previous.reset();
    const ParameterSet& set = request.parameters;
    auto problem = std::make_shared<ImagesProblem>();
    const auto mode = std::ranges::find(modes, text(set, "addressing")) - modes.begin();
    problem->addressing = static_cast<Addressing>(mode);
    problem->linear = text(set, "filter") == "linear";
    problem->normalised = boolean(set, "normalised");
    if (!problem->normalised &&
        (problem->addressing == Addressing::repeat || problem->addressing == Addressing::mirrored_repeat))
        throw Error(ErrorKind::input, fmt::format("{} needs normalised coordinates", text(set, "addressing")),
                    "addressing", "set normalised");
    const auto input = request.inputs.find("picture");
    if (input != request.inputs.end()) {
        read_picture(input->second, *problem);
    } else {
        problem->width = static_cast<std::size_t>(integer(set, "width"));
        problem->height = static_cast<std::size_t>(integer(set, "height"));
        require_memory(std::uint64_t{problem->width} * problem->height * 32, "the picture", "images");
        problem->values =
            test_picture(problem->width, problem->height, static_cast<std::uint64_t>(integer(set, "seed")));
    }
    problem->columns = coordinates(problem->width, real(set, "zoom"), real(set, "shift_x"), *problem);
    problem->rows = coordinates(problem->height, real(set, "zoom"), real(set, "shift_y"), *problem);
    return problem;
}

std::vector<IdleParameter> idle_in_images(const Request& request) {
    std::vector<IdleParameter> idle;
    if (request.inputs.contains("picture"))
        for (const char* id : {"width", "height", "seed"})
            if (request.parameters.contains(id)) idle.push_back({id, "the picture is read from a file"});
    return idle;
}

/// Distance from what is allowed at a pixel: 0 where it is one of the nearest pixels' values.
double error_of_nearest(const ImagesProblem& problem, std::size_t x, std::size_t y, double found) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const double dy : {0.0, -weight_error, weight_error})
        for (const double dx : {0.0, -weight_error, weight_error}) {
            const double right =
                nearest_value(problem.picture(), problem.addressing, problem.u(x) + dx, problem.v(y) + dy);
            if (found == right) return 0;
            smallest = std::min(smallest, std::abs(found - right));
        }
    return std::isnan(smallest) ? std::numeric_limits<double>::infinity() : smallest;
}

/// In units of the range of the pixels around.
double error_of_linear(const ImagesProblem& problem, std::size_t x, std::size_t y, double found) {
    const double u = problem.u(x), v = problem.v(y);
    const double distance = std::abs(found - linear_value(problem.picture(), problem.addressing, u, v));
    const Range around = values_around(problem.picture(), problem.addressing, u, v);
    const double rounding = 0x1p-22 * std::max(std::abs(around.low), std::abs(around.high));
    if (distance <= rounding) return 0;
    const double error = (distance - rounding) / (around.high - around.low);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

Verdict check_images(const ImagesProblem& problem, const Run& run, CheckMode mode, Progress& progress) {
    Verdict verdict;
    if (mode == CheckMode::none) return verdict;
    const Dataset* const sampled = run.result.find("sampled");
    if (sampled == nullptr || sampled->values.type() != ElementType::f32 ||
        sampled->values.shape() != std::vector<std::size_t>{problem.height, problem.width}) {
        verdict.state = Verdict::State::fail;
        verdict.worst_error = 1;
        verdict.where = "sampled";
        verdict.text = fmt::format("fail: expected {} x {} values in sampled", problem.width, problem.height);
        return verdict;
    }
    const auto found = sampled->values.as<float>();
    verdict.tolerance = problem.linear ? 2 * weight_error : 0;
    std::vector<std::pair<double, std::size_t>> worst(problem.height);
    parallel_for(problem.height, compute_threads(), progress, [&](std::size_t y) {
        for (std::size_t x = 0; x < problem.width; ++x) {
            const double value = found[y * problem.width + x];
            worst[y] = std::max(worst[y], {problem.linear ? error_of_linear(problem, x, y, value)
                                                          : error_of_nearest(problem, x, y, value),
                                           x});
        }
    });
    const auto row = std::ranges::max_element(worst);
    verdict.samples = found.size();
    verdict.worst_error = row->first;
    verdict.where = fmt::format("sampled, row {}, column {}", row - worst.begin(), row->second);
    const bool pass = verdict.worst_error <= verdict.tolerance;
    verdict.state = pass ? Verdict::State::pass : Verdict::State::fail;
    verdict.text =
        problem.linear
            ? fmt::format(
                  "{}: largest error {:.2g} of the range of the pixels around (tolerance {:.2g}), at {}",
                  pass ? "pass" : "fail", verdict.worst_error, verdict.tolerance, verdict.where)
        : pass ? fmt::format("pass: {} pixels have the value of their nearest pixel", verdict.samples)
               : fmt::format("fail: a pixel has not the value of its nearest pixel, at {}", verdict.where);
    return verdict;
}

std::string images_setup(const Run& run) {
    if (!run.request.parameters.contains("filter")) return {};
    return text(run.request.parameters, "addressing") + ", " + text(run.request.parameters, "filter");
}

Result sample_on_host(const Problem& any, HostContext& context) {
    const auto& problem = dynamic_cast<const ImagesProblem&>(any);
    require_within(context.memory_limit, std::uint64_t{problem.values.size()} * sizeof(float),
                   "the sampled picture", "images");
    std::vector<float> sampled(problem.values.size());
    Stopwatch watch;
    parallel_for(problem.height, context.threads, context.progress, [&](std::size_t y) {
        for (std::size_t x = 0; x < problem.width; ++x)
            sampled[y * problem.width + x] =
                static_cast<float>((problem.linear ? linear_value : nearest_value)(
                    problem.picture(), problem.addressing, problem.u(x), problem.v(y)));
    });
    add(context.timings, {.stage = "sample", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return images_result(problem, sampled, {});
}

}  // namespace

Result images_result(const ImagesProblem& problem, const std::vector<float>& sampled,
                     const std::string& formats) {
    Result result;
    const auto picture = [&](const char* name, const char* title, const std::vector<float>& values) {
        result.datasets.push_back({name,
                                   title,
                                   "",
                                   DataKind::image,
                                   Array::of<float>({problem.height, problem.width}, values),
                                   {"", ""}});
    };
    picture("sampled", "As sampled", sampled);
    picture("source", "Source", problem.values);
    if (!formats.empty())
        result.datasets.push_back(
            text_dataset("formats", "Formats of two-dimensional images that can be read", formats));
    result.facts = {{"width", problem.width}, {"height", problem.height}};
    return result;
}

std::unique_ptr<Analysis> make_images() {
    return exercise<ImagesProblem>({.info = images_info(),
                                    .load = load_images,
                                    .check = check_images,
                                    .setup_text = images_setup,
                                    .idle = idle_in_images});
}

std::vector<HostVariant> images_on_host() {
    Variant reference;
    reference.analysis = "images";
    reference.id = "host.reference";
    reference.title = "The samplers in C++";
    reference.description =
        "rows on the threads of the host, in double, as the standard writes the samplers down";
    reference.source_file = "core/basics/images/images.cpp";
    reference.rank = 10;
    return {{reference, sample_on_host}};
}

}  // namespace ks::basics
