#include "gpu/basics/any_order_queue.h"

namespace ks::gpu::basics {

std::optional<cl::CommandQueue> any_order_queue(LaunchContext& context) {
    const cl_command_queue_properties both =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl::Device& device = context.device().device();
    if ((device.getInfo<CL_DEVICE_QUEUE_PROPERTIES>() & both) != both) return std::nullopt;
    return cl::CommandQueue(context.device().context(), device, both);
}

}  // namespace ks::gpu::basics
