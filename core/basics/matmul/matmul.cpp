#include "core/basics/matmul/matmul.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/host_memory.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/basics/matmul/matmul_check.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

AnalysisInfo matmul_info() {
    return {
        .id = "matmul",
        .title = "Matrix multiplication",
        .description = "Multiplies two square matrices: from the plain triple loop to blocks in registers",
        .parameters = {
            parameter::whole("size", "Size", "rows", 512, 1, 65535, "Rows and columns of a matrix"),
            seed_parameter()}};
}

double flop_per_second(const MatmulProblem& problem, double seconds) {
    return 2 * problem.multiply_adds() / seconds;
}

std::optional<CeilingShare> matmul_share(const MatmulProblem& problem, const Variant& variant,
                                         double kernel_nanoseconds, const Ceilings& ceilings) {
    const double rate = flop_per_second(problem, kernel_nanoseconds * 1e-9);
    if (variant.ceiling == ceiling_ids::matrix_tf32)
        return share_of(rate, ceilings, ceiling_ids::matrix_tf32, "TF32 matrix units");
    return share_of(rate, ceilings, ceiling_ids::fma_f32, "multiply-adds");
}

std::string matmul_setup(const Run& run) {
    const auto size = run.request.parameters.find("size");
    return size == run.request.parameters.end() ? std::string()
                                                : fmt::format("{0} x {0}", to_text(size->second));
}

}  // namespace

MatmulProblem::MatmulProblem(std::size_t size, std::uint64_t seed, const Progress& progress)
    : size_(size), seed_(seed) {
    require_memory(3 * bytes(), fmt::format("three matrices of {0} x {0} floats", size), "matmul");
    a_ = exercise_values(size * size, seed, 1, progress);
    b_ = exercise_values(size * size, seed, 2, progress);
}

Result matmul_result(const MatmulProblem& problem, Array c, const std::vector<Timing>& timings) {
    Result result;
    result.datasets.push_back({"c", "C = A B", "", DataKind::image, std::move(c), {"", ""}});
    result.facts = {{"size", problem.size()}, {"multiply_adds", problem.multiply_adds()}};
    if (const auto seconds = seconds_of(timings))
        result.facts["gflop_per_second"] = flop_per_second(problem, *seconds) * 1e-9;
    return result;
}

std::vector<Exercise> matmul_exercises() {
    return {exercise(7, "core/basics/matmul/host_variants.cpp",
                     {.info = matmul_info(),
                      .load = made_of_size_and_seed<MatmulProblem>(),
                      .check = check_matmul,
                      .setup_text = matmul_setup,
                      .ceiling_share = matmul_share},
                     matmul_on_host())};
}

}  // namespace ks::basics
