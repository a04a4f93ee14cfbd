#include <fmt/format.h>

#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/frame_room.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

constexpr std::size_t chunk = 8;  ///< pixels that are loaded at once
constexpr std::size_t mask_group = 64;

class PackedKernels : public TableKernels {
  public:
    PackedKernels(const SpotProblem& problem, LaunchContext& context)
        : TableKernels(problem, size_of(problem.type()),
                       context.info().compute_units * (context.info().type == "GPU" ? 1e9 : 1e7)) {
        auto defines = own_defines(problem, context);
        defines.emplace("PTX", compares_pairs(context) ? "1" : "0");
        group_ = number(defines, "WG");
        across_ = number(defines, "ACROSS");
        tile_rows_ = group_ / across_ * number(defines, "RUN");
        tiles_ = (shape_.width + across_ * chunk - 1) / (across_ * chunk);
        mask_rows_ = shape_.height + 2 * static_cast<std::size_t>(problem.thresholds().kernel_y);
        mask_key_ = fmt::format("{} in tiles of {} with {} rows more", mask_key(problem), across_,
                                problem.thresholds().kernel_y);
        masked_chunks_ = context.kernel("masked_chunks", defines);
        find_ = context.kernel("find_in_tiles", defines);
    }

    std::uint64_t scratch_bytes() const override { return TableKernels::scratch_bytes() + mask_bytes(); }
    void prepare(LaunchContext& context, const Buffer& ignore) override {
        TableKernels::prepare(context, ignore);
        if ((masked_ = context.device().find_resident(mask_key_)) != nullptr) return;
        Buffer masked = context.buffer(mask_bytes());
        set_arguments(masked_chunks_, ignore, masked, shape_argument(shape_));
        context.launch("masked chunks", masked_chunks_,
                       {rounded_up(mask_rows_, mask_group), tiles_, shape_.modules}, {mask_group, 1, 1},
                       {shape_.pixels() + mask_bytes(), 0});
        masked_ = context.device().keep_resident(mask_key_, std::move(masked));
    }
    bool wants_cleared_bits() const override { return false; }
    std::string names() const override { return "find_in_tiles"; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        set_arguments(find_, frame.images, frame.ignore, *masked_, frame.bits, *table_,
                      shape_argument(shape_));
        rows_.enqueue(context, "find_in_tiles", find_, tiles_ * group_, tile_rows_, {group_, 1, 1},
                      {frame_bytes_, pixels_});
    }

  private:
    std::uint64_t mask_bytes() const { return shape_.modules * tiles_ * mask_rows_ * sizeof(std::uint32_t); }

    std::size_t group_ = 0, across_ = 0, tile_rows_ = 0, tiles_ = 0, mask_rows_ = 0;
    cl::Kernel masked_chunks_, find_;
    std::string mask_key_;
    std::shared_ptr<const Buffer> masked_;  ///< stays on the device as long as the mask does
};

}  // namespace

std::unique_ptr<SignalKernels> make_packed_kernels(const SpotProblem& problem, LaunchContext& context) {
    return std::make_unique<PackedKernels>(problem, context);
}

}  // namespace ks::gpu::spots
