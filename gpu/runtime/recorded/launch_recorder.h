#pragma once

#include <CL/opencl.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/backend.h"
#include "gpu/runtime/device_context.h"

namespace ks::gpu {

/// The kernels and fills of one run with their arguments, and all buffers that were made while it lived, to
/// be launched again. Each launch has a kernel object of its own: a copy that the driver makes with the
/// arguments that are set (OpenCL 2.1).
///
/// A repetition does the same work as the run where it finds the same: buffers that kernels write first, or
/// that are filled, whose fills are repeated, and uploads that no kernel changed. So a run that uploads to a
/// buffer again after kernels is refused, and a copy of each upload is compared in the end, as is all that
/// was downloaded.
class LaunchRecorder : public RecordedLaunches {
  public:
    explicit LaunchRecorder(DeviceContext& device);
    ~LaunchRecorder() override;
    LaunchRecorder(const LaunchRecorder&) = delete;
    LaunchRecorder& operator=(const LaunchRecorder&) = delete;

    void launched(const cl::Kernel& kernel, const cl::NDRange& offset, const cl::NDRange& global,
                  const cl::NDRange& local);
    /// The first `bytes`.
    void filled(const Buffer& to, std::vector<std::byte> pattern, std::uint64_t bytes);
    /// On the device once `event` is done.
    void uploaded(const Buffer& to, const cl::Event& event);
    void downloaded(const Buffer& from, std::uint64_t offset, std::uint64_t bytes);
    void refuse(const std::string& why);
    /// The run is done. Throws ks::Error(input) where it cannot be repeated, cl::Error.
    void end(const std::string& variant);

    std::size_t commands() const override { return commands_.size(); }
    RepeatedLaunches repeat(std::size_t count, Progress& progress) override;
    std::string why_not_the_same() override;

  private:
    /// A launch; or a fill, where there is no kernel.
    struct Command {
        cl::Kernel kernel;
        cl::NDRange offset, global, local;
        cl::Buffer filled;
        std::vector<std::byte> pattern;
        std::uint64_t bytes;
    };
    /// A buffer that the host wrote, and a copy from before kernels.
    struct Upload {
        cl::Buffer buffer, copy;
        std::uint64_t bytes;
        std::size_t commands_before;
    };
    struct Output {
        cl::Buffer buffer;
        std::uint64_t offset, bytes;
        std::vector<std::byte> values;  ///< after the run
    };
    void enqueue(const Command& command, cl::Event* event) const;
    std::vector<std::byte> read(const cl::Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) const;

    DeviceContext& device_;
    std::vector<cl::Buffer> buffers_;
    std::vector<Command> commands_;
    std::map<cl_mem, Upload> uploads_;
    std::vector<Output> outputs_;
    std::string refused_;
    bool collects_ = true;  ///< until the run is done
};

}  // namespace ks::gpu
