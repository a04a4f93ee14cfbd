#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/basics/tasks/tasks.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::TasksProblem;

/// Tasks on the device, and the kernel with its arguments.
class TaskKernel {
  public:
    TaskKernel(const TasksProblem& problem, LaunchContext& context) : problem_(problem), context_(context) {
        require_vectors(context, 2, problem_.size(), 0);
        x_ = input_on_device(context, fmt::format("tasks {} {}", problem_.size(), problem_.seed()),
                             problem_.x(), problem_.bytes());
        c_ = touched_output(context, problem_.bytes());
        kernel_ = context.kernel("advance", {});
        set_arguments(kernel_, static_cast<cl_uint>(problem_.steps()), *x_, c_);
    }

    std::size_t size() const { return problem_.size(); }
    cl::Kernel& kernel() { return kernel_; }
    bool in_any_order() const { return problem_.in_any_order(); }
    Cost cost(std::size_t tasks) const {
        return {2 * sizeof(cl_uint) * tasks, std::uint64_t{tasks} * problem_.steps()};
    }
    /// Records the times of a launch that has ended.
    void ended(const cl::Event& event) {
        begin_ = std::min(begin_, event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
        end_ = std::max(end_, event.getProfilingInfo<CL_PROFILING_COMMAND_END>());
        ++launches_;
    }
    Result result() {
        Array c = downloaded_array(context_, "download numbers", c_, ElementType::u32, {problem_.size()});
        return ks::basics::tasks_result(std::move(c), launches_, end_ - begin_);
    }

  private:
    const TasksProblem& problem_;
    LaunchContext& context_;
    std::shared_ptr<const Buffer> x_;
    Buffer c_;
    cl::Kernel kernel_;
    cl_ulong begin_ = std::numeric_limits<cl_ulong>::max(), end_ = 0;
    std::size_t launches_ = 0;
};

/// As few launches as possible, each short enough for Cancel.
Result launch_all_tasks(const TasksProblem& problem, LaunchContext& context) {
    TaskKernel tasks(problem, context);
    Slicer slicer(context, 1e9);
    for (std::size_t first = 0; first < tasks.size();) {
        const double each = static_cast<double>(tasks.cost(1).operations);
        const std::size_t some = std::min(
            tasks.size() - first,
            std::max<std::size_t>(256, static_cast<std::size_t>(std::min(slicer.units() / each, 1e18))));
        const cl::Event event = context.launch("advance", tasks.kernel(), cl::NDRange(some), cl::NullRange,
                                               tasks.cost(some), cl::NDRange(first));
        first += some;
        event.wait();
        tasks.ended(event);
        slicer.took(static_cast<double>(some) * each, duration(event));
        context.progress().report(static_cast<double>(first) / static_cast<double>(tasks.size()), "advance");
    }
    return tasks.result();
}

/// The requested queue. Throws ks::Error(input) if the device has no such queue.
cl::CommandQueue queue_of_tasks(LaunchContext& context, bool in_any_order) {
    if (!in_any_order) return context.device().queue();
    if (const auto queue = any_order_queue(context)) return *queue;
    throw Error(ErrorKind::input, fmt::format("{} does not support out-of-order queues", context.info().name),
                "queue", "choose in_order");
}

Result launch_each_task(const TasksProblem& problem, LaunchContext& context) {
    constexpr std::size_t waiting = 64;
    TaskKernel tasks(problem, context);
    const cl::CommandQueue queue = queue_of_tasks(context, tasks.in_any_order());
    for (std::size_t first = 0; first < tasks.size();) {
        context.progress().report(static_cast<double>(first) / static_cast<double>(tasks.size()), "advance");
        std::vector<cl::Event> events(std::min(waiting, tasks.size() - first));
        for (cl::Event& event : events) {
            tasks.kernel().setArg(3, static_cast<cl_uint>(first++));
            queue.enqueueNDRangeKernel(tasks.kernel(), cl::NullRange, cl::NDRange(1), cl::NDRange(1), nullptr,
                                       &event);
        }
        queue.finish();
        for (const cl::Event& event : events) {
            context.track("advance", StageKind::kernel, event, tasks.cost(1));
            tasks.ended(event);
        }
    }
    return tasks.result();
}

}  // namespace

std::vector<ClVariant> tasks_rows() {
    return {{{.id = "one.launch",
              .title = "All tasks in one launch",
              .description = "Data parallel: each task is one work-item of a single launch.",
              .source_file = "gpu/basics/tasks/all_tasks.cl",
              .entry_points = {"advance"},
              .rank = 30},
             launch_all_tasks},
            {{.id = "launch.each",
              .title = "One launch per task",
              .description = "Task parallel: each task is a launch of one work-item.",
              .source_file = "gpu/basics/tasks/one_task.cl",
              .entry_points = {"advance"},
              .baseline = true,
              .rank = 10},
             launch_each_task}};
}

}  // namespace ks::gpu::basics
