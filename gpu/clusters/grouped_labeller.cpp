#include <algorithm>
#include <bit>

#include "core/base/error.h"
#include "gpu/clusters/general_path.h"
#include "gpu/clusters/grouping.h"
#include "gpu/clusters/labellers.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::clusters {
namespace {

constexpr std::size_t words_per_digi = 4;  ///< of local memory: pixel, parent and two more

/// One build of cluster_modules: for modules of at most `most` digis, by groups of `group` items.
struct ModuleKernel {
    std::size_t group = 0, maximum = 0;
    cl::Kernel kernel;
};

class GroupedLabeller : public Labeller {
  public:
    GroupedLabeller(const ClusterProblem& problem, LaunchContext& context)
        : problem_(problem),
          defines_(tuned_defines(context, ElementType::u16)),
          limit_(allowed_limit(context)),
          grouping_(context),
          general_(problem, limit_, context) {
        const std::size_t small = std::min(number(defines_, "SMALL"), limit_);
        small_ = build(context, number(defines_, "WG"), small, false);
        if (problem.shared()->largest_slot() > small)
            large_ = build(context, number(defines_, "LARGE_WG"), limit_, true);
    }

    ScratchNeeds needs() const override {
        const ScratchNeeds one = Grouping::needs(), other = general_.needs();
        return {one.per_row + other.per_row, one.per_slot + other.per_slot};
    }
    void prepare(LaunchContext& context, const std::vector<Chunk>& chunks) override {
        grouping_.prepare(context, chunks);
        general_.prepare(context, chunks);
    }
    std::size_t limit() const override { return limit_; }

    void enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis) override {
        grouping_.enqueue(context, chunk, digis, small_.maximum, limit_);
        launch(context, chunk, digis, "cluster_small_modules", small_, chunk.slots);
        if (large_.maximum != 0)
            launch(context, chunk, digis, "cluster_large_modules", large_, large_slots(chunk));
        general_.enqueue(context, chunk, digis, grouping_.counts());
    }

  private:
    /// A power of two that leaves room in local memory.
    std::size_t allowed_limit(const LaunchContext& context) const {
        const std::size_t fits = context.info().local_bytes / (words_per_digi * sizeof(cl_uint)) - 8;
        return std::min(std::bit_floor(number(defines_, "LIMIT")), std::bit_floor(fits));
    }

    ModuleKernel build(LaunchContext& context, std::size_t group, std::size_t maximum, bool listed) const {
        auto defines = defines_;
        for (const char* name : {"SMALL", "LARGE_WG", "LIMIT"}) defines.erase(name);
        defines.merge(problem_defines(problem_));
        defines["WG"] = std::to_string(std::min(group, context.info().largest_work_group));
        defines["CAP"] = std::to_string(maximum);
        defines["LISTED"] = std::to_string(listed ? 1 : 0);
        return {number(defines, "WG"), maximum, context.kernel("cluster_modules", defines)};
    }

    /// Number of modules of the chunk that the second kernel gets, from which the
    /// number of its groups follows.
    std::size_t large_slots(const Chunk& chunk) const {
        const auto slots = std::span(problem_.shared()->slot_digis()).subspan(chunk.first_slot, chunk.slots);
        return static_cast<std::size_t>(std::ranges::count_if(
            slots, [this](std::uint32_t n) { return n > small_.maximum && n <= limit_; }));
    }

    void launch(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis, const char* stage,
                ModuleKernel& built, std::size_t modules) {
        if (modules == 0) return;
        const std::size_t groups =
            std::min<std::size_t>(modules, std::size_t{64} * std::max(context.info().compute_units, 1U));
        set_arguments(built.kernel, grouping_.grouped(), grouping_.starts(), grouping_.counts(),
                      grouping_.listed(), grouping_.totals(), digis.adc(), digis.cuts(), digis.labels(),
                      static_cast<cl_uint>(chunk.slots), static_cast<cl_uint>(chunk.first_slot),
                      static_cast<cl_uint>(chunk.first_row), digis.cut_count(),
                      std::max(problem_.extent_y(), 1U));
        context.launch(stage, built.kernel, {groups * built.group}, {built.group}, {chunk.rows * 12, 0});
    }

    const ClusterProblem& problem_;
    std::map<std::string, std::string> defines_;
    std::size_t limit_;
    Grouping grouping_;
    GeneralPath general_;
    ModuleKernel small_, large_;
};

}  // namespace

std::unique_ptr<Labeller> make_grouped(const ClusterProblem& problem, LaunchContext& context) {
    return std::make_unique<GroupedLabeller>(problem, context);
}

}  // namespace ks::gpu::clusters
