#include "gpu/runtime/recorded/launch_recorder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "gpu/runtime/codes/opencl_code.h"
#include "gpu/runtime/device_query.h"

// From OpenCL 2.1; the headers here are set to 1.2, which is what kernels need.
extern "C" CL_API_ENTRY cl_kernel CL_API_CALL clCloneKernel(cl_kernel, cl_int*);

namespace ks::gpu {
namespace {

/// "OpenCL 3.0 PoCL ..." can copy kernels, "OpenCL 1.2 CUDA" cannot.
bool has_kernel_copies(const DeviceInfo& device) {
    return device.version.starts_with("OpenCL 2.1") || device.version.starts_with("OpenCL 2.2") ||
           device.version.starts_with("OpenCL 3");
}

}  // namespace

LaunchRecorder::LaunchRecorder(DeviceContext& device) : device_(device) {
    if (!has_kernel_copies(device.info()))
        throw Error(ErrorKind::input,
                    fmt::format("repeating only the kernel launches requires copies of the kernel "
                                "objects (clCloneKernel, OpenCL 2.1), but the driver only supports {}",
                                device.info().version),
                    device.info().name, "time whole runs instead");
    device_.memory()->collect(&buffers_);
}

LaunchRecorder::~LaunchRecorder() {
    if (collects_) device_.memory()->collect(nullptr);
    device_.memory()->let_go(buffers_);
}

void LaunchRecorder::launched(const cl::Kernel& kernel, const cl::NDRange& offset, const cl::NDRange& global,
                              const cl::NDRange& local) {
    if (!refused_.empty()) return;
    cl_int failed = CL_SUCCESS;
    const cl_kernel copy = clCloneKernel(kernel(), &failed);
    if (failed != CL_SUCCESS || copy == nullptr)
        return refuse(fmt::format("the driver could not copy a kernel: {}", code_text(failed)));
    commands_.push_back({cl::Kernel(copy), offset, global, local, {}, {}, 0});
}

void LaunchRecorder::filled(const Buffer& to, std::vector<std::byte> pattern, std::uint64_t bytes) {
    if (refused_.empty()) commands_.push_back({{}, {}, {}, {}, to.cl(), std::move(pattern), bytes});
}

void LaunchRecorder::uploaded(const Buffer& to, const cl::Event& event) {
    if (!refused_.empty()) return;
    const auto [at, is_new] = uploads_.try_emplace(to.cl()(), Upload{to.cl(), {}, to.bytes(), 0});
    Upload& upload = at->second;
    if (!is_new && upload.commands_before != commands_.size())
        return refuse(
            "it uploads to a buffer again between its launches, as variants that work piece by piece do");
    upload.commands_before = commands_.size();
    try {
        if (is_new) upload.copy = cl::Buffer(device_.context(), CL_MEM_READ_WRITE, to.bytes());
        const std::vector<cl::Event> before{event};
        device_.queue().enqueueCopyBuffer(upload.buffer, upload.copy, 0, 0, upload.bytes, &before);
    } catch (const cl::Error& error) {
        refuse(
            fmt::format("there is not enough memory for a copy of its uploads: {}", code_text(error.err())));
    }
}

void LaunchRecorder::downloaded(const Buffer& from, std::uint64_t offset, std::uint64_t bytes) {
    const bool known = std::ranges::any_of(outputs_, [&](const Output& output) {
        return output.buffer() == from.cl()() && output.offset == offset && output.bytes == bytes;
    });
    if (refused_.empty() && !known && bytes > 0) outputs_.push_back({from.cl(), offset, bytes, {}});
}

void LaunchRecorder::refuse(const std::string& why) {
    if (!refused_.empty()) return;
    refused_ = why;
    commands_.clear();
    uploads_.clear();
    outputs_.clear();
}

void LaunchRecorder::end(const std::string& variant) {
    collects_ = false;
    device_.memory()->collect(nullptr);
    if (refused_.empty() && commands_.empty()) refused_ = "it launches no kernel";
    if (refused_.empty() && outputs_.empty()) refused_ = "it downloads no result that could be compared";
    if (!refused_.empty())
        throw Error(ErrorKind::input, "its kernels cannot be repeated alone: " + refused_, variant);
    for (Output& output : outputs_) output.values = read(output.buffer, output.offset, output.bytes);
}

void LaunchRecorder::enqueue(const Command& command, cl::Event* event) const {
    const cl::CommandQueue& queue = device_.queue();
    if (command.kernel() != nullptr) {
        queue.enqueueNDRangeKernel(command.kernel, command.offset, command.global, command.local, nullptr,
                                   event);
        return;
    }
    cl_event made = nullptr;
    const cl_int failed =
        clEnqueueFillBuffer(queue(), command.filled(), command.pattern.data(), command.pattern.size(), 0,
                            command.bytes, 0, nullptr, event != nullptr ? &made : nullptr);
    if (failed != CL_SUCCESS) throw cl::Error(failed, "clEnqueueFillBuffer");
    if (event != nullptr) *event = cl::Event(made);
}

RepeatedLaunches LaunchRecorder::repeat(std::size_t count, Progress& progress) try {
    // Checks for a cancellation between long repetitions, while the device already has the next one.
    constexpr std::uint64_t long_nanoseconds = 5'000'000;
    struct Ends {
        cl::Event first, last;
    };
    std::vector<Ends> ends(count);
    RepeatedLaunches times;
    device_.queue().finish();
    bool takes_long = true;
    Stopwatch watch;
    for (std::size_t i = 0; i < count; ++i) {
        if (takes_long && i >= 2) {
            progress.check();
            ends[i - 2].last.wait();
            takes_long = ends[i - 2].last.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                             ends[i - 2].first.getProfilingInfo<CL_PROFILING_COMMAND_START>() >
                         long_nanoseconds;
        }
        for (std::size_t k = 0; k < commands_.size(); ++k)
            enqueue(commands_[k], k + 1 == commands_.size() ? &ends[i].last
                                  : k == 0                  ? &ends[i].first
                                                            : nullptr);
        if (commands_.size() == 1) ends[i].first = ends[i].last;
        device_.queue().flush();
    }
    device_.queue().finish();
    times.wall_nanoseconds = static_cast<double>(watch.lap());
    for (const Ends& one : ends) {
        const cl_ulong start = one.first.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
                       end = one.last.getProfilingInfo<CL_PROFILING_COMMAND_END>();
        times.device_nanoseconds.push_back(end > start ? static_cast<double>(end - start) : 0.0);
    }
    progress.check();
    return times;
} catch (const cl::Error& error) {
    throw to_error(error, "repeated launches on " + device_.info().name);
}

std::string LaunchRecorder::why_not_the_same() try {
    for (const auto& [memory, upload] : uploads_)
        if (read(upload.buffer, 0, upload.bytes) != read(upload.copy, 0, upload.bytes))
            return "its kernels change what was uploaded, so they do different work when launched again";
    for (const Output& output : outputs_)
        if (read(output.buffer, output.offset, output.bytes) != output.values)
            return "its kernels give a different result when they are launched again";
    return {};
} catch (const cl::Error& error) {
    throw to_error(error, "repeated launches on " + device_.info().name);
}

std::vector<std::byte> LaunchRecorder::read(const cl::Buffer& buffer, std::uint64_t offset,
                                            std::uint64_t bytes) const {
    std::vector<std::byte> values(bytes);
    device_.queue().enqueueReadBuffer(buffer, CL_TRUE, offset, bytes, values.data());
    return values;
}

}  // namespace ks::gpu
