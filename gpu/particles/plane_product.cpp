#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/particles/result.h"
#include "core/particles/scaling.h"
#include "core/run/stream_scheduler.h"
#include "gpu/particles/device_sources.h"
#include "gpu/particles/kernel_shape.h"
#include "gpu/particles/launch.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::particles {
namespace {

using namespace ks::particles;

/// Sums of RBF on planes: one vector of weights, quantity and part at a time, and whole rows of tiles at a
/// time. A slab is the sources with one vector of weights; a step sums them, for one row of the result, at
/// rows of tiles whose sums fit on the device at once.
template <class T>
class PlaneProduct : public StreamClient {
  public:
    PlaneProduct(const SumProblem& problem, LaunchContext& context)
        : problem_(problem),
          context_(context),
          scaling_(scaling_of(problem)),
          defines_(defines_of(problem, context, 1)),
          side_(problem.planes().side),
          group_(number(defines_, "WG")),
          rows_(number(defines_, "ROWS")),
          columns_(number(defines_, "COLUMNS")),
          tiles_((side_ + rows_ - 1) / rows_),
          slicer_(context, context.info().type == "GPU" ? 5e12 : 1e9) {}

    Result run() {
        const std::size_t targets = problem_.n_targets(), at_once = tile_rows_at_once();
        // Rows with targets of the problem; a part may omit some targets of the first and the last one.
        const std::size_t all = 3 * tiles_, begin = problem_.first_target();
        std::size_t from = 0, to = all;
        while (first_target(from + 1) <= begin) ++from;
        while (first_target(to - 1) >= begin + targets) --to;
        maximum_ = std::min(3 * side_ * side_, std::min(at_once, to - from) * rows_ * side_);
        values_ = context_.host_array(element_type_of<T>(), {problem_.n_rows(), targets});
        StreamPlan plan;
        plan.slabs.assign(problem_.n_vectors(), {});
        for (std::size_t row = 0; row < problem_.n_rows(); ++row)
            for (std::size_t tile = from; tile < to; tile += at_once) {
                const Step step{row, tile, std::min(to, tile + at_once)};
                const std::size_t count = first_target(step.end) - first_target(step.tile);
                steps_.push_back(step);
                plan.steps.push_back(
                    {{row / (problem_.quantities() * problem_.parts())}, static_cast<double>(count)});
            }
        run_stream(plan, context_.budget(), *this, context_.progress(), "sum");
        context_.finish();
        return to_result(problem_, values_, 0, context_.timings());
    }

    void prepare() override {
        places_ = context_.table("upload sides of the grid", pack_places<T>(problem_, scaling_, 0, 0));
        out_ = context_.buffer(maximum_ * sizeof(T));
        kernel_ = context_.kernel("product_sums", defines_);
    }

    void upload(std::size_t vector, std::size_t /*buffer*/) override {
        sources_.emplace(problem_, scaling_, Pass{vector, 1}, context_, others(maximum_));
    }

    void execute(std::size_t index) override { sum(steps_[index]); }

    void collect(std::size_t index) override {
        const Step& step = steps_[index];
        const std::size_t begin = problem_.first_target(), targets = problem_.n_targets(),
                          of_step = first_target(step.tile), first = std::max(of_step, begin),
                          end = std::min(first_target(step.end), begin + targets);
        context_.download("download sums", out_,
                          std::as_writable_bytes(values_.template as<T>().subspan(
                              step.row * targets + first - begin, end - first)),
                          (first - of_step) * sizeof(T));
    }

