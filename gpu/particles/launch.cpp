#include "gpu/particles/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/particles/result.h"
#include "core/particles/scaling.h"
#include "core/run/error.h"
#include "core/run/stopwatch.h"
#include "gpu/particles/tuning.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::particles {
namespace {

using namespace ks::particles;

/// Sources of one launch. Always the same: sums of launches are added in float, and must not depend on
/// timing.
constexpr std::size_t sources_a_launch = std::size_t{1} << 18;

/// How a variant's kernel is launched.
struct Shape {
    std::string entry_point;
    cl::NDRange local;
    std::size_t group = 1;    ///< work-items along dimension 0
    std::size_t targets = 1;  ///< of a group
    std::size_t across = 0;   ///< work-items along dimension 1; 0: there is none

    cl::NDRange range(std::size_t groups) const {
        return across == 0 ? cl::NDRange(groups * group) : cl::NDRange(groups * group, across);
    }
    cl::NDRange offset(std::size_t groups) const {
        return across == 0 ? cl::NDRange(groups * group) : cl::NDRange(groups * group, 0);
    }
};

using Defines = std::map<std::string, std::string>;

Shape shape_of(const LaunchContext& context, const Defines& defines, Precision precision) {
    const std::string& id = context.variant().id;
    Shape shape;
    shape.entry_point = context.variant().entry_points.front();
    if (id == "seed.block") {
        shape.group = shape.targets = number(defines, "TARGETS");
        shape.across = number(defines, "SOURCES");
        shape.local = cl::NDRange(shape.group, shape.across);
        return shape;
    }
    shape.group = number(defines, "WG");
    shape.local = cl::NDRange(shape.group);
    if (id == "vector.cpu")
        shape.targets = shape.group * number(defines, "BLOCKS") * (precision == Precision::f32 ? 16 : 8);
    else
        shape.targets = shape.group * (id == "target.tiled" ? 1 : number(defines, "ITEMS"));
    return shape;
}

Defines defines_of(const SumProblem& problem, const LaunchContext& context) {
    const bool single = problem.settings().precision == Precision::f32;
    Defines defines = tuned_defines(context, tuning_table(), single ? ElementType::f32 : ElementType::f64);
    if (context.variant().id == "seed.block") {
        // As published where they are few: just as many rows of work-items as there are sources.
        const std::size_t most = number(defines, "SOURCES");
        defines["SOURCES"] = std::to_string(std::min(most, problem.n_sources()));
    }
    const auto set = [&defines](const char* name, std::string value) {
        defines.insert_or_assign(name, std::move(value));
    };
    set("REAL", single ? "float" : "double");
    set("REAL4", single ? "float4" : "double4");
    set("INT", single ? "int" : "long");
    if (!single) set("DOUBLES", std::to_string(1));
    set("KERNEL", std::to_string(static_cast<int>(problem.settings().kernel)));
    set("COMPLEX_WEIGHTS", std::to_string(int{problem.sources().is_complex()}));
    set("PLANES", std::to_string(int{problem.on_planes()}));
    return defines;
}

void require_precision(const SumProblem& problem, const LaunchContext& context, const Defines& defines) {
    const bool single = problem.settings().precision == Precision::f32;
    const std::string& id = context.variant().id;
    if (!single && (id == "mixed" || id == "exp.poly"))
        throw Error(ErrorKind::input,
                    fmt::format("{} has float products: expected precision f32, found f64", id), "precision",
                    "choose another variant");
    const auto mixed = defines.find("MIXED");
    if ((!single || (mixed != defines.end() && mixed->second == "2")) && !context.info().fp64)
        throw Error(ErrorKind::input, fmt::format("{} has no double precision", context.info().name),
                    "precision");
}

/// Pairs a second to begin with; what launches take corrects it.
double rate_guess(const SumProblem& problem, const LaunchContext& context) {
    const bool vectors = context.variant().id == "vector.cpu";
    double rate = context.info().type == "GPU" ? 5e11 : vectors ? 2e9 : 2e8;
    if (problem.settings().kernel == Kernel::helmholtz) rate /= 4;
    if (problem.settings().precision == Precision::f64) rate /= 4;
    return rate;
}

/// What a run keeps on the device, and its kernel.
template <class T>
class DeviceSums {
  public:
    DeviceSums(const SumProblem& problem, LaunchContext& context)
        : problem_(problem),
          context_(context),
          defines_(defines_of(problem, context)),
          shape_(shape_of(context, defines_, problem.settings().precision)),
          slicer_(rate_guess(problem, context)) {
        require_precision(problem, context, defines_);
    }

