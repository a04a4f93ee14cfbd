#include "gpu/spots/copies/memory_copy.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::spots {
namespace {

constexpr std::uint16_t guard_value = 0xbeef;

std::size_t rounded_up(std::size_t n, std::size_t step) {
    return (n + step - 1) / step * step;
}

/// The kernel with the lengths as its arguments, and its ranges.
struct Launch {
    cl::Kernel kernel;
    cl::NDRange global, local;
};

Launch launch_of(const cl::Program& program, const std::vector<std::size_t>& shape, std::size_t lx,
                 std::size_t ly) {
    const std::size_t n = shape.size();
    Launch launch{{program, fmt::format("copy_{}d", n).c_str()}, {}, {}};
    for (std::size_t i = 0; i < n; ++i)
        launch.kernel.setArg(static_cast<cl_uint>(2 + i), static_cast<cl_uint>(shape[i]));
    const std::size_t x = rounded_up(shape[n - 1], lx), y = n > 1 ? rounded_up(shape[n - 2], ly) : 1;
    if (n == 1) {
        launch.global = {x};
        launch.local = {lx};
    } else if (n == 2) {
        launch.global = {x, y};
        launch.local = {lx, ly};
    } else {
        launch.global = {x, y, shape[0]};
        launch.local = {lx, ly, 1};
    }
    return launch;
}

}  // namespace

CopiedBack copy_on_device(DeviceContext& device, std::span<const std::uint16_t> values,
                          const std::vector<std::size_t>& shape, std::size_t lx, std::size_t ly,
                          std::size_t guard) {
    std::size_t count = 1;
    for (const std::size_t length : shape) count *= length;
    if (shape.empty() || shape.size() > 3 || count != values.size())
        throw Error(ErrorKind::run, fmt::format("expected values of 1 to 3 dimensions, found {} of {}",
                                                values.size(), shape.size()));
    const char* const file = "gpu/spots/copies/memory_copy.cl";
    const cl::Program program =
        device.programs()
            .get(file, kernel_text(file), fmt::format("-cl-std=CL1.2 -DLX={} -DLY={}", lx, ly))
            .program;
    Launch launch = launch_of(program, shape, lx, ly);

    const std::size_t bytes = count * sizeof(std::uint16_t);
    const Buffer from(device.context(), bytes, device.meter()),
        to(device.context(), bytes + guard * sizeof(std::uint16_t), device.meter());
    const std::vector<std::uint16_t> before(count + guard, guard_value);
    device.queue().enqueueWriteBuffer(from.cl(), CL_TRUE, 0, bytes, values.data());
    device.queue().enqueueWriteBuffer(to.cl(), CL_TRUE, 0, before.size() * sizeof(std::uint16_t),
                                      before.data());
    launch.kernel.setArg(0, from.cl());
    launch.kernel.setArg(1, to.cl());
    cl::Event event;
    device.queue().enqueueNDRangeKernel(launch.kernel, cl::NullRange, launch.global, launch.local, nullptr,
                                        &event);
    std::vector<std::uint16_t> after(count + guard);
    device.queue().enqueueReadBuffer(to.cl(), CL_TRUE, 0, after.size() * sizeof(std::uint16_t), after.data());
    const bool intact = std::all_of(after.begin() + static_cast<std::ptrdiff_t>(count), after.end(),
                                    [](std::uint16_t value) { return value == guard_value; });
    after.resize(count);
    return {std::move(after), intact, duration(event)};
}

}  // namespace ks::gpu::spots
