#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/basics/memory_spaces/memory_spaces.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::MemorySpacesProblem;
using ks::basics::Quad;
using ks::basics::SpaceCurve;

constexpr std::size_t wg = 64;
constexpr std::size_t largest_private = 4096;  ///< bytes per work-item

/// Measures every memory space in turn with the same reads.
class Measurement {
  public:
    Measurement(const MemorySpacesProblem& problem, LaunchContext& context)
        : problem_(problem), context_(context), items_(problem.items.value_or(by_the_device())) {
        const std::uint64_t bytes = problem.data.size() * sizeof(Quad), of_sums = items_ * sizeof(cl_uint);
        require_room(context, bytes + of_sums, std::max(bytes, of_sums),
                     fmt::format("{} bytes and the sums of {} work-items", bytes, items_),
                     "choose a smaller --largest");
        data_ = context.uploaded("upload data", std::span(problem.data));
        sums_ = context.buffer(of_sums);
    }

    std::uint64_t items() const { return items_; }

    /// @param limit bytes that fit there; @param set sets the arguments from number 5 on
    SpaceCurve read(const char* name, const char* title, std::uint64_t limit,
                    const std::function<cl::Kernel(std::size_t quads)>& kernel_of) {
        SpaceCurve curve{name, title, {}, {}};
        for (const std::size_t quads : problem_.sizes) {
            context_.progress().report(0, title);
            if (quads * sizeof(Quad) > limit) {
                curve.gigabytes_per_second.emplace_back();
                curve.sums.emplace_back();
                continue;
            }
            cl::Kernel kernel = kernel_of(quads);
            kernel.setArg(0, static_cast<cl_uint>(items_));
            kernel.setArg(1, static_cast<cl_uint>(problem_.passes));
            kernel.setArg(2, static_cast<cl_uint>(ks::basics::step_of(quads, items_)));
            kernel.setArg(3, static_cast<cl_uint>(quads - 1));
            set_argument(kernel, 4, sums_);
            const std::uint64_t moved = items_ * problem_.passes * sizeof(Quad);
            const double time = median_of(problem_.repeats, [&] {
                context_.fill_with_unlikely(sums_, items_ * sizeof(cl_uint));
                const cl::Event event =
                    context_.launch(fmt::format("read {}", name), kernel, cl::NDRange(rounded_up(items_, wg)),
                                    cl::NDRange(wg), {moved, 0});
                event.wait();
                return duration(event);
            });
            curve.gigabytes_per_second.emplace_back(static_cast<double>(moved) / time);
            const auto sums = context_.downloaded<cl_uint>("download sums", sums_, items_);
            curve.sums.emplace_back(std::accumulate(sums.begin(), sums.end(), cl_uint{0}));
        }
        return curve;
    }

    /// From the host to the device, or back, until the call returns.
    SpaceCurve transfer(const char* name, const char* title, bool to_device) {
        SpaceCurve curve{name, title, {}, {}};
        const auto& queue = context_.device().queue();
        std::vector<Quad> host = problem_.data;
        for (const std::size_t quads : problem_.sizes) {
            context_.progress().check();
            const std::size_t bytes = quads * sizeof(Quad);
            const double time = median_of(problem_.repeats, [&] {
                Stopwatch watch;
                if (to_device)
                    queue.enqueueWriteBuffer(data_.cl(), CL_TRUE, 0, bytes, host.data());
                else
                    queue.enqueueReadBuffer(data_.cl(), CL_TRUE, 0, bytes, host.data());
                return watch.lap();
            });
            curve.gigabytes_per_second.emplace_back(static_cast<double>(bytes) / time);
        }
        return curve;
    }

    cl::Kernel kernel(const char* entry_point, const std::map<std::string, std::string>& defines = {}) {
        cl::Kernel made = context_.kernel(entry_point, defines);
        set_argument(made, 5, data_);
        return made;
    }

    /// A constant argument is a buffer of at most the device's limit.
    cl::Kernel constant_kernel(std::size_t quads) {
        cl::Kernel made = context_.kernel("read_constant", {});
        part_ = context_.uploaded("upload constants", std::span(problem_.data).first(quads));
        set_argument(made, 5, part_);
        return made;
    }

  private:
    std::uint64_t by_the_device() const { return context_.info().type == "GPU" ? 1 << 17 : 1 << 16; }

    const MemorySpacesProblem& problem_;
    LaunchContext& context_;
    std::uint64_t items_;
    Buffer data_, sums_, part_;
};

Result launch_spaces(const MemorySpacesProblem& problem, LaunchContext& context) {
    Measurement measure(problem, context);
    const std::uint64_t everything = problem.data.size() * sizeof(Quad);
    std::vector<SpaceCurve> curves;
    curves.push_back(measure.read("private", "Private", largest_private, [&](std::size_t quads) {
        return measure.kernel("read_private", {{"QUADS", std::to_string(quads)}});
    }));
    // some drivers reserve a little of the local memory
    curves.push_back(measure.read("local", "Local", context.info().local_bytes / 2, [&](std::size_t quads) {
        cl::Kernel kernel = measure.kernel("read_local");
        kernel.setArg(6, cl::Local(quads * sizeof(Quad)));
        return kernel;
    }));
    curves.push_back(measure.read("constant", "Constant", context.info().constant_bytes,
                                  [&](std::size_t quads) { return measure.constant_kernel(quads); }));
    curves.push_back(measure.read("global", "Global", everything,
                                  [&](std::size_t) { return measure.kernel("read_global"); }));
    curves.push_back(measure.transfer("to_device", "Host to device", true));
    curves.push_back(measure.transfer("to_host", "Device to host", false));
    return memory_spaces_result(problem, measure.items(), curves);
}

}  // namespace

std::vector<ClVariant> memory_spaces_rows() {
    return {{{.id = "every.space",
              .title = "All memory spaces",
              .description = "The same reads are timed from private, local, constant and global memory, and "
                             "transfers are timed, too.",
              .source_file = "gpu/basics/memory_spaces/spaces.cl",
              .entry_points = {"read_private", "read_local", "read_constant", "read_global"},
              .baseline = true,
              .rank = 20},
             launch_spaces}};
}

}  // namespace ks::gpu::basics
