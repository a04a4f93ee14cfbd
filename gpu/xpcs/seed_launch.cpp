#include "gpu/xpcs/launch.h"

#include <algorithm>
#include <functional>

#include "core/xpcs/correlation.h"
#include "gpu/runtime/cl_name.h"
#include "gpu/runtime/resident_data.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::xpcs {
namespace {

/// Pixel pairs per second assumed of a device until the first launch has been timed. Low, so that the first
/// launch is short.
double seed_rate_guess(const DeviceInfo& info) {
    return info.compute_units * (info.type == "GPU" ? 2e9 : 1e8);
}

/// Pixel pairs of delays [tau0, tau1) of a bin of n pixels.
double pairs(std::size_t frames, std::size_t n, std::size_t tau0, std::size_t tau1) {
    double sum = 0;
    for (std::size_t tau = tau0; tau < tau1; ++tau) sum += static_cast<double>(frames - tau);
    return sum * static_cast<double>(n);
}

using LaunchPart =
    std::function<cl::Event(std::size_t bin, std::size_t bins, std::size_t tau, std::size_t taus)>;

/// Covers all (bin, delay) with launches that are meant to be short: all bins and as many delays as fit, or,
/// if `grain` delays of all bins are too many, one bin. The number of delays passed to `launch` is a multiple
/// of `grain`.
void cover(const CorrelationProblem& problem, LaunchContext& context, std::size_t grain,
           const LaunchPart& launch) {
    const ks::QPartition& partition = problem.partition();
    const std::size_t frames = problem.frames(), bins = partition.bins();
    const auto [begin, delays] = problem.delays_of_any();
    Slicer slicer(context, seed_rate_guess(context.info()));
    const double total = std::max(1.0, pairs(frames, partition.selected(), begin, delays));
    double done = 0;
    const auto part = [&](std::size_t bin, std::size_t some_bins, std::size_t tau, std::size_t stop,
                          double work) {
        const cl::Event event = launch(bin, some_bins, tau, rounded_up(stop - tau, grain));
        if (work >= total) return;  // all in one
        event.wait();
        slicer.took(work, duration(event));
        done += work;
        context.progress().report(done / total, "correlate");
    };
    for (std::size_t tau = begin; tau < delays;) {
        std::size_t stop = std::min(delays, tau + grain);
        double work = pairs(frames, partition.selected(), tau, stop);
        if (work > slicer.units()) {
            for (std::size_t bin = 0; bin < bins; ++bin)
                part(bin, 1, tau, stop, pairs(frames, partition.bin_size(bin), tau, stop));
        } else {
            while (stop < delays) {
                const std::size_t next = std::min(delays, stop + grain);
                const double more = pairs(frames, partition.selected(), stop, next);
                if (work + more > slicer.units()) break;
                work += more;
                stop = next;
            }
            part(0, bins, tau, stop, work);
        }
        tau = stop;
    }
}

/// What both published correlators need on the device.
struct Inputs {
    const CorrelationProblem& problem;
    std::map<std::string, std::string> defines;
    std::shared_ptr<const Buffer> frames;
    Buffer offsets, pixels, g2, g2_err;
    cl_uint frame_count, frame_pixels, selected;

