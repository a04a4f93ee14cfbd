#include <fmt/format.h>

#include <algorithm>

#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/frame_room.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

constexpr std::size_t chunk = 8;            ///< pixels that are loaded at once
constexpr std::size_t max_chunk_rows = 30;  ///< one bit each, and two for all

class ScreenedKernels : public TableKernels {
  public:
    ScreenedKernels(const SpotProblem& problem, LaunchContext& context)
        : TableKernels(problem, size_of(problem.type()),
                       context.info().compute_units * (context.info().type == "GPU" ? 1e9 : 1e7)) {
        auto defines = own_defines(problem, context);
        const bool ptx = compares_pairs(context);
        defines.emplace("PTX", ptx ? "1" : "0");
        defines.emplace("MODULES", std::to_string(shape_.modules));
        frames_at_once_ = number(defines, "FRAMES");
        defines.erase("FRAMES");
        defines.emplace("SRC_BYTES", std::to_string(size_of(problem.type())));
        if (ptx)
            defines.emplace("PITCH", std::to_string(shape_.pitch()));
        else
            defines.erase("MAX_REGISTERS");  // an option of NVIDIA's compiler
        const auto above = static_cast<std::size_t>(problem.thresholds().kernel_y), depth = 2 * above + 1;
        const std::size_t rows = std::min(number(defines, "RUN") + 2 * above, max_chunk_rows) / depth * depth;
        const std::size_t run = std::max(rows, depth) - 2 * above;
        defines.insert_or_assign("RUN", std::to_string(run));
        group_ = number(defines, "WG");
        across_ = number(defines, "ACROSS");
        tile_rows_ = group_ / across_ * run;
        tiles_ = (shape_.width + across_ * chunk - 1) / (across_ * chunk);
        strips_ = (shape_.height + tile_rows_ - 1) / tile_rows_ * (group_ / across_);
        mask_key_ = fmt::format("{} for windows of {} x {} in {} strips of {} rows and {} chunks",
                                mask_key(problem), problem.thresholds().kernel_x,
                                problem.thresholds().kernel_y, strips_, run, tiles_ * across_);
        masked_windows_ = context.kernel("masked_windows", defines);
        find_ = context.kernel("screen_tiles", defines);
    }

    std::uint64_t scratch_bytes() const override {
        return TableKernels::scratch_bytes() + mask_bytes() + shape_.pixels();
    }
    void prepare(LaunchContext& context, const Buffer& ignore) override {
        TableKernels::prepare(context, ignore);
        const std::string valid_key = mask_key_ + ", numbers";
        masked_ = context.device().find_resident(mask_key_);
        valid_ = context.device().find_resident(valid_key);
        if (masked_ != nullptr && valid_ != nullptr) return;
        Buffer masked = context.buffer(mask_bytes()), valid = context.buffer(shape_.pixels());
        set_arguments(masked_windows_, ignore, masked, valid, shape_argument(shape_));
        context.launch("masked windows", masked_windows_, {tiles_ * across_, strips_, shape_.modules},
                       {across_, 1, 1}, {shape_.pixels() + mask_bytes(), 0});
        masked_ = context.device().keep_resident(mask_key_, std::move(masked));
        valid_ = context.device().keep_resident(valid_key, std::move(valid));
    }
    bool wants_cleared_bits() const override { return false; }
    std::string names() const override { return "screen_tiles"; }
    std::size_t frames_at_once() const override { return frames_at_once_; }

    void enqueue(LaunchContext& context, const FrameOnDevice& frame) override {
        set_arguments(find_, frame.images, frame.ignore, *masked_, *valid_, frame.bits, *table_,
                      shape_argument(shape_));
        rows_.enqueue(context, "screen_tiles", find_, tiles_ * group_, tile_rows_, {group_, 1, 1},
                      {frame_bytes_, pixels_}, frame.frames);
    }

  private:
    std::uint64_t mask_bytes() const {
        return shape_.modules * strips_ * tiles_ * across_ * sizeof(std::uint32_t);
    }

    std::size_t group_ = 0, across_ = 0, tile_rows_ = 0, tiles_ = 0, strips_ = 0, frames_at_once_ = 1;
    cl::Kernel masked_windows_, find_;
    std::string mask_key_;
    std::shared_ptr<const Buffer> masked_, valid_;  ///< stay on the device as long as the mask does
};

}  // namespace

std::unique_ptr<SignalKernels> make_screened_kernels(const SpotProblem& problem, LaunchContext& context) {
    return std::make_unique<ScreenedKernels>(problem, context);
}

}  // namespace ks::gpu::spots
