#include "gpu/spots/kernel_sets.h"

#include <utility>

#include "gpu/spots/lib/test_table.h"

namespace ks::gpu::spots {
namespace {

/// Work-items per group, and pixels per work-item.
constexpr std::size_t large_counts_group = 64, large_counts_pixels = 16;

class LargeCounts : public TableKernels {
  public:
    LargeCounts(std::unique_ptr<SignalKernels> kernels, const SpotProblem& problem, LaunchContext& context,
                std::map<std::string, std::string> defines)
        : TableKernels(problem, size_of(problem.type()), 1e10), kernels_(std::move(kernels)) {
        defines["MODULES"] = std::to_string(shape_.modules);
        if (!context.info().fp64) defines.emplace("SOFT", "1");
        test_ = context.kernel("gpu/spots/lib/large_counts.cl", "large_counts", defines);
    }

    std::uint64_t scratch_bytes() const override {
        return TableKernels::scratch_bytes() + kernels_->scratch_bytes();
    }
    void prepare(LaunchContext& context, const Buffer& ignore) override {
        TableKernels::prepare(context, ignore);
        kernels_->prepare(context, ignore);
    }
    bool wants_cleared_bits() const override { return kernels_->wants_cleared_bits(); }
    std::size_t frames_at_once() const override { return kernels_->frames_at_once(); }
    std::string names() const override { return kernels_->names() + ", large_counts"; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        kernels_->enqueue(context, frame);
        set_arguments(test_, frame.images, frame.ignore, frame.bits, *table_, shape_argument(shape_));
        const std::size_t vectors = (shape_.width + large_counts_pixels - 1) / large_counts_pixels;
        context.launch(
            "large counts", test_,
            {rounded_up(vectors, large_counts_group), shape_.height, shape_.modules * frame.frames},
            {large_counts_group, 1, 1}, {frame_bytes_ * frame.frames, 0});
    }

  private:
    std::unique_ptr<SignalKernels> kernels_;
    cl::Kernel test_;
};

}  // namespace

std::unique_ptr<SignalKernels> with_large_counts(std::unique_ptr<SignalKernels> kernels,
                                                 const SpotProblem& problem, LaunchContext& context) {
    auto defines = large_count_defines(problem);
    if (!defines) return kernels;
    return std::make_unique<LargeCounts>(std::move(kernels), problem, context, std::move(*defines));
}

}  // namespace ks::gpu::spots