    std::size_t values() const { return problem.partition().bins() * problem.frames(); }
    std::size_t wanted() const {
        const auto [begin, end] = problem.delays_of_any();
        return problem.partition().bins() * (end - begin);
    }
    Cost cost() const {
        const auto [begin, end] = problem.delays_of_any();
        const auto n =
            static_cast<std::uint64_t>(pairs(problem.frames(), problem.partition().selected(), begin, end));
        return {2 * n * size_of(problem.source_type()), n};
    }
};

Inputs prepare(const CorrelationProblem& problem, LaunchContext& context, std::uint64_t more) {
    const ks::QPartition& partition = problem.partition();
    const std::uint64_t others = more +
                                 (partition.offsets().size() + partition.selected()) * sizeof(cl_uint) +
                                 2 * partition.bins() * problem.frames() * sizeof(double);
    require_resident(context, problem.frames_bytes(), others, problem.source_name(),
                     "choose a variant that streams, or select fewer frames");
    auto defines = tuned_defines(context, problem.source_type());
    defines["SRC"] = cl_name(problem.source_type());
    defines["S_T"] = problem.compact() == ElementType::f32 ? "double" : "ulong";
    const std::shared_ptr<const Buffer> frames = frames_on_device(context, problem, others);
    Inputs inputs{problem,
                  defines,
                  frames,
                  context.uploaded<std::uint32_t>("upload partition", partition.offsets()),
                  context.uploaded<std::uint32_t>("upload partition", partition.pixels()),
                  {},
                  {},
                  static_cast<cl_uint>(problem.frames()),
                  static_cast<cl_uint>(problem.height() * problem.width()),
                  static_cast<cl_uint>(partition.selected())};
    inputs.g2 = context.buffer(inputs.values() * sizeof(double));
    inputs.g2_err = context.buffer(inputs.values() * sizeof(double));
    return inputs;
}

Result collect(const Inputs& inputs, LaunchContext& context) {
    ks::xpcs::Correlation correlation;
    correlation.bins = inputs.problem.partition().bins();
    correlation.frames = inputs.problem.frames();
    correlation.g2 = context.downloaded<double>("download g2", inputs.g2, inputs.values());
    correlation.g2_err = context.downloaded<double>("download g2", inputs.g2_err, inputs.values());
    return ks::xpcs::to_result(std::move(correlation), inputs.problem);
}

/// Cost of a part, by its share of the (bin, delay) values.
Cost share(const Cost& whole, std::size_t part, std::size_t all) {
    const double fraction = static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(all, 1));
    return {static_cast<std::uint64_t>(static_cast<double>(whole.bytes) * fraction),
            static_cast<std::uint64_t>(static_cast<double>(whole.operations) * fraction)};
}

}  // namespace

Result launch_seed_naive(const CorrelationProblem& problem, LaunchContext& context) {
    Inputs inputs = prepare(problem, context, 0);
    cl::Kernel kernel = context.kernel("correlate", inputs.defines);
    set_arguments(kernel, *inputs.frames, inputs.offsets, inputs.pixels, inputs.g2, inputs.g2_err,
                  inputs.frame_count, inputs.frame_pixels);
    const std::size_t group = number(inputs.defines, "WG");
    cover(problem, context, group, [&](std::size_t bin, std::size_t bins, std::size_t tau, std::size_t taus) {
        return context.launch("correlate", kernel, {bins, taus}, {1, group},
                              share(inputs.cost(), bins * taus, inputs.wanted()), {bin, tau});
    });
    return collect(inputs, context);
}

Result launch_seed_ordered(const CorrelationProblem& problem, LaunchContext& context) {
    const std::uint64_t ordered_bytes =
        std::uint64_t{problem.frames()} * problem.partition().selected() * size_of(problem.source_type());
    Inputs inputs = prepare(problem, context, ordered_bytes);
    const Buffer ordered = context.buffer(ordered_bytes);
    const std::size_t group = number(inputs.defines, "WG"), bins = problem.partition().bins();

    cl::Kernel reorder = context.kernel("reorder", inputs.defines);
    set_arguments(reorder, *inputs.frames, inputs.offsets, inputs.pixels, ordered, inputs.selected,
                  inputs.frame_pixels);
    context.launch("reorder", reorder, {group, bins, problem.frames()}, {group, 1, 1},
                   {2 * ordered_bytes, ordered_bytes / size_of(problem.source_type())});

    cl::Kernel kernel = context.kernel("correlate", inputs.defines);
    set_arguments(kernel, ordered, inputs.offsets, inputs.g2, inputs.g2_err, inputs.frame_count,
                  inputs.selected);
    cover(problem, context, 1,
          [&](std::size_t bin, std::size_t some_bins, std::size_t tau, std::size_t taus) {
              return context.launch("correlate", kernel, {group, some_bins, taus}, {group, 1, 1},
                                    share(inputs.cost(), some_bins * taus, inputs.wanted()), {0, bin, tau});
          });
    return collect(inputs, context);
}

}  // namespace ks::gpu::xpcs
