#include "core/run/error.h"
#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/kernel_sets.h"
#include "gpu/spots/test_table.h"

namespace ks::gpu::spots {
namespace {

constexpr std::size_t real_group = 64, real_columns = 4, real_rows = 32;  ///< of floats

/// Processors do without what the rows of a grid were written for, items by the thousand, and have wide
/// vectors. Who gives a source or the size of a group wants those kernels anyway.
bool by_grid_rows(const SpotProblem& problem, const LaunchContext& context) {
    return problem.type() != ElementType::f32 &&
           (context.info().type == "GPU" || !context.request().kernel_source.empty() ||
            context.request().defines.contains("LANES"));
}

class ExtendedKernels : public TableKernels {
  public:
    ExtendedKernels(const SpotProblem& problem, LaunchContext& context)
        : TableKernels(problem, size_of(problem.type()) + 1,
                       context.info().compute_units * (context.info().type == "GPU" ? 1e9 : 5e6)),
          strips_(problem.type() != ElementType::f32) {
        const auto decide = decide_defines(problem, context);
        decide_group_ = number(decide, "WG");
        block_ = decide_group_ * number(decide, "WORDS");
        if (strips_) {
            const auto strips = set_defines(problem, context, "vector.cpu");
            v_ = number(strips, "COLUMNS");
            strip_ = number(strips, "ROWS");
            group_ = 1;
            dispersed_ = context.kernel("gpu/spots/vector_cpu_extended.cl", "dispersed_strips", strips);
        } else {
            auto defines = common_defines(problem);
            defines["V"] = std::to_string(v_);
            defines["STRIP"] = std::to_string(strip_);
            dispersed_ = context.kernel("gpu/spots/extended_real.cl", "dispersed", defines);
        }
        erode_ = context.kernel("gpu/spots/erode.cl", "erode", common_defines(problem));
        over_background_ =
            context.kernel(strips_ ? "gpu/spots/vector_cpu_background.cl" : "gpu/spots/extended_real.cl",
                           "over_background", decide);
    }

    std::uint64_t scratch_bytes() const override {
        return TableKernels::scratch_bytes() + 2 * shape_.bit_bytes();
    }
    void prepare(LaunchContext& context, const Buffer& ignore) override {
        TableKernels::prepare(context, ignore);
        dispersed_bits_ = context.buffer(shape_.bit_bytes());
        kept_ = context.buffer(shape_.bit_bytes());
    }
    bool wants_cleared_bits() const override { return false; }
    std::string names() const override {
        return strips_ ? "dispersed_strips, erode, over_background" : "dispersed, erode, over_background";
    }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        const cl_uint4 shape = shape_argument(shape_);
        const cl_uint words = word_count(shape_);
        if (!strips_) clear(context, dispersed_bits_);
        set_arguments(dispersed_, frame.images, frame.ignore, dispersed_bits_, table_, shape);
        rows_.enqueue(context, "dispersed", dispersed_, (shape_.width + v_ - 1) / v_, strip_, {group_, 1, 1},
                      {frame_bytes_, pixels_});
        set_arguments(erode_, dispersed_bits_, kept_, shape, words);
        context.launch("erode", erode_, {(words + erode_group - 1) / erode_group * erode_group},
                       {erode_group}, {2 * shape_.bit_bytes(), 0});
        set_arguments(over_background_, frame.images, frame.ignore, kept_, frame.bits, table_, shape, words);
        context.launch("over_background", over_background_, {(words + block_ - 1) / block_ * decide_group_},
                       {decide_group_}, {2 * shape_.bit_bytes(), 0});
    }

  private:
    // Items without barriers are a loop on processors: hardly any work for each, so many to a group.
    static constexpr std::size_t erode_group = 256;

    void clear(LaunchContext& context, const Buffer& bits) const {
        cl::Event cleared;
        context.device().queue().enqueueFillBuffer(bits.cl(), cl_uint{0}, 0, shape_.bit_bytes(), nullptr,
                                                   &cleared);
        context.track("clear bits", StageKind::kernel, cleared, {shape_.bit_bytes(), 0});
    }

    bool strips_;  ///< of explicit vectors, else floats
    std::size_t v_ = real_columns, strip_ = real_rows, group_ = real_group, block_ = 0, decide_group_ = 0;
    cl::Kernel dispersed_, erode_, over_background_;
    Buffer dispersed_bits_, kept_;
};

}  // namespace

std::unique_ptr<SignalKernels> make_extended_kernels(const SpotProblem& problem, LaunchContext& context) {
    if (!context.info().fp64)
        throw Error(ErrorKind::input,
                    context.info().name + " has no double precision, which dispersion_extended needs",
                    "algorithm", "take dispersion, another device, or the host");
    if (by_grid_rows(problem, context)) return make_grid_rows_kernels(problem, context);
    return std::make_unique<ExtendedKernels>(problem, context);
}

}  // namespace ks::gpu::spots
