#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/analysis.h"
#include "core/run/host_backend.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/run/variant.h"
#include "core/run/verdict.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// Diffraction spots: signal pixels by the index of dispersion, grouped and filtered.
std::vector<Analysis> make_analyses();
/// host.reference, host.integral and host.sliding.
std::vector<HostVariant> host_variants();

/// Opens the frames of a request with complete parameters, and the masks (io::ignored_pixels()). Frames
/// without values in the file are missing. No frames are read here; frames and masks already read for
/// `previous` are reused. Throws ks::Error(input) if all frames are missing, for limits of d without a
/// geometry, and as SpotProblem and ignored_pixels() do.
std::shared_ptr<const SpotProblem> load_problem(const Request& request, Progress& progress,
                                                std::shared_ptr<const Problem> previous = nullptr);

/// full: compares the signal of every frame bit for bit with the definition, and the table with one
/// derived from it. sample: compares with the definition at several thousand pixels: found signal and
/// its surroundings, the largest counts, and random pixels. The verdict names frame (as in the file), x
/// and y of the first difference and the number of differences; its place has the same ("frame", "x",
/// "y"). Can be cancelled.
Verdict check_spots(const SpotProblem& problem, const Run& run, CheckMode mode, Progress& progress);

/// For the terminal: one line per frame (the first 20), counts of signal and spots, and why
/// spots were dropped.
std::string summary_of(const Run& run);
/// "gain 4, sigma 6/3": the signal thresholds; window and global threshold only if they are not the default.
std::string setup_text_of(const Run& run);

/// "algorithm", "element" (of the pixels), "kernel_x" and "kernel_y" (half-widths of the window).
Traits traits_of(const SpotProblem& problem);

/// The units are frames. A SpotCollector creates a SpotPart from the results of some of them.
ShareUnits units_of(const SpotProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SpotProblem>& whole, std::size_t first,
                                       std::size_t end);
/// The result of a SpotCollector to which the parts are added. The fact frames_per_second refers to the time
/// in which any device was active. Throws ks::Error(input) if no frame could be read.
Result joined_spots(const SpotProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings);

}  // namespace ks::spots
