#include <CL/opencl.hpp>
#include <regex>

#include "core/base/stopwatch.h"
#include "core/basics/vectors/vectors.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/output/quiet_build.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::Float4;
using ks::basics::IllegalCast;
using ks::basics::Int4;
using ks::basics::VectorRows;
using ks::basics::VectorsProblem;

constexpr const char* illegal_file = "gpu/basics/vectors/illegal_cast.cl";

/// Compiles the demonstration on the device's compiler, bypassing the program cache.
IllegalCast build_illegal_cast(LaunchContext& context) {
    Stopwatch watch;
    cl::Program program(context.device().context(), kernel_text(illegal_file));
    IllegalCast cast;
    try {
        build_quietly(program, context.device().device(), "-cl-std=CL1.2");
    } catch (const cl::Error& error) {
        if (error.err() != CL_BUILD_PROGRAM_FAILURE) throw;
        cast.refused = true;
    }
    cast.log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(context.device().device());
    while (cast.log.ends_with('\0')) cast.log.pop_back();
    // quirk temporary_names
    cast.log = std::regex_replace(cast.log, std::regex("/[^ :\n]*\\.cl"), illegal_file);
    if (cast.log.empty())
        cast.log = cast.refused ? "The cast was refused without a message."
                                : "The cast was compiled without a message.";
    add(context.timings(),
        {.stage = "build the illegal cast", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return cast;
}

Result launch_operations(const VectorsProblem& problem, LaunchContext& context) {
    const Int4 whole_in[] = {problem.a, problem.b};
    const Float4 real_in[] = {problem.f, problem.to_bytes};
    VectorRows rows;
    const Buffer whole_from = context.uploaded<Int4>("upload input", whole_in);
    const Buffer real_from = context.uploaded<Float4>("upload input", real_in);
    const Buffer whole = touched_output(context, sizeof rows.whole),
                 real = touched_output(context, sizeof rows.real);
    cl::Kernel kernel = context.kernel("operate", {});
    set_arguments(kernel, whole_from, real_from, whole, real);
    context.launch("operations", kernel, cl::NDRange(1), cl::NDRange(1), {});
    context.download("download rows", whole, std::as_writable_bytes(std::span(rows.whole)));
    context.download("download rows", real, std::as_writable_bytes(std::span(rows.real)));
    return vectors_result(problem, rows, build_illegal_cast(context));
}

}  // namespace

std::vector<ClVariant> vectors_rows() {
    return {
        {{.id = "vector.types",
          .title = "Vector types",
          .description = "One work-item performs all operations; a cast that must not compile is also tried.",
          .source_file = "gpu/basics/vectors/vector_types.cl",
          .shared_sources = {illegal_file},
          .entry_points = {"operate"},
          .baseline = true,
          .rank = 20},
         launch_operations}};
}

}  // namespace ks::gpu::basics
