#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

class VectorKernels : public TableKernels {
  public:
    VectorKernels(const SpotProblem& problem, LaunchContext& context)
        : TableKernels(problem, size_of(problem.type()) + 1, context.info().compute_units * 1e8) {
        const auto defines = own_defines(problem, context);
        columns_ = number(defines, "COLUMNS");
        strip_ = number(defines, "ROWS");
        find_ = context.kernel("find_signal", defines);
    }

    bool wants_cleared_bits() const override { return false; }
    std::string names() const override { return "find_signal"; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        set_arguments(find_, frame.images, frame.ignore, frame.bits, *table_, shape_argument(shape_));
        rows_.enqueue(context, "find signal", find_, (shape_.width + columns_ - 1) / columns_, strip_,
                      {1, 1, 1}, {frame_bytes_, pixels_});
    }

  private:
    std::size_t columns_ = 0, strip_ = 0;
    cl::Kernel find_;
};

}  // namespace

std::unique_ptr<SignalKernels> make_vector_kernels(const SpotProblem& problem, LaunchContext& context) {
    return std::make_unique<VectorKernels>(problem, context);
}

}  // namespace ks::gpu::spots
