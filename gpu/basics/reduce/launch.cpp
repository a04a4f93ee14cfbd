#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/basics/reduce/reduce.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::ReduceProblem;
using ks::basics::Reduction;
using ks::basics::SumOfOnes;

constexpr std::uint64_t value_bytes = 4;

/// The vectors on the device, and the kernels' definitions for the operation.
class Reducing {
  public:
    /// @param scratch additional bytes that the variant needs
    Reducing(const ReduceProblem& problem, LaunchContext& context, std::map<std::string, std::string> defines,
             std::uint64_t scratch)
        : problem(problem), context_(context), defines_(std::move(defines)) {
        require_vectors(context, problem.vectors(), problem.size(), scratch);
        fits_ones_ = (problem.vectors() + 1) * value_bytes * problem.size() + 2 * scratch <= context.budget();
        const bool floats = problem.of_floats();
        // The vectors do not depend on the operation; float vectors are shared by both analyses.
        const std::string key =
            fmt::format("reduce {} {} {}", floats ? "f32" : "u32", problem.size(), problem.seed());
        const std::uint64_t one = value_bytes * problem.size();
        const std::uint64_t others = (problem.vectors() - 1) * one + scratch;
        x_ = floats ? input_on_device(context, key + " x", problem.x(), others)
                    : input_on_device(context, key + " x", problem.whole(), others);
        y_ = problem.is_dot() ? input_on_device(context, key + " y", problem.y(), scratch) : x_;
        const Reduction operation = problem.operation();
        const bool least = operation == Reduction::min;
        const auto define = [&](const char* name, std::string value) { defines_[name] = std::move(value); };
        define("VALUE", floats ? "float" : "uint");
        define("WHOLE", floats ? "0" : "1");
        define("DOT", problem.is_dot() ? "1" : "0");
        define("OPERATION", fmt::format("{}", static_cast<int>(operation)));
        define("NEUTRAL", operation == Reduction::sum ? "0"
                          : !floats                   ? (least ? "UINT_MAX" : "0")
                          : least                     ? "MAXFLOAT"
                                                      : "-MAXFLOAT");
    }

    const ReduceProblem& problem;
    const Buffer& x() const { return *x_; }
    const Buffer& y() const { return *y_; }

    cl::Kernel kernel(const char* entry_point) { return context_.kernel(entry_point, defines_); }
    /// The kernel for values that are already combined.
    cl::Kernel kernel_of_values(const char* entry_point) {
        auto defines = defines_;
        defines["DOT"] = std::string("0");
        return context_.kernel(entry_point, defines);
    }

    /// Cost of reading `elements`.
    Cost cost(std::uint64_t elements) const { return {value_bytes * problem.vectors() * elements, elements}; }

    /// @param reduce enqueues the kernels and returns the buffer with the value
    Result result(const std::function<Buffer()>& reduce) {
        Array one = downloaded_array(context_, "download value", reduce(),
                                     problem.of_floats() ? ElementType::f32 : ElementType::u32, {1});
        Result made = reduce_result(problem, std::move(one), context_.timings());
        if (const auto sum = sum_of_ones(reduce)) add_sum_of_ones(made, *sum);
        return made;
    }

  private:
    /// What the user's kernels sum ones to, so that the check notices single elements: in a long sum of other
    /// floats, these are less than the rounding errors. Not with kernels that print, whose lines would appear
    /// twice, nor in recorded runs. A text is tried once per size, so that the repeats of a benchmark find
    /// the same data in the caches as those of other kernels.
    std::optional<SumOfOnes> sum_of_ones(const std::function<Buffer()>& reduce) {
        const Request& request = context_.request();
        const std::string& text =
            request.kernel_source.empty() ? context_.variant().source : request.kernel_source;
        const bool own = !request.kernel_source.empty() || context_.variant().from_user();
        if (!own || !problem.of_floats() || problem.operation() != Reduction::sum || !fits_ones_ ||
            context_.is_recorded() || text.find("printf") != std::string::npos)
            return std::nullopt;
        SumOfOnes sum{.ones = SumOfOnes::among(problem.size())};
        std::string key = fmt::format("ones {} {} {} {}", request.analysis, context_.variant().id,
                                      problem.size(), std::hash<std::string>{}(text));
        for (const auto& [name, value] : defines_) key += fmt::format(" {}={}", name, value);
        const std::size_t known = context_.device().seen_before(key);
        if (known != 0 && !request.guarded) {
            sum.sum = std::bit_cast<float>(static_cast<std::uint32_t>(known - 1));
            return sum;
        }
        const std::vector<Timing> timings = context_.timings();
        Stopwatch watch;
        x_ = y_ = std::make_shared<const Buffer>(ones());
        const Buffer value = reduce();
        context_.download("download value", value, std::as_writable_bytes(std::span(&sum.sum, 1)));
        context_.finish();
        context_.timings() = timings;
        add(context_.timings(), {"sum ones", StageKind::overhead, watch.lap()});
        context_.device().has_seen(key, std::size_t{std::bit_cast<std::uint32_t>(sum.sum)} + 1);
        return sum;
    }
    /// At the beginning and at the end, and zeros between them if the vector is longer.
    Buffer ones() {
        const std::uint64_t bytes = value_bytes * problem.size();
        Buffer made = context_.buffer(bytes);
        const std::size_t ones = SumOfOnes::among(problem.size());
        if (ones == problem.size()) {
            context_.fill(made, 1.0F, bytes);
            return made;
        }
        context_.fill(made, 0.0F, bytes);
        const std::uint64_t half = value_bytes * ones / 2;
        for (const std::uint64_t from : {std::uint64_t{0}, bytes - half})
            context_.device().queue().enqueueFillBuffer(made.cl(), 1.0F, from, half);
        return made;
    }

