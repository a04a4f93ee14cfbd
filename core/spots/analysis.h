#pragma once

#include <cstddef>
#include <filesystem>
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
#include "core/spots/signal_sink.h"

namespace ks::spots {

/// Diffraction spots: signal pixels by the index of dispersion, grouped and filtered.
std::vector<Analysis> make_analyses();
/// host.reference, host.integral and host.sliding.
std::vector<HostVariant> host_variants();

/// Opens the frames of a request with complete parameters, and the masks (io::ignored_pixels()). Frames
/// without values in the file are missing. No frames are read here. Frames and masks that were read for
/// `previous` are reused. Throws ks::Error(input) if all frames are missing, for limits on d without a
/// geometry, and as SpotProblem and ignored_pixels() do.
std::shared_ptr<const SpotProblem> load_problem(const Request& request, Progress& progress,
                                                std::shared_ptr<const Problem> previous = nullptr);

/// full: compares the signal of every frame bit for bit with the definition, and the table with one made from
/// the definition's signal. sample: compares with the definition at several thousand pixels: the signal that
/// was found and its surroundings, the largest counts, and random pixels. The verdict names frame (as in the
/// file), x and y of the first difference, and the number of differences. Its place has the indices "frame",
/// "x" and "y". Can be cancelled.
Verdict check_spots(const SpotProblem& problem, const Run& run, CheckMode mode, Progress& progress);

/// For the terminal: one line per frame (the first 20), counts of signal and spots, and why
/// spots were dropped.
std::string summary_of(const Run& run);
/// "gain 4, sigma 6/3": the signal thresholds; window, global threshold and extended rule only if they are
/// not the default.
std::string setup_text_of(const Run& run);

/// "algorithm", "element" (of the pixels), "kernel_x" and "kernel_y" (half-widths of the window).
Traits traits_of(const SpotProblem& problem);

/// The units are frames. A SpotCollector creates a SpotPart from the results of some of them.
ShareUnits units_of(const SpotProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SpotProblem>& whole, std::size_t first,
                                       std::size_t end);
/// The result of a SpotCollector to which all parts were added. The fact frames_per_second refers to the time
/// in which any device was active. Throws ks::Error(input) if no frame could be read.
Result joined_spots(const SpotProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings);

/// Writes a run, atomically. /entry/spots/<column> is the table, one row per spot: kept spots only or, if the
/// run has the fact all_spots, all spots with the columns `keep` and `dropped`. /entry/frames/<column> has
/// one row per frame. If the run has the fact save_signal, /entry/data/signal u8 [frame][y][x] is 1 for
/// signal (missing frames are not written), and there is /entry/data/frame. The record of the run
/// (io::write_run_record) contains the signal as lists of pixels.
void write_spots(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// The same with all spots, replacing an existing file.
void keep_spots(const Run& run, const std::filesystem::path& out, Progress& progress);
/// Reads such a file, with the fact all_spots as in the request of the run; dropped spots are present only if
/// they were saved. Throws ks::Error(input).
Run read_spots(const std::filesystem::path& file);
/// Writes the table as CSV with column names, atomically; rows and columns as in write_spots(); NaN as "nan",
/// numbers with 17 digits.
void write_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

/// The definition (reference.h) on all cores: bands of as many frames at a time as there are threads.
void run_reference(const SpotProblem& problem, SignalSink& sink, HostContext& context);
/// The same by integral images.
void run_integral_images(const SpotProblem& problem, SignalSink& sink, HostContext& context);

/// Delivers the signal of all existing frames, using find_signal_sliding() on the threads of the context.
/// While a frame is processed, the next one is read.
void run_sliding(const SpotProblem& problem, SignalSink& sink, HostContext& context);

}  // namespace ks::spots