  private:
    struct Step {
        std::size_t row, tile, end;  ///< of the result; rows of tiles [tile, end)
    };
    std::uint64_t others(std::size_t targets) const { return (targets + 3 * side_ + 3) * sizeof(T); }
    /// Rows of tiles, counted over the three planes, whose sums fit the budget together with the sources.
    std::size_t tile_rows_at_once() const {
        const std::uint64_t fixed = DeviceSources<T>::bytes(problem_, {0, 1}) + others(0),
                            each = rows_ * side_ * sizeof(T), budget = context_.budget();
        if (fixed + each > budget)
            throw Error(ErrorKind::input,
                        std::to_string(problem_.n_sources()) + " sources need " +
                            std::to_string(fixed + each) + " bytes on the device, but " +
                            std::to_string(budget) + " are available",
                        "sources", "use a larger --memory-limit");
        return std::min<std::uint64_t>(
            {3 * tiles_, (budget - fixed) / each,
             std::max<std::uint64_t>(1, context_.info().largest_allocation / each)});
    }
    /// For a row of tiles.
    std::size_t first_target(std::size_t tile_row) const {
        return (tile_row / tiles_ * side_ + std::min(side_, tile_row % tiles_ * rows_)) * side_;
    }
    void sum(const Step& step) {
        // Constant: sums of launches are added in float, and must not depend on timing.
        // At least a row of tiles is summed at once, which is long on large planes. A kernel that is launched
        // as a whole is not divided any further.
        constexpr std::size_t most = std::size_t{1} << 20;
        const std::size_t usual =
            context_.launches_whole() ? most : sources_in_time(rows_ * side_, context_.info().type == "GPU");
        const std::size_t sources_a_launch = sources_of_launch(context_, usual);
        const std::size_t n = problem_.n_sources(), first = first_target(step.tile),
                          total = first_target(step.end) - first, part = step.row % problem_.parts(),
                          quantity = step.row / problem_.parts() % problem_.quantities();
        const double slope = quantity == 0 ? 1 : scaling_.slope;
        const auto axis = static_cast<cl_uint>(quantity == 0 ? 3 : quantity - 1);
        const std::size_t across = (side_ + columns_ - 1) / columns_ * group_;
        for (std::size_t from = step.tile; from < step.end;) {
            const double of_tile_row =
                static_cast<double>(rows_ * side_) * static_cast<double>(std::min(n, sources_a_launch));
            const auto fit = static_cast<std::size_t>(std::min(slicer_.units() / of_tile_row, 1e9));
            const std::size_t some = std::min(step.end - from, std::max<std::size_t>(1, fit));
            for (std::size_t begin = 0; begin < n; begin += sources_a_launch) {
                const std::size_t stop = std::min(n, begin + sources_a_launch);
                set_arguments(
                    kernel_, sources_->xyzw(), sources_->more(), *places_, out_, static_cast<cl_uint>(side_),
                    static_cast<cl_uint>(first), static_cast<cl_uint>(total), static_cast<cl_uint>(begin),
                    static_cast<cl_uint>(stop), static_cast<cl_uint>(part), axis, static_cast<T>(slope));
                const std::uint64_t pairs = (first_target(from + some) - first_target(from)) * (stop - begin);
                const cl::Event event =
                    context_.launch("sum", kernel_, cl::NDRange(across, some), cl::NDRange(group_, 1),
                                    {0, pairs}, cl::NDRange(0, from));
                if (from + some == step.end && n <= sources_a_launch) continue;
                event.wait();
                slicer_.took(static_cast<double>(pairs), duration(event));
            }
            from += some;
        }
    }

    const SumProblem& problem_;
    LaunchContext& context_;
    Scaling scaling_;
    Defines defines_;
    std::size_t side_, group_, rows_, columns_;
    std::size_t tiles_;  ///< along a column of a plane
    Slicer slicer_;
    std::vector<Step> steps_;
    std::size_t maximum_ = 0;  ///< targets per step
    cl::Kernel kernel_;
    std::optional<DeviceSources<T>> sources_;
    std::shared_ptr<const Buffer> places_;
    Buffer out_;
    Array values_;
};

}  // namespace

Result launch_plane_product(const SumProblem& problem, LaunchContext& context) {
    require_able(problem, context, {});
    return problem.settings().precision == Precision::f32 ? PlaneProduct<float>(problem, context).run()
                                                          : PlaneProduct<double>(problem, context).run();
}

}  // namespace ks::gpu::particles
