#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/basics/atomics/atomics.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::AtomicFunction;
using ks::basics::AtomicsProblem;
using ks::basics::ContentionRow;

constexpr std::uint64_t word = sizeof(cl_uint);

/// The kernel for the function of the problem, its counters, and the measurements on them.
class Calls {
  public:
    Calls(const AtomicsProblem& problem, LaunchContext& context)
        : problem_(problem), context_(context), defines_(tuned_defines(context, ElementType::u32)) {
        group_ = number(defines_, "WG");
        range_ = rounded_up(problem.items, group_);
        const std::size_t returned = keeps() ? problem.operations() + range_ : 1;
        require_room(
            context, word * (2 * problem.items + returned), word * std::max(problem.items, returned),
            fmt::format("counters of {} work-items with {} calls each", problem.items, problem.calls),
            fmt::format("choose at most {} work-items", items_that_fit()));
        const bool one_bit =
            problem.function == AtomicFunction::or_ || problem.function == AtomicFunction::or_by_cmpxchg;
        const int bits = one_bit ? 1 : problem.function == AtomicFunction::and_ ? 2 : 0;
        defines_.insert({{"CALL", fmt::format("CALL_{}", name_of(problem.function))},
                         {"JOIN", fmt::format("JOIN_{}", name_of(problem.function))},
                         {"INITIAL", fmt::format("{}u", initial_of(problem.function))},
                         {"KEEPS", fmt::format("{}", keeps() ? 1 : 0)},
                         {"BITS", fmt::format("{}", bits)}});
        operands_ = context.uploaded("upload operands", std::span(problem.operands));
        counters_ = context.buffer(word * problem.items);
        returned_ = context.zeros(word * returned);
        kernel_ = context.kernel("call", defines_);
    }

    ContentionRow measured(std::size_t contention) {
        const std::size_t counters = problem_.counters(contention);
        set_arguments(kernel_, static_cast<cl_uint>(problem_.items), static_cast<cl_uint>(problem_.calls),
                      static_cast<cl_uint>(contention), operands_, counters_, returned_);
        const double time = median_of(problem_.repeats, [&] {
            reset(counters);
            const cl::Event event = context_.launch("call", kernel_, cl::NDRange(range_), cl::NDRange(group_),
                                                    {0, problem_.operations()});
            event.wait();
            return duration(event);
        });
        const auto values = context_.downloaded<cl_uint>("download counters", counters_, counters);
        const auto back = context_.downloaded<cl_uint>("download what came back", returned_,
                                                       keeps() ? problem_.operations() + range_ : 0);
        return {time, right_counters(problem_, contention, values, back), values.front()};
    }

  private:
    bool keeps() const { return problem_.function == AtomicFunction::xchg; }

    std::uint64_t items_that_fit() const {
        const std::uint64_t of_item = word * (2 + (keeps() ? problem_.calls + 1 : 0));
        const std::uint64_t of_largest = word * (keeps() ? problem_.calls + 1 : 1), rest = word * group_;
        const std::uint64_t budget = context_.budget(), one = context_.info().largest_allocation;
        return std::min((budget - std::min(budget, rest)) / of_item,
                        (one - std::min(one, rest)) / of_largest);
    }

    void reset(std::size_t counters) {
        context_.fill(counters_, cl_uint{initial_of(problem_.function)}, word * counters);
        if (keeps()) context_.fill(returned_, cl_uint{0}, word * (problem_.operations() + range_));
    }

    const AtomicsProblem& problem_;
    LaunchContext& context_;
    std::map<std::string, std::string> defines_;
    std::size_t group_ = 1, range_ = 1;
    Buffer operands_, counters_, returned_;
    cl::Kernel kernel_;
};

Result launch_calls(const AtomicsProblem& problem, LaunchContext& context) {
    Calls calls(problem, context);
    std::vector<ContentionRow> rows;
    for (const std::size_t contention : problem.contentions) {
        context.progress().report(
            static_cast<double>(rows.size()) / static_cast<double>(problem.contentions.size()),
            fmt::format("{} items per counter", contention));
        rows.push_back(calls.measured(contention));
    }
    return atomics_result(problem, rows);
}

}  // namespace

std::vector<ClVariant> atomics_rows() {
    const DefineSpec group{"WG", "64", {"1", "16", "64", "256"}, "work-items per group"};
    return {{{.id = "global.atomics",
              .title = "Counters in global memory",
              .description = "Every work-item calls the function on a counter in global memory.",
              .source_file = "gpu/basics/atomics/global.cl",
              .entry_points = {"call"},
              .defines = {group},
              .baseline = true,
              .rank = 20},
             launch_calls},
            {{.id = "local.atomics",
              .title = "Counters in local memory",
              .description =
                  "Each group has its own counters and merges each into a global one with a single call.",
              .source_file = "gpu/basics/atomics/local.cl",
              .entry_points = {"call"},
              .defines = {group},
              .constraints = {.local_bytes = 256 * word},
              .rank = 30},
             launch_calls}};
}

}  // namespace ks::gpu::basics
