#include "gpu/particles/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/stopwatch.h"
#include "core/particles/cells.h"
#include "core/particles/result.h"
#include "core/particles/scaling.h"
#include "core/run/stream_scheduler.h"
#include "gpu/particles/device_sources.h"

namespace ks::gpu::particles {
namespace {

using namespace ks::particles;

/// Sources per launch. Constant: sums of launches are added in float, and must not depend on timing.
constexpr std::size_t usual_sources = std::size_t{1} << 16;

/// Key that distinguishes the rates of kernels.
std::string rate_key(const LaunchContext& context, const Defines& defines) {
    std::uint64_t key = hash_of(context.request().kernel_source, hash_of(context.variant().id));
    for (const auto& [name, value] : defines) key = hash_of(value, hash_of(name, key));
    return "pairs a second " + hash_text(key);
}

/// Initial estimate of pairs per second: the rate the same kernel reached before, or a guess; corrected from
/// the measured time of launches.
double first_rate(const SumKernel& kernel, const SumProblem& problem, LaunchContext& context,
                  const std::string& key) {
    if (const std::size_t known = context.device().seen_before(key)) return static_cast<double>(known);
    double rate = kernel.rate(context.info());
    if (problem.settings().kernel == Kernel::helmholtz) rate /= 4;
    if (problem.settings().precision == Precision::f64) rate /= 4;
    if (problem.settings().gradient) rate /= 2;
    return rate;
}

/// Data that a run keeps on the device, and its kernel. A slab is the sources with the weights of a pass; a
/// step sums them at targets whose sums fit on the device at once.
template <class T>
class DeviceSums : public StreamClient {
  public:
    DeviceSums(const SumKernel& kernel, const SumProblem& problem, LaunchContext& context)
        : of_variant_(kernel),
          problem_(problem),
          context_(context),
          passes_(passes_of(kernel, problem)),
          scaling_(scaling_of(problem)),
          defines_(defines_of(kernel, problem, context, passes_.front().vectors)),
          rate_key_(rate_key(context, defines_)),
          slicer_(context, first_rate(kernel, problem, context, rate_key_)),
          sources_a_launch_(sources_of_launch(context, usual_sources)) {
        require_able(problem, context, defines_);
        shape_ = shape_of(kernel, context, defines_, problem.settings().precision);
        if (problem.first_target() % shape_.targets != 0)
            throw Error(ErrorKind::input,
                        fmt::format("its groups of {} targets do not match the parts into which a run on "
                                    "several devices is divided",
                                    shape_.targets),
                        context.variant().id, "choose other definitions, or one device");
        count_of_grid_ = problem.on_planes() ? 3 * problem.planes().side + 3
                         : problem.on_grid() ? 3 * problem.grid().side
                                             : 0;
    }

    Result run() {
        const Array values = sums();
        return to_result(problem_, values, skipped_pairs_, context_.timings());
    }

    std::uint64_t skipped_pairs() const { return skipped_pairs_; }

    /// f32 or f64 [row][target], with all timings recorded.
    Array sums() {
        const std::size_t targets = problem_.n_targets();
        at_once_ = targets_at_once();
        values_ = context_.host_array(element_type_of<T>(), {problem_.n_rows(), targets});
        StreamPlan plan;
        for (std::size_t pass = 0; pass < passes_.size(); ++pass) {
            plan.slabs.push_back({});
            for (std::size_t first = 0; first < targets; first += at_once_) {
                const std::size_t count = std::min(at_once_, targets - first);
                plan.steps.push_back({{pass}, static_cast<double>(count)});
                steps_.push_back({pass, first, count});
            }
        }
        run_stream(plan, context_.budget(), *this, context_.progress(), "sum");
        context_.finish();
        context_.device().has_seen(rate_key_, static_cast<std::size_t>(slicer_.rate()));
        return std::move(values_);
    }

    /// The sources of a pass replace the previous ones, which may stay for the next run.
    void upload(std::size_t pass, std::size_t /*buffer*/) override {
        kernel_ = context_.kernel(shape_.entry_point,
                                  defines_of(of_variant_, problem_, context_, passes_[pass].vectors));
        sources_.emplace(problem_, scaling_, passes_[pass], context_, bytes_beside_sources(at_once_));
        skipped_ = context_.zeros(2 * sizeof(cl_uint));
        if (!out_) out_ = context_.buffer(at_once_ * rows_of(passes_[pass]) * sizeof(T));
    }

