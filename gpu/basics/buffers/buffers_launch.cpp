#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/basics/buffers/buffers.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/codes/opencl_code.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::BufferRow;
using ks::basics::BuffersProblem;

struct FlagName {
    cl_mem_flags flag;
    const char* name;
};
constexpr FlagName accesses[] = {
    {CL_MEM_READ_ONLY, "READ_ONLY"}, {CL_MEM_WRITE_ONLY, "WRITE_ONLY"}, {CL_MEM_READ_WRITE, "READ_WRITE"}};
constexpr FlagName places[] = {{CL_MEM_COPY_HOST_PTR, "COPY_HOST_PTR"},
                               {CL_MEM_USE_HOST_PTR, "USE_HOST_PTR"},
                               {CL_MEM_ALLOC_HOST_PTR, "ALLOC_HOST_PTR"}};

struct Freed {
    void operator()(void* memory) const { std::free(memory); }
};

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Buffers of every kind, in turn, and the kernel that doubles their values.
class Kinds {
  public:
    Kinds(const BuffersProblem& problem, LaunchContext& context)
        : problem_(problem), context_(context), queue_(context.device().queue()) {
        context.not_repeatable("it times buffers that exist for one launch only");
        const std::uint64_t bytes = problem.bytes();
        require_room(context, 3 * bytes, bytes,
                     fmt::format("three buffers of {} floats", problem.values.size()),
                     "choose fewer elements");
        plain_ = context.uploaded("upload values", std::span(problem.values));
        out_ = context.buffer(bytes);
        kernel_ = context.kernel("twice", {});
        constexpr std::size_t page = 4096;  // alignment that drivers need to use the memory directly
        memory_.reset(static_cast<float*>(std::aligned_alloc(page, (bytes + page - 1) / page * page)));
        if (!memory_) throw std::bad_alloc();
        doubled_.resize(problem.values.size());
    }

    BufferRow row(const FlagName& access, const FlagName& place) {
        BufferRow row{.name = fmt::format("{} | {}", access.name, place.name)};
        std::vector<double> create, to_device, kernel, to_host;
        row.correct = static_cast<std::uint32_t>(problem_.values.size());
        // the first repeat warms up and is not counted
        for (std::size_t i = 0; i <= problem_.repeats; ++i) {
            BufferRow once;
            try_once(access.flag, place.flag, once);
            row.correct = std::min(row.correct, once.correct);
            if (i == 0) continue;
            create.push_back(once.create);
            to_device.push_back(once.to_device);
            kernel.push_back(once.kernel);
            to_host.push_back(once.to_host);
        }
        row.create = median(create);
        row.to_device = median(to_device);
        row.kernel = median(kernel);
        row.to_host = median(to_host);
        return row;
    }

    /// The outcome of a kernel that writes to a READ_ONLY buffer, as a sentence.
    std::string write_to_read_only() {
        constexpr const char* head = "The standard leaves this undefined. ";
        std::memcpy(memory_.get(), problem_.values.data(), problem_.bytes());
        const auto [held, buffer] = created(CL_MEM_READ_ONLY, CL_MEM_COPY_HOST_PTR);
        try {
            run(plain_.cl(), buffer);
            queue_.enqueueReadBuffer(buffer, CL_TRUE, 0, problem_.bytes(), doubled_.data());
        } catch (const cl::Error& error) {
            return fmt::format("{}{} refused the kernel: {} failed with {}.", head, context_.info().name,
                               error.what(), code_text(error.err()));
        }
        const std::size_t all = doubled_.size(), written = right_values(problem_, doubled_);
        if (written == all)
            return fmt::format("{}{} let the kernel write all {} values, as if the buffer were READ_WRITE.",
                               head, context_.info().name, all);
        return fmt::format("{}{} ran the kernel without an error, and {} of {} values were written.", head,
                           context_.info().name, written, all);
    }

