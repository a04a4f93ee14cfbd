#include <fmt/format.h>
#include <CL/opencl.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/basics/synchronise/synchronise.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::BarrierTrace;
using ks::basics::CommandTimes;
using ks::basics::SynchroniseProblem;

/// Throws ks::Error(input) if the device does not support the groups.
void require_groups_of(const LaunchContext& context, const SynchroniseProblem& problem) {
    require_group(context, problem.local_size, context.info().local_bytes / 2 / sizeof(cl_uint));
    const std::uint64_t bytes = problem.items() * sizeof(cl_uint);
    require_room(context, 12 * bytes, bytes, fmt::format("the trace of {} work-items", problem.items()),
                 "choose fewer groups");
}

/// What a launch reads and writes. Apart from the values, the contents are unlikely values at first.
struct HandOver {
    HandOver(LaunchContext& context, std::uint64_t bytes)
        : values(touched_output(context, bytes)),
          scratch(touched_output(context, bytes)),
          before(touched_output(context, bytes)),
          after(touched_output(context, bytes)),
          by_local(touched_output(context, bytes)),
          by_global(touched_output(context, bytes)) {}

    void set(cl::Kernel& kernel, std::size_t local_size) const {
        set_arguments(kernel, values, scratch, cl::Local(local_size * sizeof(cl_uint)), before, after,
                      by_local, by_global);
    }

    Buffer values, scratch, before, after, by_local, by_global;
};

/// A command with its event; its times are read after completion.
struct Sent {
    std::string name;
    std::uint32_t queue, awaited;
    cl::Event event;
    bool barrier = false;
};

std::vector<CommandTimes> times_of(const std::vector<Sent>& sent) {
    std::vector<CommandTimes> all;
    all.reserve(sent.size());
    const auto first = sent.front().event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>();
    // Some drivers report no times for a barrier: 0, or a time before all commands.
    const auto since = [&](cl_ulong time) {
        return time < first ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(time - first);
    };
    for (const Sent& command : sent)
        all.push_back({command.name, command.queue,
                       since(command.event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>()),
                       since(command.event.getProfilingInfo<CL_PROFILING_COMMAND_SUBMIT>()),
                       since(command.event.getProfilingInfo<CL_PROFILING_COMMAND_START>()),
                       since(command.event.getProfilingInfo<CL_PROFILING_COMMAND_END>()), command.awaited,
                       command.barrier});
    return all;
}

/// Two kernels in an out-of-order queue, a barrier, and a kernel after it. Empty if the
/// device has no such queue.
std::vector<Sent> behind_enqueued_barrier(LaunchContext& context, const SynchroniseProblem& problem,
                                          const cl::Kernel& kernel, std::size_t numbered_from) {
    const auto queue = any_order_queue(context);
    if (!queue) return {};
    const cl::NDRange global(problem.items()), local(problem.local_size);
    std::vector<Sent> sent;
    for (const char* name : {"hand over, any order", "hand over, any order", "enqueued barrier",
                             "hand over behind the barrier"}) {
        const auto number = static_cast<std::uint32_t>(numbered_from + sent.size());
        sent.push_back({name, ks::basics::unordered_queue, number, {}, sent.size() == 2});
        if (sent.back().barrier)
            queue->enqueueBarrierWithWaitList(nullptr, &sent.back().event);
        else
            queue->enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &sent.back().event);
    }
    queue->finish();
    for (const Sent& command : sent)
        if (!command.barrier) context.track("hand over", StageKind::kernel, command.event, {});
    return sent;
}

