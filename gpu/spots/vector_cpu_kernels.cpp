#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/kernel_sets.h"
#include "gpu/spots/test_table.h"

namespace ks::gpu::spots {
namespace {

class VectorKernels : public SignalKernels {
  public:
    VectorKernels(const SpotProblem& problem, LaunchContext& context)
        : table_values_(test_table(problem)),
          shape_(shape_of(problem)),
          pixels_(shape_.modules * shape_.height * shape_.width),
          frame_bytes_((size_of(problem.type()) + 1) * pixels_ + shape_.bit_bytes()),
          rows_(shape_, context.info().compute_units * 1e8) {
        const auto defines = set_defines(problem, context, "vector.cpu");
        columns_ = number(defines, "COLUMNS");
        strip_ = number(defines, "ROWS");
        find_ = context.kernel("find_signal", defines);
    }

    std::uint64_t scratch_bytes() const override { return table_values_.size() * sizeof(std::uint64_t); }
    void prepare(LaunchContext& context, const Buffer&) override {
        table_ = context.uploaded<std::uint64_t>("upload thresholds", table_values_);
    }
    bool wants_cleared_bits() const override { return false; }
    std::string names() const override { return "find_signal"; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        set_arguments(find_, frame.images, frame.ignore, frame.bits, table_, shape_argument(shape_));
        rows_.enqueue(context, "find signal", find_, (shape_.width + columns_ - 1) / columns_, strip_,
                      {1, 1, 1}, {frame_bytes_, pixels_});
    }

  private:
    std::vector<std::uint64_t> table_values_;
    PlaneShape shape_;
    std::uint64_t pixels_, frame_bytes_;
    RowLaunches rows_;
    std::size_t columns_ = 0, strip_ = 0;
    cl::Kernel find_;
    Buffer table_;
};

}  // namespace

std::unique_ptr<SignalKernels> make_vector_kernels(const SpotProblem& problem, LaunchContext& context) {
    // Floats must be added in the definition's order, which leaves nothing for vectors to do.
    if (problem.type() == ElementType::f32) return make_sliding_kernels(problem, context);
    return std::make_unique<VectorKernels>(problem, context);
}

}  // namespace ks::gpu::spots
