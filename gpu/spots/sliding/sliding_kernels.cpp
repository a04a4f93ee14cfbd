#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

/// Fewer pixels per work-item if more rows stay in registers, and 4 for floats.
std::string pixels_of_item(const SpotProblem& problem, const std::string& tuned) {
    return problem.type() == ElementType::f32 || problem.thresholds().kernel_y > 4 ? "4" : tuned;
}

class SlidingKernels : public TableKernels {
  public:
    /// @param integer candidates are decided by the variant's own kernel, without double precision
    SlidingKernels(const SpotProblem& problem, LaunchContext& context, bool integer)
        : TableKernels(problem, size_of(problem.type()) + 1,
                       context.info().compute_units * (context.info().type == "GPU" ? 1e9 : 1e7)) {
        auto defines = own_defines(problem, context);
        defines["V"] = pixels_of_item(problem, defines.at("V"));
        v_ = number(defines, "V");
        strip_ = number(defines, "STRIP");
        group_ = number(defines, "WG");
        auto decide = decide_defines(problem, context);
        block_ = number(decide, "WG") * number(decide, "WORDS");
        decide_group_ = number(decide, "WG");
        const std::string sliding = "gpu/spots/sliding/sliding.cl", decides = "gpu/spots/sliding/decide.cl";
        if (integer) defines.emplace("SOFT", "1");
        candidates_ = context.kernel(sliding, "candidates", defines);
        decide_ = integer ? context.kernel("decide", decide) : context.kernel(decides, "decide", decide);
    }

    bool wants_cleared_bits() const override { return v_ < 8; }
    std::string names() const override { return "candidates, decide"; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        set_arguments(candidates_, frame.images, frame.ignore, frame.bits, *table_, shape_argument(shape_));
        rows_.enqueue(context, "candidates", candidates_, shape_.words() * 32 / v_, strip_, {group_, 1, 1},
                      {frame_bytes_, pixels_});
        const std::size_t blocks = (word_count(shape_) + block_ - 1) / block_;
        set_arguments(decide_, frame.images, frame.ignore, frame.bits, *table_, shape_argument(shape_),
                      word_count(shape_));
        context.launch("decide", decide_, {blocks * decide_group_}, {decide_group_},
                       {2 * shape_.bit_bytes(), 0});
    }

  private:
    std::size_t v_ = 0, strip_ = 0, group_ = 0, block_ = 0, decide_group_ = 0;
    cl::Kernel candidates_, decide_;
};

}  // namespace

std::unique_ptr<SignalKernels> make_sliding_kernels(const SpotProblem& problem, LaunchContext& context) {
    return std::make_unique<SlidingKernels>(problem, context, false);
}

std::unique_ptr<SignalKernels> make_integer_kernels(const SpotProblem& problem, LaunchContext& context) {
    return std::make_unique<SlidingKernels>(problem, context, true);
}

}  // namespace ks::gpu::spots
