#include "gpu/basics/matmul/matmul_launch.h"

#include "gpu/basics/matmul/multiplication.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

/// Rate of a kernel whose work-items share little.
MultiplicationPlan plan_of(LaunchContext& context) {
    return {.defines = tuned_defines(context, ElementType::f32),
            .rate = context.info().type == "GPU" ? 5e11 : 1e9};
}

MultiplicationPlan accumulating(LaunchContext& context) {
    MultiplicationPlan plan = plan_of(context);
    plan.accumulates = true;
    return plan;
}

void multiply_elements(Multiplication& product) {
    constexpr std::size_t grain = 16;
    product.cover_by_powers(grain, [&](std::size_t first, std::size_t last, const Cost& cost) {
        return product.launch(cl::NDRange(last - first, product.size()), cl::NullRange, cost,
                              cl::NDRange(first, 0));
    });
}

}  // namespace

Result launch_elements(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    Multiplication product(problem, context, plan_of(context));
    multiply_elements(product);
    return product.result();
}

Result accumulate_elements(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    Multiplication product(problem, context, accumulating(context));
    multiply_elements(product);
    return product.result();
}

Result accumulate_elements_twice(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    Multiplication product(problem, context, accumulating(context));
    multiply_elements(product);
    multiply_elements(product);
    return product.result();
}

Result launch_rows(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    const MultiplicationPlan plan = plan_of(context);
    const std::size_t group = number(plan.defines, "WG");
    Multiplication product(problem, context, plan);
    const std::size_t n = product.size();
    const auto set_columns = [&](std::size_t first, std::size_t last) {
        product.kernel().setArg(4, static_cast<cl_uint>(first));
        product.kernel().setArg(5, static_cast<cl_uint>(last));
    };
    if (context.info().type == "GPU") {
        // One row per work-item is little work for a GPU: a launch has all rows, and is split by columns.
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

Result launch_published_rows(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    Multiplication product(problem, context, plan_of(context));
    const std::size_t n = product.size();
    const bool has_column = product.kernel().getInfo<CL_KERNEL_NUM_ARGS>() > 4;
    if (has_column) product.kernel().setArg(4, cl::Local(n * sizeof(cl_float)));
    product.cover(context.info().compute_units * std::size_t{64}, [&](std::size_t first, std::size_t last,
                                                                      const Cost& cost) {
        return product.launch(cl::NDRange(last - first), cl::NullRange, cost, cl::NDRange(first));
    });
    return product.result();
}

Result launch_blocks(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    constexpr std::size_t block = 16;
    MultiplicationPlan plan = plan_of(context);
    plan.loads = 2.0 / block;
    Multiplication product(problem, context, plan);
    product.cover(block, [&](std::size_t first, std::size_t last, const Cost& cost) {
        return product.launch(cl::NDRange(rounded_up(product.size(), block), rounded_up(last - first, block)),
                              cl::NDRange(block, block), cost, cl::NDRange(0, first));
    });
    return product.result();
}

}  // namespace ks::gpu::basics
