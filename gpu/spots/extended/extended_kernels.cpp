#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/kernel_sets.h"
#include "gpu/spots/lib/test_table.h"

namespace ks::gpu::spots {
namespace {

// Work-items without barriers are a loop on processors: hardly any work for each, so many per group.
constexpr std::size_t erode_group = 256;

/// Two bit planes between the passes: dispersed pixels, and those that erosion keeps.
class ExtendedKernels : public TableKernels {
  public:
    using TableKernels::TableKernels;

    std::uint64_t scratch_bytes() const override {
        return TableKernels::scratch_bytes() + 2 * shape_.bit_bytes();
    }
    void prepare(LaunchContext& context, const Buffer& ignore) override {
        TableKernels::prepare(context, ignore);
        dispersed_bits_ = context.buffer(shape_.bit_bytes());
        kept_ = context.buffer(shape_.bit_bytes());
    }

  protected:
    void clear(LaunchContext& context, const Buffer& bits) const {
        context.fill("clear bits", bits, cl_uint{0}, shape_.bit_bytes());
    }

    Buffer dispersed_bits_, kept_;
};

/// Erosion one word at a time, and candidates decided in parallel: the passes after the first.
class ErodedKernels : public ExtendedKernels {
  public:
    /// @param vectors the first pass and the last one are those of explicit vectors
    ErodedKernels(const SpotProblem& problem, LaunchContext& context, bool vectors)
        : ExtendedKernels(problem, size_of(problem.type()) + 1,
                          context.info().compute_units * (context.info().type == "GPU" ? 1e9 : 5e6)),
          vectors_(vectors) {
        const auto first = own_defines(problem, context), decide = decide_defines(problem, context);
        columns_ = number(first, vectors ? "COLUMNS" : "V");
        strip_ = number(first, vectors ? "ROWS" : "STRIP");
        dispersed_ = context.kernel(vectors ? "dispersed_strips" : "dispersed", first);
        constexpr const char* last = "over_background";
        over_background_ = vectors
                               ? context.kernel("gpu/spots/vector_cpu/vector_cpu_background.cl", last, decide)
                               : context.kernel(last, decide);
        erode_ = context.kernel("gpu/spots/extended/erode.cl", "erode", common_defines(problem));
        decide_group_ = number(decide, "WG");
        block_ = decide_group_ * number(decide, "WORDS");
    }
    bool wants_cleared_bits() const override { return false; }
    std::string names() const override {
        return vectors_ ? "dispersed_strips, erode, over_background" : "dispersed, erode, over_background";
    }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        const cl_uint4 shape = shape_argument(shape_);
        const cl_uint words = word_count(shape_);
        if (!vectors_) clear(context, dispersed_bits_);
        set_arguments(dispersed_, frame.images, frame.ignore, dispersed_bits_, *table_, shape);
        rows_.enqueue(context, "dispersed", dispersed_, quotient_up(shape_.width, columns_), strip_,
                      {vectors_ ? 1U : 64U, 1, 1}, {frame_bytes_, pixels_});
        set_arguments(erode_, dispersed_bits_, kept_, shape, words);
        context.launch("erode", erode_, {rounded_up(words, erode_group)}, {erode_group},
                       {2 * shape_.bit_bytes(), 0});
        set_arguments(over_background_, frame.images, frame.ignore, kept_, frame.bits, *table_, shape, words);
        context.launch("over_background", over_background_, {quotient_up(words, block_) * decide_group_},
                       {decide_group_}, {2 * shape_.bit_bytes(), 0});
    }

  private:
    bool vectors_;
    std::size_t columns_ = 1, strip_ = 1, block_ = 0, decide_group_ = 0;
    cl::Kernel dispersed_, erode_, over_background_;
};

class BruteExtendedKernels : public ExtendedKernels {
  public:
    BruteExtendedKernels(const SpotProblem& problem, LaunchContext& context)
        // A low rate, so that the first launch is short.
        : ExtendedKernels(problem, size_of(problem.type()) + 1,
                          context.info().compute_units * (context.info().type == "GPU" ? 1e11 : 1e8) /
                              problem.thresholds().window()),
          window_(static_cast<std::uint64_t>(problem.thresholds().window())) {
        const auto defines = own_defines(problem, context);
        group_ = {number(defines, "TX"), number(defines, "TY"), 1};
        dispersed_ = context.kernel("dispersed", defines);
        eroded_ = context.kernel("eroded", defines);
        over_background_ = context.kernel("over_background", defines);
    }
    bool wants_cleared_bits() const override { return true; }
    std::string names() const override { return "dispersed, eroded, over_background"; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        const cl_uint4 shape = shape_argument(shape_);
        clear(context, dispersed_bits_);
        clear(context, kept_);
        set_arguments(dispersed_, frame.images, frame.ignore, dispersed_bits_, *table_, shape);
        rows_.enqueue(context, "dispersed", dispersed_, shape_.width, 1, group_,
                      {frame_bytes_, pixels_ * window_});
        set_arguments(eroded_, dispersed_bits_, kept_, shape);
        rows_.enqueue(context, "eroded", eroded_, shape_.width, 1, group_, {2 * shape_.bit_bytes(), 0});
        set_arguments(over_background_, frame.images, frame.ignore, kept_, frame.bits, *table_, shape);
        rows_.enqueue(context, "over_background", over_background_, shape_.width, 1, group_,
                      {2 * shape_.bit_bytes(), 0});
    }

  private:
    std::uint64_t window_;
    cl::NDRange group_;
    cl::Kernel dispersed_, eroded_, over_background_;
};

}  // namespace

std::unique_ptr<SignalKernels> make_vector_extended_kernels(const SpotProblem& problem,
                                                            LaunchContext& context) {
    return std::make_unique<ErodedKernels>(problem, context, true);
}

std::unique_ptr<SignalKernels> make_direct_extended_kernels(const SpotProblem& problem,
                                                            LaunchContext& context) {
    return std::make_unique<ErodedKernels>(problem, context, false);
}

std::unique_ptr<SignalKernels> make_brute_extended_kernels(const SpotProblem& problem,
                                                           LaunchContext& context) {
    return std::make_unique<BruteExtendedKernels>(problem, context);
}

}  // namespace ks::gpu::spots
