#include <utility>

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
    ErodedKernels(const SpotProblem& problem, LaunchContext& context)
        : ExtendedKernels(problem, size_of(problem.type()) + 1,
                          context.info().compute_units * (context.info().type == "GPU" ? 1e9 : 5e6)) {}
    bool wants_cleared_bits() const override { return false; }

  protected:
    /// @param columns, rows per work-item of the first pass; @param group work-items along a row
    void set_first(cl::Kernel kernel, std::size_t columns, std::size_t rows, std::size_t group) {
        dispersed_ = std::move(kernel);
        columns_ = columns;
        strip_ = rows;
        group_ = group;
    }
    /// @param decide defines that `over_background` was built with
    void set_others(const SpotProblem& problem, LaunchContext& context,
                    const std::map<std::string, std::string>& decide, cl::Kernel over_background) {
        decide_group_ = number(decide, "WG");
        block_ = decide_group_ * number(decide, "WORDS");
        erode_ = context.kernel("gpu/spots/extended/erode.cl", "erode", common_defines(problem));
        over_background_ = std::move(over_background);
    }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        const cl_uint4 shape = shape_argument(shape_);
        const cl_uint words = word_count(shape_);
        set_arguments(dispersed_, frame.images, frame.ignore, dispersed_bits_, *table_, shape);
        rows_.enqueue(context, "dispersed", dispersed_, (shape_.width + columns_ - 1) / columns_, strip_,
                      {group_, 1, 1}, {frame_bytes_, pixels_});
        set_arguments(erode_, dispersed_bits_, kept_, shape, words);
        context.launch("erode", erode_, {(words + erode_group - 1) / erode_group * erode_group},
                       {erode_group}, {2 * shape_.bit_bytes(), 0});
        set_arguments(over_background_, frame.images, frame.ignore, kept_, frame.bits, *table_, shape, words);
        context.launch("over_background", over_background_, {(words + block_ - 1) / block_ * decide_group_},
                       {decide_group_}, {2 * shape_.bit_bytes(), 0});
    }

  private:
    std::size_t columns_ = 1, strip_ = 1, group_ = 1, block_ = 0, decide_group_ = 0;
    cl::Kernel dispersed_, erode_, over_background_;
};

class VectorExtendedKernels : public ErodedKernels {
  public:
    VectorExtendedKernels(const SpotProblem& problem, LaunchContext& context)
        : ErodedKernels(problem, context) {
        const auto strips = own_defines(problem, context);
        set_first(context.kernel("dispersed_strips", strips), number(strips, "COLUMNS"),
                  number(strips, "ROWS"), 1);
        const auto decide = decide_defines(problem, context);
        set_others(
            problem, context, decide,
            context.kernel("gpu/spots/vector_cpu/vector_cpu_background.cl", "over_background", decide));
    }
    std::string names() const override { return "dispersed_strips, erode, over_background"; }
};

class DirectExtendedKernels : public ErodedKernels {
  public:
    DirectExtendedKernels(const SpotProblem& problem, LaunchContext& context)
        : ErodedKernels(problem, context) {
        const auto defines = own_defines(problem, context);
        set_first(context.kernel("dispersed", defines), number(defines, "V"), number(defines, "STRIP"),
                  group);
        const auto decide = decide_defines(problem, context);
        set_others(problem, context, decide, context.kernel("over_background", decide));
    }
    std::string names() const override { return "dispersed, erode, over_background"; }
    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        clear(context, dispersed_bits_);
        ErodedKernels::enqueue(context, frame);
    }

  private:
    static constexpr std::size_t group = 64;
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
    return std::make_unique<VectorExtendedKernels>(problem, context);
}

std::unique_ptr<SignalKernels> make_direct_extended_kernels(const SpotProblem& problem,
                                                            LaunchContext& context) {
    return std::make_unique<DirectExtendedKernels>(problem, context);
}

std::unique_ptr<SignalKernels> make_brute_extended_kernels(const SpotProblem& problem,
                                                           LaunchContext& context) {
    return std::make_unique<BruteExtendedKernels>(problem, context);
}

}  // namespace ks::gpu::spots
