#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

class TileKernels : public TableKernels {
  public:
    TileKernels(const SpotProblem& problem, LaunchContext& context)
        // A low rate, so that the first launch is short.
        : TableKernels(problem, size_of(problem.type()) + 1,
                       context.info().compute_units * (context.info().type == "GPU" ? 1e11 : 1e8) /
                           problem.thresholds().window()),
          window_(static_cast<std::uint64_t>(problem.thresholds().window())) {
        auto defines = own_defines(problem, context);
        tile_x_ = number(defines, "TX");
        tile_y_ = number(defines, "TY");
        kernel_ = context.kernel("find_in_tiles", defines);
    }

    bool wants_cleared_bits() const override { return true; }
    std::string names() const override { return "find_in_tiles"; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        set_arguments(kernel_, frame.images, frame.ignore, frame.bits, *table_, shape_argument(shape_));
        rows_.enqueue(context, "find_in_tiles", kernel_, shape_.width, 1, {tile_x_, tile_y_, 1},
                      {frame_bytes_, pixels_ * window_});
    }

  private:
    std::uint64_t window_;
    std::size_t tile_x_ = 0, tile_y_ = 0;
    cl::Kernel kernel_;
};

}  // namespace

std::unique_ptr<SignalKernels> make_tile_kernels(const SpotProblem& problem, LaunchContext& context) {
    return std::make_unique<TileKernels>(problem, context);
}

}  // namespace ks::gpu::spots
