#include "core/xpcs/analysis.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/xpcs/correlators/cost.h"
#include "core/xpcs/files/aps_file.h"
#include "core/xpcs/files/other_results.h"
#include "core/xpcs/files/wide_csv.h"
#include "core/xpcs/fit_table.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/generator.h"
#include "core/xpcs/repeats/average.h"
#include "core/xpcs/stability/stability_table.h"

namespace ks::xpcs {
namespace {

/// Counts as frames of floats that are no whole numbers.
/// @param dark counts, subtracted from all pixels
Array scaled(const Array& counts, float dark) {
    const std::span<const std::uint16_t> from = counts.as<std::uint16_t>();
    std::vector<float> to(from.size());
    std::ranges::transform(
        from, to.begin(), [dark](std::uint16_t count) { return 0.37F * (static_cast<float>(count) - dark); });
    return Array::of<float>(counts.shape(), to);
}

std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& set) {
    SyntheticSpec spec;
    spec.frames = static_cast<std::size_t>(integer(set, "frames"));
    spec.height = static_cast<std::size_t>(integer(set, "height"));
    spec.width = static_cast<std::size_t>(integer(set, "width"));
    spec.ring_width = real(set, "ring_width");
    spec.mean = real(set, "mean");
    const ElementType type = element_type_from(text(set, "type"));
    spec.type = type == ElementType::f32 ? ElementType::u16 : type;
    Progress progress;
    SyntheticFrames made = text(set, "kind") == "speckle" ? make_speckle_frames(spec, progress)
                                                          : make_seed_frames(spec, progress);
    if (type == ElementType::f32) made.stack = scaled(made.stack, static_cast<float>(real(set, "dark")));
    const QPartition partition = QPartition::from_array(made.labels, "benchmark");
    const std::size_t two_time_bin = boolean(set, "two_time") ? 1 : 0;
    return std::make_shared<CorrelationProblem>(
        std::make_shared<MemoryFrames>("benchmark", std::move(made.stack)), partition, 0, spec.frames,
        two_time_bin, std::nullopt, std::numeric_limits<std::uint64_t>::max(), progress);
}

Request benchmark_files(const ParameterSet& sizes, const std::filesystem::path& folder, Progress& progress) {
    const std::filesystem::path file = folder / "frames.h5";
    generate_file(checked(generator_parameters(), among(generator_parameters(), sizes)), file, false,
                  progress);
    Request request;
    request.inputs["frames"].name = file.string();
    request.inputs["partition"].name = file.string() + "::/entry/qmask";
    if (boolean(sizes, "two_time")) request.parameters["two_time_bin"] = std::int64_t{1};
    return request;
}

std::string why_no_fit_of(const Request& request) {
    return why_no_fit(request.parameters);
}

std::string why_no_stability_of(const Request& request) {
    return why_no_stability(request.parameters);
}

void add_results(const CorrelationProblem& problem, Run& run, Progress& progress) {
    add_fit(problem, run, progress);
    add_stability(problem, run, progress);
    add_faster_family(problem, run);
}

}  // namespace

std::vector<Analysis> make_analyses() {
    return one_analysis({.info = analysis_info(),
                         .load = load_problem,
                         .benchmark_problem = benchmark_problem,
                         .benchmark_files = benchmark_files,
                         .generate = generate_file,
                         .check = check_correlation,
                         .save = write_nxxpcs,
                         .open = read_nxxpcs,
                         .is_other_result = is_other_result,
                         .open_other = read_other_result,
                         .save_csv = write_csv,
                         .csv_forms = {{"long", "one row per bin and delay in frames", write_csv},
                                       {"wide", "two columns per bin", write_wide_csv}},
                         .add_results = add_results,
                         .added_text = added_text_of,
                         .further_files = {{.option = "--fit-csv",
                                            .help = "CSV file for the fit, with one row per bin",
                                            .why_not = why_no_fit_of,
                                            .save = write_fit_csv},
                                           {.option = "--stability-csv",
                                            .help = "CSV file for g2 of each segment and its test",
                                            .of_averages = false,
                                            .why_not = why_no_stability_of,
                                            .save = write_stability_csv},
                                           {.option = "--aps-out",
                                            .help = "HDF5 file with g2 in the layout of APS 8-ID",
                                            .type = "FILE.hdf",
                                            .why_not = why_no_aps,
                                            .save = write_aps}},
                         .average = average_of_repeats,
                         .summary = summary_of,
                         .setup_text = setup_text_of,
                         .traits = traits_of,
                         .idle = idle_fit_values,
                         .units = units_of,
                         .part = part_by(part_of),
                         .joined = joined_bins});
}

}  // namespace ks::xpcs