    LaunchContext& context_;
    bool fits_ones_ = false;
    std::map<std::string, std::string> defines_;
    std::shared_ptr<const Buffer> x_, y_;
};

/// Launches a kernel whose arguments are set, with one work-item per element.
/// @param rate_guess elements per second
void reduce_elements(LaunchContext& context, const Reducing& reducing, const cl::Kernel& kernel,
                     std::size_t group, double rate_guess) {
    cover_elements(context, "reduce", reducing.problem.size(), group, rate_guess,
                   [&](std::size_t first, std::size_t last) {
                       return context.launch("reduce", kernel, cl::NDRange(rounded_up(last - first, group)),
                                             cl::NDRange(group), reducing.cost(last - first),
                                             cl::NDRange(first));
                   });
}

Result reduce_sequentially(const ReduceProblem& problem, LaunchContext& context) {
    Reducing reducing(problem, context, tuned_defines(context, ElementType::f32), value_bytes);
    return reducing.result([&] {
        Buffer out = touched_output(context, value_bytes);
        cl::Kernel kernel = reducing.kernel("reduce");
        cover_elements(context, "reduce", problem.size(), 1024, 1e7,
                       [&](std::size_t first, std::size_t last) {
                           set_arguments(kernel, static_cast<cl_ulong>(first), static_cast<cl_ulong>(last),
                                         reducing.x(), reducing.y(), out);
                           return context.launch("reduce", kernel, cl::NDRange(1), cl::NDRange(1),
                                                 reducing.cost(last - first));
                       });
        return out;
    });
}

Result reduce_as_tree(const ReduceProblem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::f32);
    const std::size_t group = number(defines, "WG");
    const std::size_t size = problem.size();
    const std::size_t first_values = quotient_up(size, group),
                      second_values = quotient_up(first_values, group);
    Reducing reducing(problem, context, defines, value_bytes * (first_values + second_values));
    return reducing.result([&] {
        Buffer values = touched_output(context, value_bytes * first_values),
               fewer = touched_output(context, value_bytes * second_values);
        cl::Kernel kernel = reducing.kernel("reduce");
        set_arguments(kernel, static_cast<cl_ulong>(size), reducing.x(), reducing.y(), values);
        reduce_elements(context, reducing, kernel, group, context.info().type == "GPU" ? 2e10 : 2e8);
        cl::Kernel again = reducing.kernel_of_values("reduce");
        for (std::size_t left = first_values; left > 1; left = quotient_up(left, group)) {
            set_arguments(again, static_cast<cl_ulong>(left), values, values, fewer);
            if (left < first_values) context.fill_with_unlikely(fewer, fewer.bytes());
            context.launch("reduce values", again, cl::NDRange(rounded_up(left, group)), cl::NDRange(group),
                           {value_bytes * left, left});
            std::swap(values, fewer);
        }
        return values;
    });
}

