#include <string>

#include "core/basics/matmul/matmul.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/basics/matmul/matmul_launch.h"
#include "gpu/basics/matmul/multiplication.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

/// Numbers and sizes of the panels of A and B for panels_cpu.cl.
struct Panels {
    explicit Panels(const std::map<std::string, std::string>& defines)
        : rows(number(defines, "ROWS")),
          columns(number(defines, "LANES") * number(defines, "VECTORS")),
          rows_of_item(rows * number(defines, "PANELS_A")),
          columns_of_item(columns * number(defines, "PANELS_B")) {}

    std::uint64_t bytes_of_a(std::size_t n) const { return rounded_up(n, rows) * n * sizeof(float); }
    std::uint64_t bytes_of_b(std::size_t n) const { return rounded_up(n, columns) * n * sizeof(float); }

    std::size_t rows, columns;  ///< per panel
    std::size_t rows_of_item, columns_of_item;
};

std::map<std::string, std::string> defines_of_panels(LaunchContext& context) {
    auto defines = tuned_defines(context, ElementType::f32);
    const auto choose = [&](const char* name, const char* value) {
        if (defines[name] == "auto") defines[name] = value;
    };
    const auto native = context.device().device().getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>();
    choose("LANES", native >= 16 ? "16" : "8");
    // AVX-512 has 32 vector registers, AVX2 half as many.
    const bool many = defines["LANES"] == "16";
    choose("ROWS", many ? "8" : "6");
    choose("VECTORS", many ? "3" : "2");
    return defines;
}

}  // namespace

Result launch_panels(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    const auto defines = defines_of_panels(context);
    const Panels panels(defines);
    Multiplication product(
        problem, context,
        {.defines = defines,
         .rate = context.info().type == "GPU" ? 5e11 : 5e10 * context.info().compute_units,
         .scratch = [&](std::size_t n) { return panels.bytes_of_a(n) + panels.bytes_of_b(n); },
         .loads =
             1 / static_cast<double>(panels.rows_of_item) + 1 / static_cast<double>(panels.columns_of_item)});
    const std::size_t n = product.size();
    // Written once before: a CPU maps new pages on first use.
    const Buffer a = touched_output(context, panels.bytes_of_a(n)),
                 b = touched_output(context, panels.bytes_of_b(n));
    const auto pack = [&](const char* entry_point, const Buffer& from, const Buffer& to, std::size_t items) {
        cl::Kernel kernel = context.kernel(entry_point, defines);
        set_arguments(kernel, static_cast<cl_uint>(n), from, to);
        context.launch("pack", kernel, cl::NDRange(items), cl::NDRange(1), {2 * from.bytes(), 0});
    };
    pack("pack_a", product.a(), a, quotient_up(n, panels.rows));
    pack("pack_b", product.b(), b, quotient_up(n, 16));
    set_arguments(product.kernel(), static_cast<cl_uint>(n), a, b, product.c());
    product.cover(panels.rows_of_item, [&](std::size_t first, std::size_t last, const Cost& cost) {
        const std::size_t columns = quotient_up(n, panels.columns_of_item),
                          rows = quotient_up(last - first, panels.rows_of_item);
        return product.launch(cl::NDRange(columns, rows), cl::NDRange(1, 1), cost,
                              cl::NDRange(0, first / panels.rows_of_item));
    });
    return product.result();
}

}  // namespace ks::gpu::basics