  private:
    /// A buffer of the given kind, counted as device memory.
    struct Created {
        HeldBytes held;
        cl::Buffer buffer;
    };

    Created created(cl_mem_flags access, cl_mem_flags place) {
        float* const host = place == CL_MEM_ALLOC_HOST_PTR ? nullptr : memory_.get();
        return {HeldBytes(context_.device().memory(), problem_.bytes()),
                cl::Buffer(context_.device().context(), access | place, problem_.bytes(), host)};
    }

    std::uint64_t run(const cl::Buffer& from, const cl::Buffer& to) {
        set_arguments(kernel_, from, to);
        const std::size_t n = problem_.values.size();
        const cl::Event event =
            context_.launch("double", kernel_, cl::NDRange(n), cl::NullRange, {2 * problem_.bytes(), n});
        event.wait();
        return duration(event);
    }

    void try_once(cl_mem_flags access, cl_mem_flags place, BufferRow& once) {
        queue_.finish();
        std::memcpy(memory_.get(), problem_.values.data(), problem_.bytes());  // a buffer may have used it
        Stopwatch watch;
        const auto [held, buffer] = created(access, place);
        once.create = static_cast<double>(watch.lap());
        const std::uint64_t bytes = problem_.bytes();
        const bool mapped = place != CL_MEM_COPY_HOST_PTR;
        if (place == CL_MEM_ALLOC_HOST_PTR) {
            watch.lap();
            void* const there = queue_.enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_WRITE, 0, bytes);
            std::memcpy(there, problem_.values.data(), bytes);
            queue_.enqueueUnmapMemObject(buffer, there);
            queue_.finish();
            once.to_device = static_cast<double>(watch.lap());
        }
        const bool reads = access != CL_MEM_WRITE_ONLY, writes = access != CL_MEM_READ_ONLY;
        if (!writes) context_.fill_with_unlikely(out_, bytes);
        once.kernel = static_cast<double>(run(reads ? buffer : plain_.cl(), writes ? buffer : out_.cl()));
        // a READ_ONLY buffer returns the values themselves; the doubled ones are elsewhere
        watch.lap();
        if (mapped) {
            void* const there = queue_.enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_READ, 0, bytes);
            std::memcpy(doubled_.data(), there, bytes);
            queue_.enqueueUnmapMemObject(buffer, there);
            queue_.finish();
        } else {
            queue_.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, doubled_.data());
        }
        once.to_host = static_cast<double>(watch.lap());
        const bool kept = writes || doubled_ == problem_.values;
        if (!writes) queue_.enqueueReadBuffer(out_.cl(), CL_TRUE, 0, bytes, doubled_.data());
        once.correct = kept ? right_values(problem_, doubled_) : 0;
    }

    const BuffersProblem& problem_;
    LaunchContext& context_;
    const cl::CommandQueue& queue_;
    Buffer plain_, out_;
    cl::Kernel kernel_;
    std::unique_ptr<float, Freed> memory_;
    std::vector<float> doubled_;
};

Result launch_kinds(const BuffersProblem& problem, LaunchContext& context) {
    Kinds kinds(problem, context);
    std::vector<BufferRow> rows;
    for (const FlagName& access : accesses)
        for (const FlagName& place : places) {
            context.progress().report(static_cast<double>(rows.size()) / 9, "buffers");
            rows.push_back(kinds.row(access, place));
        }
    const std::string read_only = problem.write_to_read_only ? kinds.write_to_read_only() : std::string();
    return buffers_result(problem, rows, read_only);
}

}  // namespace

std::vector<ClVariant> buffers_rows() {
    return {
        {{.id = "every.kind",
          .title = "All kinds of buffers",
          .description =
              "A kernel doubles values in buffers with each access flag and each host-pointer flag, in turn.",
          .source_file = "gpu/basics/buffers/twice.cl",
          .entry_points = {"twice"},
          .baseline = true,
          .rank = 20},
         launch_kinds}};
}

}  // namespace ks::gpu::basics
