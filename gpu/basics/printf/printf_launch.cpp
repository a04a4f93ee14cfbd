#include <fmt/format.h>

#include <span>

#include "core/base/error.h"
#include "core/basics/printf/printf.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/output/captured_output.h"

namespace ks::gpu::basics {
namespace {

Result launch_hello(const ks::basics::PrintfProblem& problem, LaunchContext& context) {
    constexpr std::size_t of_a_line = 64;  // a line with its arguments takes less in any driver
    const std::size_t items = problem.values.size();
    const auto room = context.device().device().getInfo<CL_DEVICE_PRINTF_BUFFER_SIZE>();
    if (items * of_a_line > room)
        throw Error(ErrorKind::input,
                    fmt::format("{} lines (one per work-item) are too many: {} has a printf buffer of {} "
                                "bytes",
                                items, context.info().name, room),
                    "items", fmt::format("choose at most {} work-items", room / of_a_line));
    const std::span values(problem.values);
    require_room(context, values.size_bytes(), values.size_bytes(), fmt::format("{} values", items),
                 "choose fewer items");
    const Buffer on_device = context.uploaded("upload values", values);
    cl::Kernel kernel = context.kernel("hello", {});
    set_arguments(kernel, on_device);
    CapturedOutput output(StandardStream::output);
    context.launch("print", kernel, cl::NDRange(items), cl::NullRange, {});
    context.finish();
    return ks::basics::printf_result(output.finish());
}

}  // namespace

std::vector<ClVariant> printf_rows() {
    return {{{.id = "hello",
              .title = "Hello from every item",
              .description = "Every work-item prints a line; the driver writes them to standard output.",
              .source_file = "gpu/basics/printf/hello.cl",
              .entry_points = {"hello"},
              .baseline = true,
              .rank = 20},
             launch_hello}};
}

}  // namespace ks::gpu::basics
