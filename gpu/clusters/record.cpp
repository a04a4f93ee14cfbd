#include "gpu/clusters/launch.h"

namespace ks::gpu::clusters {
namespace {

using ks::clusters::TracedModule;
using ks::clusters::TraceKind;
using State = std::vector<std::int32_t>;

constexpr const char* trace_kernels = "gpu/clusters/trace.cl";
constexpr std::size_t group = 64;

class Recorder {
  public:
    Recorder(const TracedModule& module, LaunchContext& context)
        : module_(module),
          context_(context),
          neighbours_(context.uploaded<std::int32_t>("upload_trace", module.neighbours)),
          rank_(context.uploaded<std::int32_t>("upload_trace", module.rank)),
          old_(context.buffer(module.size() * sizeof(cl_int))),
          now_(context.buffer(module.size() * sizeof(cl_int))) {}

    ks::clusters::TraceSteps record(TraceKind kind) {
        cl::Kernel odd =
            context_.kernel(trace_kernels, kind == TraceKind::propagation ? "spread" : "hang", {});
        cl::Kernel even = context_.kernel(trace_kernels, "follow", {});
        const auto n = static_cast<cl_uint>(module_.size()), width = static_cast<cl_uint>(module_.width);
        set_arguments(odd, neighbours_, rank_, old_, now_, n, width);
        set_arguments(even, old_, now_, n);
        return steps_in_turn(
            module_, [&](const State& state) { return step(odd, state); },
            [&](const State& state) { return step(even, state); });
    }

  private:
    State step(const cl::Kernel& kernel, const State& state) {
        for (const Buffer* to : {&old_, &now_})
            context_.upload("upload_trace", *to, std::as_bytes(std::span(state)));
        context_.launch("record_step", kernel, {rounded_up(state.size(), group)}, {group}, {});
        return context_.downloaded<std::int32_t>("download_trace", now_, state.size());
    }

    const TracedModule& module_;
    LaunchContext& context_;
    Buffer neighbours_, rank_, old_, now_;
};

}  // namespace

void record_on_device(const ClusterProblem& problem, TraceKind kind, LaunchContext& context, Result& result) {
    record_trace(result, problem, [&](const TracedModule& module) {
        add_trace(result, module, kind,
                  module.size() == 0 ? ks::clusters::TraceSteps{State{}, State{}}
                                     : Recorder(module, context).record(kind));
    });
}

}  // namespace ks::gpu::clusters
