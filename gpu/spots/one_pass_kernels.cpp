#include <utility>

#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

/// How a kernel that decides every pixel at once is launched.
struct OnePass {
    const char* stage;
    const char* entry_point;
    std::size_t item_columns, item_rows;  ///< pixels per work-item
    cl::NDRange group;
    std::uint64_t operations;  ///< per pixel
    double rate_guess;         ///< pixels per second
    bool sets_bits;            ///< single ones, in words that are 0 before
};

class OnePassKernels : public TableKernels {
  public:
    OnePassKernels(const SpotProblem& problem, LaunchContext& context, OnePass plan)
        : TableKernels(problem, size_of(problem.type()) + 1, plan.rate_guess),
          plan_(std::move(plan)),
          kernel_(context.kernel(plan_.entry_point, own_defines(problem, context))) {}

    bool wants_cleared_bits() const override { return plan_.sets_bits; }
    std::string names() const override { return plan_.entry_point; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        set_arguments(kernel_, frame.images, frame.ignore, frame.bits, *table_, shape_argument(shape_));
        rows_.enqueue(context, plan_.stage, kernel_, quotient_up(shape_.width, plan_.item_columns),
                      plan_.item_rows, plan_.group, {frame_bytes_, pixels_ * plan_.operations});
    }

  private:
    OnePass plan_;
    cl::Kernel kernel_;
};

}  // namespace

std::unique_ptr<SignalKernels> make_tile_kernels(const SpotProblem& problem, LaunchContext& context) {
    const auto defines = own_defines(problem, context);
    const double window = problem.thresholds().window();
    // A low rate, so that the first launch is short.
    const double rate = context.info().compute_units * (context.info().type == "GPU" ? 1e11 : 1e8) / window;
    const OnePass plan{"find_in_tiles",
                       "find_in_tiles",
                       1,
                       1,
                       {number(defines, "TX"), number(defines, "TY"), 1},
                       static_cast<std::uint64_t>(window),
                       rate,
                       true};
    return std::make_unique<OnePassKernels>(problem, context, plan);
}

std::unique_ptr<SignalKernels> make_vector_kernels(const SpotProblem& problem, LaunchContext& context) {
    const auto defines = own_defines(problem, context);
    const OnePass plan{"find signal",
                       "find_signal",
                       number(defines, "COLUMNS"),
                       number(defines, "ROWS"),
                       {1, 1, 1},
                       1,
                       context.info().compute_units * 1e8,
                       false};
    return std::make_unique<OnePassKernels>(problem, context, plan);
}

}  // namespace ks::gpu::spots