    Result run() {
        Stopwatch watch;
        const Scaling scaling = scaling_of(problem_);
        turns_ = static_cast<T>(scaling.turns);
        const std::size_t targets = problem_.n_targets(), parts = problem_.is_complex() ? 2 : 1;
        const PackedSources<T> packed = pack_sources<T>(problem_, scaling, 0, 1);
        std::vector<T> places;
        if (problem_.on_planes()) places = pack_places<T>(problem_, scaling, 0, 0);
        Array values(element_type_of<T>(), {parts, targets});
        add(context_.timings(), {"prepare", StageKind::host, watch.lap()});

        const std::size_t at_once = targets_at_once(packed, places.size());
        kernel_ = context_.kernel(shape_.entry_point, defines_);
        sources_ = context_.uploaded<T>("upload sources", packed.xyzw);
        if (!packed.more.empty()) weights_im_ = context_.uploaded<T>("upload sources", packed.more);
        skipped_ = context_.zeros(2 * sizeof(cl_uint));
        if (problem_.on_planes()) places_ = context_.uploaded<T>("upload sides of the planes", places);
        out_ = context_.buffer(at_once * parts * sizeof(T));
        for (std::size_t first = 0; first < targets; first += at_once) {
            const std::size_t count = std::min(at_once, targets - first);
            if (!problem_.on_planes()) {
                places_ = Buffer();
                places_ =
                    context_.uploaded<T>("upload targets", pack_places<T>(problem_, scaling, first, count));
            }
            sum(first, count);
            for (std::size_t part = 0; part < parts; ++part)
                context_.download(
                    "download sums", out_,
                    std::as_writable_bytes(values.as<T>().subspan(part * targets + first, count)),
                    part * count * sizeof(T));
        }
        const auto skipped = context_.downloaded<cl_uint>("download sums", skipped_, 2);
        context_.finish();
        return to_result(problem_, values, std::uint64_t{skipped[1]} << 32 | skipped[0], context_.timings());
    }

  private:
    /// Targets that fit the budget beside the sources.
    std::size_t targets_at_once(const PackedSources<T>& packed, std::size_t places) const {
        const std::uint64_t fixed = (packed.xyzw.size() + packed.more.size() + places) * sizeof(T) + 64;
        const std::uint64_t each =
            ((problem_.is_complex() ? 2 : 1) + (problem_.on_planes() ? 0 : 3)) * sizeof(T);
        const std::uint64_t budget = context_.budget(), largest = context_.info().largest_allocation;
        if (fixed + shape_.targets * each > budget || packed.xyzw.size() * sizeof(T) > largest)
            throw Error(
                ErrorKind::input,
                fmt::format("{} sources need {} bytes on the device, {} are to be had", problem_.n_sources(),
                            fixed + shape_.targets * each, std::min(budget, largest)),
                "sources", "give a larger --memory-limit");
        const std::uint64_t fit = std::min((budget - fixed) / each, largest / (3 * sizeof(T)));
        // Whole groups: what a work-item does with a target may depend on its place in the group.
        const std::uint64_t whole = std::max<std::uint64_t>(1, fit / shape_.targets) * shape_.targets;
        return std::min<std::uint64_t>(problem_.n_targets(), whole);
    }

    /// All sources at targets [first, first + count), whose sums lie in out_ then.
    void sum(std::size_t first, std::size_t count) {
        const std::size_t sources = problem_.n_sources(),
                          groups = (count + shape_.targets - 1) / shape_.targets;
        const auto stride = static_cast<cl_uint>(problem_.on_planes() ? problem_.planes().side : count);
        for (std::size_t from = 0; from < groups;) {
            const std::size_t some = std::min(groups - from, groups_of_a_launch());
            for (std::size_t begin = 0; begin < sources; begin += sources_a_launch) {
                const std::size_t end = std::min(sources, begin + sources_a_launch);
                set_arguments(kernel_, sources_, weights_im_ ? weights_im_ : sources_, places_, out_,
                              skipped_, stride, static_cast<cl_uint>(problem_.on_planes() ? first : 0),
                              static_cast<cl_uint>(count), static_cast<cl_uint>(begin),
                              static_cast<cl_uint>(end), turns_);
                const std::uint64_t pairs =
                    (std::min(count, (from + some) * shape_.targets) - from * shape_.targets) * (end - begin);
                const cl::Event event = context_.launch("sum", kernel_, shape_.range(some), shape_.local,
                                                        {0, pairs}, shape_.offset(from));
                if (some == groups && sources <= sources_a_launch) continue;
                event.wait();
                slicer_.took(static_cast<double>(pairs), duration(event));
            }
            from += some;
            context_.progress().report(static_cast<double>(first + std::min(count, from * shape_.targets)) /
                                           static_cast<double>(problem_.n_targets()),
                                       "sum");
        }
    }

    /// As many as the time allows, but enough to keep the device busy.
    std::size_t groups_of_a_launch() const {
        const auto sources = static_cast<double>(std::min(problem_.n_sources(), sources_a_launch));
        const double fit = slicer_.units() / (sources * static_cast<double>(shape_.targets));
        const std::size_t busy =
            std::size_t{context_.info().compute_units} * (context_.info().type == "GPU" ? 4 : 1);
        return std::max(busy, static_cast<std::size_t>(std::min(fit, 1e9)));
    }

    const SumProblem& problem_;
    LaunchContext& context_;
    Defines defines_;
    Shape shape_;
    Slicer slicer_;
    T turns_ = 0;
    cl::Kernel kernel_;
    Buffer sources_, weights_im_, places_, out_, skipped_;
};

}  // namespace

Result launch_sums(const Problem& any, LaunchContext& context) {
    const auto& problem = dynamic_cast<const SumProblem&>(any);
    if (problem.n_vectors() * problem.quantities() > 1 || problem.on_grid())
        throw Error(ErrorKind::input,
                    "this variant sums one vector of weights without gradients, on planes or at points",
                    context.variant().id, "choose host.vector");
    return problem.settings().precision == Precision::f32 ? DeviceSums<float>(problem, context).run()
                                                          : DeviceSums<double>(problem, context).run();
}

}  // namespace ks::gpu::particles
