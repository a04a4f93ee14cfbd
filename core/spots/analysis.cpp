#include "core/spots/analysis.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/spots/dials/dials_files.h"
#include "core/spots/parameters.h"
#include "core/spots/synthetic/critical_windows.h"
#include "core/spots/synthetic/generator.h"

namespace ks::spots {
namespace {

/// Counts as another type, as far as it holds them, after the subtraction of dark counts.
template <class T>
Array counts_as(const Array& counts, double dark = 0) {
    const std::span<const std::uint16_t> from = counts.as<std::uint16_t>();
    std::vector<T> to(from.size());
    std::ranges::transform(from, to.begin(), [dark](std::uint16_t count) {
        return static_cast<T>(
            std::min(static_cast<double>(count) - dark, static_cast<double>(std::numeric_limits<T>::max())));
    });
    return Array::of<T>(counts.shape(), to);
}

std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& set) {
    SceneSpec spec;
    spec.frames = static_cast<std::size_t>(integer(set, "frames"));
    spec.height = static_cast<std::size_t>(integer(set, "height"));
    spec.width = static_cast<std::size_t>(integer(set, "width"));
    spec.spots = static_cast<std::size_t>(integer(set, "spots"));
    spec.background = real(set, "background");
    Progress progress;
    Array stack = Scene(spec).stack(progress);
    const Thresholds thresholds = thresholds_from(set);
    ModuleLayout layout = ModuleLayout::parse(text(set, "modules"), spec.height, spec.width);
    PixelMask mask;
    const ElementType type = element_type_from(text(set, "type"));
    if (type == ElementType::u8) stack = counts_as<std::uint8_t>(stack);
    if (type == ElementType::u32) stack = counts_as<std::uint32_t>(stack);
    if (boolean(set, "critical"))
        visit_element(stack.type(), [&](auto zero) {
            using T = decltype(zero);
            if constexpr (std::is_unsigned_v<T> && sizeof(T) <= 4)
                make_windows_critical(stack.as<T>(), spec.height, spec.width, layout, thresholds, spec.seed,
                                      mask);
        });
    if (type == ElementType::f32) stack = counts_as<float>(stack, real(set, "dark"));
    auto source = std::make_shared<MemoryFrames>("benchmark", std::move(stack));
    auto shared = std::make_shared<SharedFrames>(std::move(source), 0, spec.frames, 0);
    const double limit = optional_real(set, "saturation").value_or(std::numeric_limits<double>::infinity());
    return std::make_shared<SpotProblem>(std::move(shared), mask, limit, thresholds, std::move(layout),
                                         Grouping{});
}

Request benchmark_files(const ParameterSet& sizes, const std::filesystem::path& folder, Progress& progress) {
    if (boolean(sizes, "critical"))
        throw Error(ErrorKind::input,
                    "critical windows cannot be written to a file; they are for runs in memory", "critical");
    if (text(sizes, "type") == "u8")
        throw Error(ErrorKind::input,
                    "frames of 8 bits cannot be written to a file; they are for runs in memory", "type");
    if (text(sizes, "type") == "f32")
        throw Error(ErrorKind::input,
                    "frames of floats cannot be written to a file; they are for runs in memory", "type");
    ParameterSet scene = among(generator_parameters(), sizes);
    scene.erase("modules");  // whole frames, which the run divides into modules
    const std::filesystem::path file = folder / "frames.h5";
    generate_file(checked(generator_parameters(), scene), file, false, progress);
    Request request;
    request.inputs["frames"].name = file.string();
    request.parameters = among(analysis_info().parameters, sizes);
    return request;
}

std::vector<IdleParameter> idle_parameters(const Request& request) {
    const auto given = request.parameters.find("extended_rule"),
               algorithm = request.parameters.find("algorithm");
    const bool extended = algorithm != request.parameters.end() &&
                          algorithm->second == ParameterValue(std::string("dispersion_extended"));
    if (extended || given == request.parameters.end() ||
        given->second == ParameterValue(std::string("newer")))
        return {};
    return {{"extended_rule", "the algorithm is dispersion"}};
}

}  // namespace

std::vector<Analysis> make_analyses() {
    return one_analysis(
        {.info = analysis_info(),
         .load = load_problem,
         .benchmark_problem = benchmark_problem,
         .benchmark_files = benchmark_files,
         .generate = generate_file,
         .check = check_spots,
         .save = write_spots,
         .keep = keep_spots,
         .open = read_spots,
         .save_csv = write_csv,
         .further_files = {{.option = "--dials",
                            .help = "Files PREFIX.expt and PREFIX.refl for DIALS, with the kept spots",
                            .type = "PREFIX",
                            .suffixes = {".expt", ".refl"},
                            .why_not = why_no_dials,
                            .save = write_dials}},
         .summary = summary_of,
         .setup_text = setup_text_of,
         .traits = traits_of,
         .idle = idle_parameters,
         .units = units_of,
         .part = part_by(part_of),
         .joined = joined_spots});
}

}  // namespace ks::spots