    void execute(std::size_t index) override {
        const Step& step = steps_[index];
        place(step.first, step.count);
        sum(step);
    }

    void collect(std::size_t index) override {
        const Step& step = steps_[index];
        const Pass& pass = passes_[step.pass];
        const std::size_t targets = problem_.n_targets();
        std::vector<LaunchContext::Read> reads;
        reads.reserve(rows_of(pass) + 1);
        for (std::size_t row = 0; row < rows_of(pass); ++row) {
            const std::size_t to = rows_of({0, pass.first}) + row;
            reads.push_back({out_,
                             std::as_writable_bytes(
                                 values_.template as<T>().subspan(to * targets + step.first, step.count)),
                             row * step.count * sizeof(T)});
        }
        // Every pass has the same pairs.
        const bool counts = step.pass == 0 && step.first + step.count == targets;
        std::array<cl_uint, 2> counted{};
        if (counts) reads.push_back({skipped_, std::as_writable_bytes(std::span(counted))});
        context_.download("download sums", reads);
        if (counts) skipped_pairs_ = std::uint64_t{counted[1]} << 32 | counted[0];
    }

  private:
    struct Step {
        std::size_t pass, first, count;  ///< targets [first, first + count)
    };
    std::size_t rows_of(const Pass& pass) const {
        return pass.vectors * problem_.quantities() * problem_.parts();
    }
    std::uint64_t bytes_beside_sources(std::size_t targets) const {
        const std::size_t of_points = problem_.on_planes() || problem_.on_grid() ? 0 : 3;
        return (targets * (rows_of(passes_.front()) + of_points) + count_of_grid_) * sizeof(T) + 64;
    }

    /// Targets that fit the budget together with the sources of any pass.
    std::size_t targets_at_once() const {
        const std::uint64_t sources = DeviceSources<T>::bytes(problem_, passes_.front());
        const std::uint64_t fixed = sources + bytes_beside_sources(0),
                            each = bytes_beside_sources(1) - bytes_beside_sources(0);
        const std::uint64_t budget = context_.budget(), largest = context_.info().largest_allocation;
        if (fixed + shape_.targets * each > budget || sources > largest)
            throw Error(
                ErrorKind::input,
                fmt::format("{} sources need {} bytes on the device, but {} are available",
                            problem_.n_sources(), fixed + shape_.targets * each, std::min(budget, largest)),
                "sources", "use a larger --memory-limit");
        const std::uint64_t fit = std::min((budget - fixed) / each, largest / each);
        // Whole groups: how a work-item sums a target may depend on its position in the group.
        const std::uint64_t whole = std::max<std::uint64_t>(1, fit / shape_.targets) * shape_.targets;
        return std::min<std::uint64_t>(problem_.n_targets(), whole);
    }

    /// Uploads the coordinates of targets [first, first + count); for grids only those along the sides.
    void place(std::size_t first, std::size_t count) {
        const bool grid = count_of_grid_ > 0;
        if (places_ && (grid || (first == placed_ && count == problem_.n_targets()))) return;
        places_.reset();
        const std::vector<T> places = pack_places<T>(problem_, scaling_, first, count);
        places_ = grid ? context_.table("upload sides of the grid", places)
                       : std::make_shared<const Buffer>(
                             context_.uploaded<T>("upload targets", std::span<const T>(places)));
        placed_ = first;
    }

