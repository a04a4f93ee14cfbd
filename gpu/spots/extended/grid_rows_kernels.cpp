#include <fmt/format.h>

#include <algorithm>

#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/frame_room.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

constexpr std::size_t chunk = 8;  ///< columns per work-item
constexpr std::size_t mask_group = 64;
constexpr std::size_t background_groups = 12;  ///< of over_background per compute unit

class GridRowsKernels : public TableKernels {
  public:
    GridRowsKernels(const SpotProblem& problem, LaunchContext& context)
        : TableKernels(problem, size_of(problem.type()),
                       context.info().compute_units * (context.info().type == "GPU" ? 1e9 : 1e7)),
          background_items_(context.info().compute_units * background_groups) {
        const auto defines = own_defines(problem, context);
        const auto kernel_x = static_cast<std::size_t>(problem.thresholds().kernel_x),
                   kernel_y = static_cast<std::size_t>(problem.thresholds().kernel_y);
        const std::size_t reach = std::min(kernel_x, kernel_y) - 1, step = 2 * reach + 1,
                          beside = (kernel_x + reach + chunk - 1) / chunk, lanes = number(defines, "LANES"),
                          across = lanes - 2 * beside;
        group_ = number(defines, "WG");
        band_rows_ = group_ / lanes * step;
        chunks_ = (shape_.width + chunk - 1) / chunk;
        grid_rows_ = (shape_.height + step - 1) / step;
        // four chunks are a word of bits
        tiles_ = (shape_.words() * 4 + across - 1) / across;
        background_items_ *= group_;
        masked_key_ = fmt::format("windows {} x {} of {}", kernel_x, kernel_y, mask_key(problem));
        masked_windows_ = context.kernel("masked_windows", defines);
        keep_ = context.kernel("keep", defines);
        over_background_ = context.kernel("over_background", defines);
    }

    std::uint64_t scratch_bytes() const override {
        return TableKernels::scratch_bytes() + 2 * sizeof(cl_uint) + shape_.bit_bytes() + chunk_count() +
               task_bytes();
    }
    void prepare(LaunchContext& context, const Buffer& ignore) override {
        TableKernels::prepare(context, ignore);
        kept_ = context.buffer(shape_.bit_bytes());
        tasks_ = context.buffer(task_bytes());
        numbers_ = context.uploaded<cl_uint>("upload numbers of tasks", std::vector<cl_uint>{0, 0});
        masked_ = context.device().find_resident(masked_key_);
        if (masked_ != nullptr) return;
        masked_ = context.device().keep_resident(masked_key_, context.buffer(chunk_count()));
        set_arguments(masked_windows_, ignore, *masked_, shape_argument(shape_));
        context.launch("masked windows", masked_windows_,
                       {(chunks_ + mask_group - 1) / mask_group * mask_group, grid_rows_, shape_.modules},
                       {mask_group, 1, 1}, {shape_.pixels() + chunk_count(), 0});
    }
    bool wants_cleared_bits() const override { return false; }
    std::string names() const override { return "keep, over_background"; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        const cl_uint4 shape = shape_argument(shape_);
        set_arguments(keep_, frame.images, frame.ignore, *masked_, kept_, frame.bits, tasks_, numbers_,
                      *table_, shape, which_);
        rows_.enqueue(context, "keep", keep_, tiles_ * group_, band_rows_, {group_, 1, 1},
                      {frame_bytes_, pixels_});
        set_arguments(over_background_, frame.images, frame.ignore, kept_, frame.bits, tasks_, numbers_,
                      *table_, shape, which_);
        context.launch("over_background", over_background_, {background_items_}, {group_},
                       {shape_.bit_bytes(), 0});
        which_ = 1 - which_;
    }

  private:
    std::uint64_t chunk_count() const { return shape_.modules * grid_rows_ * chunks_; }
    std::uint64_t task_bytes() const { return chunk_count() * sizeof(cl_uint); }

    std::size_t background_items_;
    cl_uint which_ = 0;  ///< index of the number of tasks, for this frame and the next one
    std::string masked_key_;
    std::size_t group_ = 0, band_rows_ = 0, chunks_ = 0, grid_rows_ = 0, tiles_ = 0;
    cl::Kernel masked_windows_, keep_, over_background_;
    Buffer kept_, tasks_, numbers_;
    std::shared_ptr<const Buffer> masked_;  ///< stays on the device with the mask
};

}  // namespace

std::unique_ptr<SignalKernels> make_grid_rows_kernels(const SpotProblem& problem, LaunchContext& context) {
    return std::make_unique<GridRowsKernels>(problem, context);
}

}  // namespace ks::gpu::spots
