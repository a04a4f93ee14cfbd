#include "gpu/basics/matmul/multiplication.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "gpu/basics/exercise_input.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::MatmulProblem;

/// Whether matrices of n x n fit, together with the kernel's other buffers.
struct Room {
    std::uint64_t budget, largest;
    const std::function<std::uint64_t(std::size_t)>& scratch_of;

    static std::uint64_t matrix(std::size_t n) { return std::uint64_t{n} * n * sizeof(float); }
    std::uint64_t scratch(std::size_t n) const { return scratch_of ? scratch_of(n) : 0; }
    std::uint64_t need(std::size_t n) const { return 3 * matrix(n) + scratch(n); }
    bool fits(std::size_t n) const { return need(n) <= budget && std::max(matrix(n), scratch(n)) <= largest; }
    /// The largest n that fits, below one that does not.
    std::size_t largest_size(std::size_t too_large) const {
        std::size_t fitting = 0;
        while (fitting + 1 < too_large) {
            const std::size_t middle = std::midpoint(fitting, too_large);
            (fits(middle) ? fitting : too_large) = middle;
        }
        return fitting;
    }
};

std::uint64_t require_matrices(const LaunchContext& context, const MatmulProblem& problem,
                               const std::function<std::uint64_t(std::size_t)>& scratch) {
    const Room room{context.budget(), context.info().largest_allocation, scratch};
    const std::size_t n = problem.size();
    if (room.fits(n)) return room.scratch(n);
    throw Error(ErrorKind::input,
                fmt::format("three matrices of {0} x {0} floats need {1}, more than the {2} available on {3}",
                            n, memory_text(room.need(n)),
                            memory_text(std::min(room.budget, 3 * room.largest)), context.info().name),
                "size", fmt::format("choose a size of at most {}", room.largest_size(n)));
}

}  // namespace

Multiplication::Multiplication(const MatmulProblem& problem, LaunchContext& context,
                               const MultiplicationPlan& plan)
    : problem_(problem), context_(context), loads_(plan.loads), slicer_(context, plan.rate) {
    const std::uint64_t scratch = require_matrices(context, problem_, plan.scratch);
    const std::string key = fmt::format("matmul {} {}", problem_.size(), problem_.seed());
    a_ = input_on_device(context, key + " a", problem_.a(), 2 * problem_.bytes() + scratch);
    b_ = input_on_device(context, key + " b", problem_.b(), problem_.bytes() + scratch);
    c_ = plan.accumulates ? context.zeros(problem_.bytes()) : touched_output(context, problem_.bytes());
    kernel_ = context.kernel("multiply", plan.defines);
    set_arguments(kernel_, static_cast<cl_uint>(problem_.size()), *a_, *b_, c_);
}

void Multiplication::cover(std::size_t grain, const Launch& launch) {
    cover(
        grain, [](std::size_t fit) { return fit; }, launch);
}

void Multiplication::cover_by_powers(std::size_t grain, const Launch& launch) {
    cover(grain, std::bit_floor<std::size_t>, launch);
}

void Multiplication::cover(std::size_t grain, std::size_t (*grains)(std::size_t fit), const Launch& launch) {
    const std::size_t n = problem_.size();
    const double each = problem_.multiply_adds() / static_cast<double>(n);
    for (std::size_t first = 0; first < n;) {
        const auto fit = static_cast<std::size_t>(std::min(slicer_.units() / each, 1e9)) / grain;
        const std::size_t last = std::min(n, first + grain * grains(std::max<std::size_t>(1, fit)));
        const double work = each * static_cast<double>(last - first);
        // Each value of C is written once.
        const double values =
            loads_ > 0 ? loads_ * work + static_cast<double>(last - first) * static_cast<double>(n) : 0;
        const cl::Event event =
            launch(first, last,
                   {static_cast<std::uint64_t>(values * sizeof(cl_float)), static_cast<std::uint64_t>(work)});
        if (first > 0 || last < n) {
            event.wait();
            slicer_.took(work, duration(event));
            context_.progress().report(static_cast<double>(last) / static_cast<double>(n), "multiply");
        }
        first = last;
    }
}

cl::Event Multiplication::launch(const cl::NDRange& global, const cl::NDRange& local, const Cost& cost,
                                 const cl::NDRange& offset) {
    return context_.launch("multiply", kernel_, global, local, cost, offset);
}

Result Multiplication::result() {
    Array c = downloaded_array(context_, "download product", c_, ElementType::f32,
                               {problem_.size(), problem_.size()});
    return matmul_result(problem_, std::move(c), context_.timings());
}

}  // namespace ks::gpu::basics
