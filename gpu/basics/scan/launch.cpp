#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/basics/scan/scan.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::ScanProblem;

constexpr std::uint64_t sum_bytes = sizeof(std::uint32_t);

/// The vector on the device. @param scratch bytes that the variant needs besides it and the sums
std::shared_ptr<const Buffer> scan_input(const ScanProblem& problem, LaunchContext& context,
                                         std::uint64_t scratch) {
    require_vectors(context, 2, problem.size(), scratch);
    return input_on_device(context, fmt::format("scan {} {}", problem.size(), problem.seed()), problem.x(),
                           problem.bytes() + scratch);
}

Result finished_scan(const ScanProblem& problem, LaunchContext& context, const Buffer& c) {
    Array sums = downloaded_array(context, "download sums", c, ElementType::u32, {problem.size()});
    return scan_result(problem, std::move(sums), context.timings());
}

Result scan_sequentially(const ScanProblem& problem, LaunchContext& context) {
    const auto x = scan_input(problem, context, 0);
    const Buffer c = touched_output(context, problem.bytes());
    cl::Kernel kernel = context.kernel("scan", tuned_defines(context, ElementType::u32));
    cover_elements(context, "scan", problem.size(), 1024, 1e7, [&](std::size_t first, std::size_t last) {
        set_arguments(kernel, static_cast<cl_ulong>(first), static_cast<cl_ulong>(last), *x, c);
        const std::uint64_t some = last - first;
        return context.launch("scan", kernel, cl::NDRange(1), cl::NDRange(1), {2 * sum_bytes * some, some});
    });
    return finished_scan(problem, context, c);
}

/// Elements per chunk: enough chunks to keep the device busy, each of them short.
std::size_t chunk_of(const LaunchContext& context, std::size_t size, std::size_t step) {
    constexpr std::size_t chunks_a_unit = 16, longest = std::size_t{1} << 20;
    const std::size_t chunks = std::max<std::size_t>(1, context.info().compute_units) * chunks_a_unit;
    const std::size_t even = std::min(quotient_up(size, chunks), longest);
    return rounded_up(even, step);
}

Result scan_in_three_passes(const ScanProblem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::u32);
    const std::size_t group = number(defines, "WG");
    const std::size_t chunk = chunk_of(context, problem.size(), group * number(defines, "ITEMS"));
    const std::size_t chunks = quotient_up(problem.size(), chunk);
    const auto x = scan_input(problem, context, sum_bytes * chunks);
    const Buffer of_chunks = touched_output(context, sum_bytes * chunks);
    const Buffer c = touched_output(context, problem.bytes());
    cl::Kernel sums = context.kernel("sums", defines), scan_sums = context.kernel("scan_sums", defines),
               add = context.kernel("add", defines);
    const cl_ulong size = problem.size();
    set_arguments(sums, size, static_cast<cl_ulong>(chunk), *x, of_chunks);
    set_arguments(scan_sums, static_cast<cl_uint>(chunks), of_chunks);
    set_arguments(add, size, static_cast<cl_ulong>(chunk), *x, of_chunks, c);
    const std::size_t elements_a_launch = std::size_t{1} << (context.info().type == "GPU" ? 30 : 26);
    const std::size_t chunks_a_launch = context.launches_whole() ? chunks
                                        : context.launches_shortest()
                                            ? 1
                                            : std::max<std::size_t>(1, elements_a_launch / chunk);
    const auto launch = [&](const char* stage, const cl::Kernel& kernel, std::uint64_t moves) {
        for (std::size_t first = 0; first < chunks; first += chunks_a_launch) {
            const std::size_t some = std::min(chunks_a_launch, chunks - first);
            const std::uint64_t elements = std::min(problem.size() - first * chunk, some * chunk);
            context.launch(stage, kernel, cl::NDRange(some * group), cl::NDRange(group),
                           {moves * sum_bytes * elements, elements}, cl::NDRange(first * group));
        }
    };
    launch("sums", sums, 1);
    context.launch("scan sums", scan_sums, cl::NDRange(group), cl::NDRange(group),
                   {2 * sum_bytes * chunks, chunks});
    launch("add", add, 2);
    return finished_scan(problem, context, c);
}

}  // namespace

std::vector<ClVariant> scan_rows() {
    return {{{.id = "sequential",
              .title = "One work-item",
              .description = "One work-item traverses the vector, computing each sum from the previous one.",
              .source_file = "gpu/basics/scan/sequential.cl",
              .entry_points = {"scan"},
              .baseline = true,
              .rank = 5,
              .cpu_rank = 40},
             scan_sequentially},
            {{.id = "three_passes",
              .title = "Chunks in three passes",
              .description = "The first pass sums each chunk, the second scans these sums, and the third "
                             "scans each chunk with its offset.",
              .source_file = "gpu/basics/scan/three_passes.cl",
              .entry_points = {"sums", "scan_sums", "add"},
              .defines = {{"ITEMS", "4", {"4", "8", "16", "32"}, "elements per work-item and step"},
                          {"WG", "256", {"1", "16", "64", "128", "256", "512"}, "work-items per group"}},
              .constraints = {.local_bytes = 2 * 512 * sum_bytes},
              .rank = 30},
             scan_in_three_passes,
             {{"CPU", "", {{"WG", "1"}}}}}};
}

}  // namespace ks::gpu::basics