/// Two kernels in the first queue, one in the second that waits for the first of them, and a read in the
/// first queue that waits for the second queue. The commands are enqueued in this order. Only the kernel in
/// the second queue gets the values, and it has its own buffers: a kernel that reads what another launch left
/// in global or local memory reads wrong values.
Result launch_barriers(const SynchroniseProblem& problem, LaunchContext& context) {
    require_groups_of(context, problem);
    const std::size_t n = problem.items();
    const std::uint64_t bytes = n * sizeof(cl_uint);
    const HandOver checked(context, bytes), others(context, bytes);
    cl::Kernel kernel = context.kernel("hand_over", {});
    const cl::CommandQueue& first = context.device().queue();
    const cl::CommandQueue second(context.device().context(), context.device().device(),
                                  CL_QUEUE_PROFILING_ENABLE);
    const cl::NDRange global(n), local(problem.local_size);
    first.finish();
    BarrierTrace trace;
    trace.by_local.resize(n);

    std::vector<Sent> sent(4);
    std::vector<cl::Event> waits;
    first.enqueueWriteBuffer(checked.values.cl(), CL_FALSE, 0, bytes, problem.values.data(), nullptr,
                             &sent[0].event);
    sent[0] = {"write values", 1, 0, sent[0].event};
    others.set(kernel, problem.local_size);
    first.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &sent[1].event);
    sent[1] = {"hand over", 1, 1, sent[1].event};
    first.flush();
    waits = {sent[1].event};
    checked.set(kernel, problem.local_size);
    second.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, &waits, &sent[2].event);
    sent[2] = {"hand over again", 2, 1, sent[2].event};
    second.flush();
    waits = {sent[2].event};
    first.enqueueReadBuffer(checked.by_local.cl(), CL_FALSE, 0, bytes, trace.by_local.data(), &waits,
                            &sent[3].event);
    sent[3] = {"read local neighbours", 1, 2, sent[3].event};
    first.flush();
    first.finish();
    second.finish();

    context.track("upload values", StageKind::upload, sent[0].event, {bytes, 0});
    context.track("hand over", StageKind::kernel, sent[1].event, {});
    context.track("hand over", StageKind::kernel, sent[2].event, {});
    context.track("download trace", StageKind::download, sent[3].event, {bytes, 0});
    others.set(kernel, problem.local_size);
    for (Sent& command : behind_enqueued_barrier(context, problem, kernel, sent.size()))
        sent.push_back(std::move(command));
    trace.before = context.downloaded<cl_uint>("download trace", checked.before, n);
    trace.after = context.downloaded<cl_uint>("download trace", checked.after, n);
    trace.by_global = context.downloaded<cl_uint>("download trace", checked.by_global, n);
    return barrier_result(problem, trace, times_of(sent));
}

Result launch_race(const SynchroniseProblem& problem, LaunchContext& context) {
    constexpr std::size_t most = std::size_t{1} << 26;  // so that a launch stays short
    if (problem.groups * problem.increments > most)
        throw Error(
            ErrorKind::input,
            fmt::format("{} groups with {} increments each are too many: a race allows at most {} in total",
                        problem.groups, problem.increments, most),
            "increments", fmt::format("choose at most {} per group", most / problem.groups));
    std::vector<std::uint32_t> plain, atomic;
    cl::Kernel kernel = context.kernel("count", {});
    for (std::size_t i = 0; i < problem.repeats; ++i) {
        const Buffer of_plain = context.zeros(sizeof(cl_uint)), of_atomic = context.zeros(sizeof(cl_uint));
        set_arguments(kernel, static_cast<cl_uint>(problem.increments), of_plain, of_atomic);
        context.launch("count", kernel, cl::NDRange(problem.groups), cl::NDRange(1), {});
        plain.push_back(context.downloaded<cl_uint>("download counters", of_plain, 1).front());
        atomic.push_back(context.downloaded<cl_uint>("download counters", of_atomic, 1).front());
    }
    return race_result(problem, plain, atomic);
}

}  // namespace

std::vector<ClVariant> synchronise_rows() {
    return {{{.id = "barriers",
              .title = "Barriers and events",
              .description = "Items pass values to their neighbours across barriers, in two queues that wait "
                             "for each other.",
              .source_file = "gpu/basics/synchronise/barriers.cl",
              .entry_points = {"hand_over"},
              .baseline = true,
              .rank = 20},
             launch_barriers},
            {{.id = "race",
              .title = "Race between groups",
              .description = "A demonstration that runs only if you name it: groups increment a counter "
                             "without an atomic function, so results differ from run to run.",
              .source_file = "gpu/basics/synchronise/race.cl",
              .entry_points = {"count"},
              .rank = 0,
              .by_name_only = true},
             launch_race}};
}

}  // namespace ks::gpu::basics
