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
#include "core/xpcs/correlation.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Photon correlation: g2 and its error per q-bin and delay.
std::vector<Analysis> make_analyses();
/// The variants that run on the host.
std::vector<HostVariant> host_variants();

/// Inputs, parameters, generator and benchmark sizes of the analysis, as data.
AnalysisInfo analysis_info();

/// Opens and checks the frames and the partition of a request with complete parameters, and fills frame time
/// and geometry. Masked pixels (io::ignored_pixels()) are in no bin. The partition is named "FILE::/path" or
/// "rings:X,Y,R0,WIDTH,N", or is given by values. Rings are concentric about the beam, so their centre
/// replaces the beam centre of the file when q is computed, unless parameters set the beam centre. If
/// `previous` has the same frames, they are not read again. Throws ks::Error(input).
std::shared_ptr<CorrelationProblem> load_problem(const Request& request, Progress& progress,
                                                 std::shared_ptr<const Problem> previous = nullptr);

/// Compares "g2", "g2_err" and "two_time" of a run with exact sums on the host: about 200 values of random
/// bins and delays in a plain loop (sample), or all of them with host.reference (full). NaN must be at the
/// same positions. Relative tolerances: 1e-6, for g2_err 1e-5, or those of the variant. Every computation of
/// g2_err ends with a difference of nearly equal terms. So g2_err may also differ by as much as it changes if
/// these terms change within the tolerance of g2. The place of the verdict is "bin" and "delay", or for a map
/// "frame_1" and "frame_2" instead of the delay.
Verdict check_correlation(const CorrelationProblem& problem, const Run& run, CheckMode mode,
                          Progress& progress);

/// A table of bins (label, pixels, q if known, g2 at delay 1 with its error) and facts, as aligned text.
std::string summary_of(const Run& run);
/// Which estimator gave g2 and its errors, and the fit if there is one.
std::string added_text_of(const Run& run);
/// "8 rings", or "15 bins" for labels; with "2 empty" if bins have no pixels.
std::string setup_text_of(const Run& run);

/// "counts": "whole", or "float" if they are not whole numbers. "element": type of the compact counts.
/// "max_count": largest count. "size": number of pixels of all frames.
Traits traits_of(const CorrelationProblem& problem);

/// The units are bins with pixels. Empty bins belong to the unit of the next bin that has pixels, and those
/// at the end to the last such bin. A bin with a large share of the work is divided into ranges of delays,
/// since the sums of a delay do not depend on other delays. A bin with a two-time map is not divided.
ShareUnits units_of(const CorrelationProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const CorrelationProblem>& whole,
                                       std::size_t first, std::size_t end);
/// The result of a part: g2 and g2_err [bin][delay in frames], or [bin][position in "delay"] if the variant
/// computes only those delays, with arbitrary values for delays that the part does not compute, and two_time
/// if the part contains the bin of the map.
Result part_result(Correlation correlation);
/// to_result() for all bins.
Result joined_bins(const CorrelationProblem& whole, std::vector<PartResult> parts,
                   std::vector<Timing>& timings);

/// Writes a run in the NeXus NXxpcs layout, atomically: /entry/data/g2 [delay, bin] (attribute storage_mode
/// one_array, column = label - 1), g2_derr, delay_difference (frames), /entry/curves/g2 [bin][delay],
/// /entry/instrument/masks/dynamic_roi_map, dynamic_q_list, two-time under /entry/twotime, and
/// /entry/kernelscope with request, device, driver, timings and verdict as JSON text.
void write_nxxpcs(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// Reads such a file (request, variant, device, result, timings, verdict). Throws ks::Error(input).
Run read_nxxpcs(const std::filesystem::path& file);
/// Writes CSV "bin,delay,g2,g2_err,q" with q in 1/angstrom, atomically; NaN as "nan"; numbers with 17 digits.
void write_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);

/// "host.gram": per bin the Gram matrix A A^T of its counts A [frames][pixels] minus the rounded mean of each
/// frame, in single precision by BLAS (ssyrk, which numpy.dot(A, A.T) calls; dsyrk in double if there are
/// negative counts), then sums along its diagonals in double.
Result run_gram(const CorrelationProblem& problem, HostContext& context);

}  // namespace ks::xpcs