    /// All sources at the targets of a step, whose sums are then in out_.
    void sum(const Step& step) {
        const std::size_t first = step.first, count = step.count;
        const bool grid = count_of_grid_ > 0;
        const std::size_t sources = problem_.n_sources(),
                          groups = (count + shape_.targets - 1) / shape_.targets;
        const auto stride = static_cast<cl_uint>(problem_.on_planes() ? problem_.planes().side
                                                 : grid               ? problem_.grid().side
                                                                      : count);
        for (std::size_t from = 0; from < groups;) {
            // The remainder in launches of equal size: a small last one would leave most of a device idle.
            const std::size_t launches = (groups - from + groups_of_a_launch() - 1) / groups_of_a_launch();
            const std::size_t some = (groups - from + launches - 1) / launches;
            for (std::size_t begin = 0; begin < sources; begin += sources_a_launch_) {
                const std::size_t end = std::min(sources, begin + sources_a_launch_);
                set_arguments(kernel_, sources_->xyzw(), sources_->more(), *places_, out_, skipped_, stride,
                              static_cast<cl_uint>(grid ? problem_.first_target() + first : 0),
                              static_cast<cl_uint>(count), static_cast<cl_uint>(begin),
                              static_cast<cl_uint>(end), static_cast<T>(scaling_.turns));
                if (rows_of(passes_[step.pass]) > problem_.parts()) {
                    kernel_.setArg(11, static_cast<T>(2 * std::numbers::pi * scaling_.turns));
                    kernel_.setArg(12, static_cast<T>(scaling_.slope));
                }
                const std::uint64_t pairs =
                    (std::min(count, (from + some) * shape_.targets) - from * shape_.targets) * (end - begin);
                // A group reads each source once; targets are read, and their sums written.
                const std::uint64_t bytes =
                    some * (DeviceSources<T>::bytes(problem_, passes_[step.pass]) / sources) * (end - begin) +
                    pairs / (end - begin) * (3 + rows_of(passes_[step.pass])) * sizeof(T);
                const cl::Event event = context_.launch("sum", kernel_, shape_.range(some), shape_.local,
                                                        {bytes, pairs}, shape_.offset(from));
                if (some == groups && sources <= sources_a_launch_) continue;
                event.wait();
                slicer_.took(static_cast<double>(pairs), duration(event));
            }
            from += some;
            const double part = static_cast<double>(first + std::min(count, from * shape_.targets)) /
                                static_cast<double>(problem_.n_targets());
            context_.progress().report(
                (static_cast<double>(step.pass) + part) / static_cast<double>(passes_.size()), "sum");
        }
    }

    /// As many as the time allows, but enough to keep the device busy.
    std::size_t groups_of_a_launch() const {
        const auto sources = static_cast<double>(std::min(problem_.n_sources(), sources_a_launch_));
        const double fit = slicer_.units() / (sources * static_cast<double>(shape_.targets));
        const std::size_t busy =
            std::size_t{context_.info().compute_units} * (context_.info().type == "GPU" ? 4 : 1);
        return std::max(busy, static_cast<std::size_t>(std::min(fit, 1e9)));
    }

    SumKernel of_variant_;
    const SumProblem& problem_;
    LaunchContext& context_;
    std::vector<Pass> passes_;  ///< the first has the most vectors
    std::vector<Step> steps_;
    std::size_t at_once_ = 0;  ///< maximum targets per step
    Scaling scaling_;
    Defines defines_;
    std::string rate_key_;
    KernelShape shape_;
    Slicer slicer_;
    std::size_t sources_a_launch_;
    std::size_t count_of_grid_ = 0;  ///< coordinates from which targets on planes or in a cube are formed
    std::uint64_t skipped_pairs_ = 0;
    std::size_t placed_ = 0;  ///< first target of places_
    cl::Kernel kernel_;
    std::optional<DeviceSources<T>> sources_;
    std::shared_ptr<const Buffer> places_;
    Buffer out_, skipped_;
    Array values_;
};

}  // namespace

Result launch_sums(const SumKernel& kernel, const SumProblem& problem, LaunchContext& context) {
    return problem.settings().precision == Precision::f32
               ? DeviceSums<float>(kernel, problem, context).run()
               : DeviceSums<double>(kernel, problem, context).run();
}

Result launch_source_cells(const SumKernel& kernel, const SumProblem& problem, LaunchContext& context) {
    // Compact groups matter only if nearby cells are summed in a different way.
    if (problem.on_planes() || problem.on_grid() || problem.settings().kernel != Kernel::laplace)
        return launch_sums(kernel, problem, context);
    require_whole(problem, context.variant().id, "it sorts all targets");
    Stopwatch watch;
    const std::vector<std::uint32_t> order = spatial_order(problem.points());
    SumProblem sorted(problem.shared_sources(),
                      std::make_shared<PointSet>(reordered(problem.points(), order)), problem.settings());
    sorted.sources_key = problem.sources_key;
    add(context.timings(), {"sort targets", StageKind::host, watch.lap()});
    DeviceSums<float> sums(kernel, sorted, context);
    const Array values = sums.sums();
    watch.lap();
    Array back(ElementType::f32, values.shape());
    for (std::size_t i = 0; i < order.size(); ++i) back.as<float>()[order[i]] = values.as<float>()[i];
    add(context.timings(), {"sort back", StageKind::host, watch.lap()});
    return to_result(problem, back, sums.skipped_pairs(), context.timings());
}

}  // namespace ks::gpu::particles