Result reduce_in_two_stages(const ReduceProblem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::f32);
    const bool gpu = context.info().type == "GPU";
    const std::size_t group = number(defines, "WG"), width = number(defines, "WIDTH");
    const std::size_t size = problem.size();
    const std::size_t pieces = size / width, pieces_a_launch = (std::size_t{1} << (gpu ? 28 : 26)) / width;
    const std::size_t launches = std::max<std::size_t>(1, quotient_up(pieces, pieces_a_launch));
    const std::size_t groups =
        std::clamp<std::size_t>(quotient_up(pieces, group), 1, context.info().compute_units * (gpu ? 16 : 4));
    const std::size_t partials = launches * groups;
    Reducing reducing(problem, context, defines, value_bytes * (partials + 1));
    return reducing.result([&] {
        const Buffer partial = touched_output(context, value_bytes * partials);
        Buffer out = touched_output(context, value_bytes);
        cl::Kernel kernel = reducing.kernel("reduce");
        for (std::size_t launch = 0; launch < launches; ++launch) {
            const std::size_t first = launch * pieces_a_launch,
                              last = std::min(pieces, first + pieces_a_launch);
            set_arguments(kernel, static_cast<cl_ulong>(first), static_cast<cl_ulong>(last),
                          static_cast<cl_ulong>(size), reducing.x(), reducing.y(), partial,
                          static_cast<cl_uint>(launch * groups));
            const std::size_t end = last == pieces ? size : last * width;
            context.launch("reduce", kernel, cl::NDRange(groups * group), cl::NDRange(group),
                           reducing.cost(end - first * width));
        }
        cl::Kernel finish = reducing.kernel("finish");
        set_arguments(finish, static_cast<cl_uint>(partials), partial, out);
        context.launch("finish", finish, cl::NDRange(group), cl::NDRange(group),
                       {value_bytes * partials, partials});
        return out;
    });
}

Result reduce_by_atomics(const ReduceProblem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::f32);
    const std::size_t group = number(defines, "WG");
    Reducing reducing(problem, context, defines, value_bytes);
    const float largest = std::numeric_limits<float>::max();
    const Reduction operation = problem.operation();
    Array neutral(problem.of_floats() ? ElementType::f32 : ElementType::u32, {1});
    if (problem.of_floats())
        neutral.as<float>()[0] = operation == Reduction::sum   ? 0
                                 : operation == Reduction::min ? largest
                                                               : -largest;
    else
        neutral.as<std::uint32_t>()[0] =
            operation == Reduction::min ? std::numeric_limits<std::uint32_t>::max() : 0;
    return reducing.result([&] {
        Buffer out = context.buffer(value_bytes);
        context.upload("upload neutral value", out, neutral.bytes());
        cl::Kernel kernel = reducing.kernel("reduce");
        set_arguments(kernel, static_cast<cl_ulong>(problem.size()), reducing.x(), reducing.y(), out);
        reduce_elements(context, reducing, kernel, group, context.info().type == "GPU" ? 1e9 : 2e7);
        return out;
    });
}

}  // namespace

std::vector<ClVariant> reduce_rows() {
    const DefineSpec group{"WG", "256", {"16", "64", "128", "256"}, "work-items per group"};
    std::vector<ClVariant> all;
    for (const char* analysis : {"reduce", "dot"}) {
        all.push_back({{.analysis = analysis,
                        .id = "sequential",
                        .title = "One work-item",
                        .description = "One work-item traverses the vector; it shows the cost of a kernel "
                                       "written without regard to the device.",
                        .source_file = "gpu/basics/reduce/sequential.cl",
                        .entry_points = {"reduce"},
                        .baseline = true,
                        .rank = 5},
                       reduce_sequentially});
        all.push_back(
            {{.analysis = analysis,
              .id = "atomics",
              .title = "Atomic functions",
              .description = "Every element is combined with its group's value by an atomic function, floats "
                             "by compare-exchange; the order differs from run to run.",
              .source_file = "gpu/basics/reduce/atomics.cl",
              .entry_points = {"reduce"},
              .defines = {group},
              .constraints = {.local_bytes = value_bytes},
              .rank = 10},
             reduce_by_atomics});
        all.push_back({{.analysis = analysis,
                        .id = "tree",
                        .title = "Tree in local memory",
                        .description = "Groups combine pairs in local memory, with half as many pairs in "
                                       "each step; further passes follow until one value is left.",
                        .source_file = "gpu/basics/reduce/tree.cl",
                        .entry_points = {"reduce"},
                        .defines = {group},
                        .constraints = {.local_bytes = 256 * value_bytes},
                        .rank = 20},
                       reduce_as_tree});
        all.push_back({{.analysis = analysis,
                        .id = "two_stages",
                        .title = "Wide loads, then a tree",
                        .description = "Few groups, whose items first combine wide loads in private memory; "
                                       "a tree combines the items, and a final group combines the groups.",
                        .source_file = "gpu/basics/reduce/two_stages.cl",
                        .entry_points = {"reduce", "finish"},
                        .defines = {{"WIDTH", "4", {"2", "4", "8", "16"}, "elements per load"},
                                    {"WG", "256", {"1", "16", "64", "128", "256"}, "work-items per group"}},
                        .constraints = {.local_bytes = 256 * value_bytes},
                        .rank = 40},
                       reduce_in_two_stages,
                       {{"CPU", "", {{"WIDTH", "16"}, {"WG", "1"}}}}});
    }
    return all;
}

}  // namespace ks::gpu::basics
