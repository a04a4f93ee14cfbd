#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/kernel_sets.h"
#include "gpu/spots/test_table.h"

namespace ks::gpu::spots {
namespace {

class TileKernels : public SignalKernels {
  public:
    TileKernels(const SpotProblem& problem, LaunchContext& context)
        : table_values_(test_table(problem)),
          shape_(shape_of(problem)),
          window_(static_cast<std::uint64_t>(problem.thresholds().window())),
          frame_bytes_((size_of(problem.type()) + 1) * shape_.modules * shape_.height * shape_.width),
          // low, so that the first launch is short
          rows_(shape_, context.info().compute_units * (context.info().type == "GPU" ? 1e11 : 1e8) /
                            static_cast<double>(window_)) {
        auto defines = set_defines(problem, context, context.variant().id);
        tile_x_ = number(defines, "TX");
        tile_y_ = number(defines, "TY");
        kernel_ = context.kernel("find_in_tiles", defines);
    }

    std::uint64_t scratch_bytes() const override { return table_values_.size() * sizeof(std::uint64_t); }
    void prepare(LaunchContext& context, const Buffer&) override {
        table_ = context.uploaded<std::uint64_t>("upload thresholds", table_values_);
    }
    bool wants_cleared_bits() const override { return true; }
    std::string names() const override { return "find_in_tiles"; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        set_arguments(kernel_, frame.images, frame.ignore, frame.bits, table_, shape_argument(shape_));
        rows_.enqueue(
            context, "find_in_tiles", kernel_, shape_.width, 1, {tile_x_, tile_y_, 1},
            {frame_bytes_ + shape_.bit_bytes(), shape_.modules * shape_.height * shape_.width * window_});
    }

  private:
    std::vector<std::uint64_t> table_values_;
    PlaneShape shape_;
    std::uint64_t window_, frame_bytes_;
    RowLaunches rows_;
    std::size_t tile_x_ = 0, tile_y_ = 0;
    cl::Kernel kernel_;
    Buffer table_;
};

}  // namespace

std::unique_ptr<SignalKernels> make_tile_kernels(const SpotProblem& problem, LaunchContext& context) {
    return std::make_unique<TileKernels>(problem, context);
}

}  // namespace ks::gpu::spots
