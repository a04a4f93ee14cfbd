#include "gpu/basics/matmul/matmul_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/basics/matmul/matmul.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::MatmulProblem;

/// Throws ks::Error(input) with the size that would fit where the matrices do not.
void require_matrices(const LaunchContext& context, const MatmulProblem& problem) {
    const std::uint64_t budget = context.budget(), largest = context.info().largest_allocation;
    if (3 * problem.bytes() <= budget && problem.bytes() <= largest) return;
    const std::uint64_t elements = std::min(budget / 3, largest) / sizeof(float);
    throw Error(
        ErrorKind::input,
        fmt::format("three matrices of {0} x {0} floats need {1}, of {2} on {3}", problem.size(),
                    memory_text(3 * problem.bytes()), memory_text(std::min(budget, 3 * largest)),
                    context.info().name),
        "size",
        fmt::format("give a size of at most {}", std::floor(std::sqrt(static_cast<double>(elements)))));
}

std::size_t rounded_up(std::size_t value, std::size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// Matrices on the device, and the kernel with them as its first arguments.
class Multiplication {
  public:
    Multiplication(const Problem& any, LaunchContext& context, std::map<std::string, std::string> defines)
        : problem_(dynamic_cast<const MatmulProblem&>(any)),
          context_(context),
          slicer_(context.info().type == "GPU" ? 5e11 : 1e9) {
        require_matrices(context, problem_);
        const std::string key = fmt::format("matmul {} {}", problem_.size(), problem_.seed());
        a_ = input_on_device(context, key + " a", problem_.a(), 2 * problem_.bytes());
        b_ = input_on_device(context, key + " b", problem_.b(), problem_.bytes());
        c_ = context.zeros(problem_.bytes());
        kernel_ = context.kernel("multiply", defines);
        set_arguments(kernel_, static_cast<cl_uint>(problem_.size()), *a_, *b_, c_);
    }

    std::size_t size() const { return problem_.size(); }
    cl::Kernel& kernel() { return kernel_; }

    /// Enqueues one launch for the rows or columns [first, last).
    using Launch = std::function<cl::Event(std::size_t first, std::size_t last, const Cost& cost)>;

    /// Covers all rows (or columns) by launches that are meant to be short, each of `grain` times a power of
    /// 2: PoCL compiles a kernel anew for each group size, which the driver chooses by the range of the
    /// launch.
    void cover(std::size_t grain, const Launch& launch) {
        const std::size_t n = problem_.size();
        const double each = problem_.multiply_adds() / static_cast<double>(n);
        for (std::size_t first = 0; first < n;) {
            const auto fit = static_cast<std::size_t>(std::min(slicer_.units() / each, 1e9)) / grain;
            const std::size_t last =
                std::min(n, first + grain * std::bit_floor(std::max<std::size_t>(1, fit)));
            const double work = each * static_cast<double>(last - first);
            const cl::Event event = launch(first, last, {0, static_cast<std::uint64_t>(work)});
            if (first > 0 || last < n) {
                event.wait();
                slicer_.took(work, duration(event));
                context_.progress().report(static_cast<double>(last) / static_cast<double>(n), "multiply");
            }
            first = last;
        }
    }

    cl::Event launch(const cl::NDRange& global, const cl::NDRange& local, const Cost& cost,
                     const cl::NDRange& offset) {
        return context_.launch("multiply", kernel_, global, local, cost, offset);
    }

    Result result() {
        Array c(ElementType::f32, {problem_.size(), problem_.size()});
        context_.download("download product", c_, c.bytes());
        context_.finish();
        return matmul_result(problem_, std::move(c), context_.timings());
    }

  private:
    const MatmulProblem& problem_;
    LaunchContext& context_;
    Slicer slicer_;
    std::shared_ptr<const Buffer> a_, b_;
    Buffer c_;
    cl::Kernel kernel_;
};

}  // namespace

Result launch_elements(const Problem& problem, LaunchContext& context) {
    constexpr std::size_t grain = 16;
    Multiplication product(problem, context, tuned_defines(context, ElementType::f32));
    product.cover(grain, [&](std::size_t first, std::size_t last, const Cost& cost) {
        return product.launch(cl::NDRange(last - first, product.size()), cl::NullRange, cost,
                              cl::NDRange(first, 0));
    });
    return product.result();
}

Result launch_rows(const Problem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::f32);
    const std::size_t group = number(defines, "WG");
    Multiplication product(problem, context, defines);
    const std::size_t n = product.size();
    const auto set_columns = [&](std::size_t first, std::size_t last) {
        product.kernel().setArg(4, static_cast<cl_uint>(first));
        product.kernel().setArg(5, static_cast<cl_uint>(last));
    };
    if (context.info().type == "GPU") {
        // A row a work-item is little work for a GPU: a launch has all rows, and is cut by columns.
        product.cover(1, [&](std::size_t first, std::size_t last, const Cost& cost) {
            set_columns(first, last);
            return product.launch(cl::NDRange(rounded_up(n, group)), cl::NDRange(group), cost,
                                  cl::NDRange(0));
        });
        return product.result();
    }
    set_columns(0, n);
    product.cover(group * context.info().compute_units,
                  [&](std::size_t first, std::size_t last, const Cost& cost) {
                      return product.launch(cl::NDRange(rounded_up(last - first, group)), cl::NDRange(group),
                                            cost, cl::NDRange(first));
                  });
    return product.result();
}

Result launch_blocks(const Problem& problem, LaunchContext& context) {
    constexpr std::size_t block = 16;
    Multiplication product(problem, context, tuned_defines(context, ElementType::f32));
    product.cover(block, [&](std::size_t first, std::size_t last, const Cost& cost) {
        return product.launch(cl::NDRange(rounded_up(product.size(), block), rounded_up(last - first, block)),
                              cl::NDRange(block, block), cost, cl::NDRange(0, first));
    });
    return product.result();
}

}  // namespace ks::gpu::basics
