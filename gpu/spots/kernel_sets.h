#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/runtime/launch_context.h"
#include "gpu/spots/signal_kernels.h"

namespace ks::gpu::spots {

/// One work-item per pixel, with a tile in local memory.
std::unique_ptr<SignalKernels> make_tile_kernels(const SpotProblem& problem, LaunchContext& context);
/// Candidates by sliding sums, decided one by one.
std::unique_ptr<SignalKernels> make_sliding_kernels(const SpotProblem& problem, LaunchContext& context);
/// The same without double precision.
std::unique_ptr<SignalKernels> make_integer_kernels(const SpotProblem& problem, LaunchContext& context);
/// Two counts per word.
std::unique_ptr<SignalKernels> make_packed_kernels(const SpotProblem& problem, LaunchContext& context);
/// Rows of pairs of counts in registers, of several frames at once.
std::unique_ptr<SignalKernels> make_screened_kernels(const SpotProblem& problem, LaunchContext& context);
/// Explicit vectors, one kernel.
std::unique_ptr<SignalKernels> make_vector_kernels(const SpotProblem& problem, LaunchContext& context);
/// dispersion_extended with complete tests only on the rows of a grid.
std::unique_ptr<SignalKernels> make_grid_rows_kernels(const SpotProblem& problem, LaunchContext& context);
/// dispersion_extended with explicit vectors.
std::unique_ptr<SignalKernels> make_vector_extended_kernels(const SpotProblem& problem,
                                                            LaunchContext& context);
/// dispersion_extended with all sums computed anew, in the definition's order.
std::unique_ptr<SignalKernels> make_direct_extended_kernels(const SpotProblem& problem,
                                                            LaunchContext& context);
/// dispersion_extended in three passes, one work-item per pixel.
std::unique_ptr<SignalKernels> make_brute_extended_kernels(const SpotProblem& problem,
                                                           LaunchContext& context);

/// Shape of the images of a problem on the device.
PlaneShape shape_of(const SpotProblem& problem);
/// The kernels' argument `shape`.
cl_uint4 shape_argument(const PlaneShape& shape);
cl_uint word_count(const PlaneShape& shape);
/// The variant's defines that have the same name in their program (DefineSpec::program_name), with tuning and
/// the request's values, together with common_defines().
std::map<std::string, std::string> own_defines(const SpotProblem& problem, const LaunchContext& context);

/// Those that have another name in their program, by that name, together with common_defines(): the pass that
/// decides candidates (gpu/spots/lib/candidate_queue.cl) has WG and WORDS for DECIDE_WG and DECIDE_WORDS.
std::map<std::string, std::string> decide_defines(const SpotProblem& problem, const LaunchContext& context);

/// Whether the device compares pairs of 16-bit numbers in one instruction (NVIDIA, sm_90 and later), as a
/// test build shows.
bool compares_pairs(LaunchContext& context);

/// Enqueues a kernel over all rows of all modules in launches that are meant to last 50 ms: as one launch if
/// that is known to be short enough, else some rows at a time, through the global offset.
class RowLaunches {
  public:
    /// @param rate_guess pixels per second assumed before anything was timed
    RowLaunches(const PlaneShape& shape, double rate_guess) : shape_(shape), rate_guess_(rate_guess) {}
    /// @param columns work-items in dimension 0; @param item_rows rows per work-item of dimension 1
    /// @param local group; @param frame_cost of all rows of a frame; @param frames one after another
    void enqueue(LaunchContext& context, const std::string& stage, const cl::Kernel& kernel,
                 std::size_t columns, std::size_t item_rows, const cl::NDRange& local, const Cost& frame_cost,
                 std::size_t frames = 1);

  private:
    PlaneShape shape_;
    double rate_guess_;
    std::optional<Slicer> slicer_;  ///< of the first context that launches
};

/// What the kernel sets have in common: the shape of the images and the table of the window tests.
class TableKernels : public SignalKernels {
  public:
    std::uint64_t scratch_bytes() const override { return table_values_.size() * sizeof(std::uint64_t); }
    void prepare(LaunchContext& context, const Buffer& ignore) override;

  protected:
    /// @param pixel_bytes read per pixel; @param rate_guess as for RowLaunches
    TableKernels(const SpotProblem& problem, std::size_t pixel_bytes, double rate_guess);

    PlaneShape shape_;
    std::uint64_t pixels_;       ///< of all modules
    std::uint64_t frame_bytes_;  ///< moved by the first kernel
    RowLaunches rows_;
    std::shared_ptr<const Buffer> table_;

  private:
    std::vector<std::uint64_t> table_values_;
};

/// A variant's kernels. If the problem may have counts that are too large for the sums (sums_limit), there is
/// a last kernel that tests the pixels with such counts.
std::unique_ptr<SignalKernels> with_large_counts(std::unique_ptr<SignalKernels> kernels,
                                                 const SpotProblem& problem, LaunchContext& context);

}  // namespace ks::gpu::spots
