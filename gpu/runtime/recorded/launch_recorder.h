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

/// The kernels and fills of one run with their arguments, and all buffers created while it lived, to be
/// launched again. Each launch has its own kernel object: a copy that the driver makes with the arguments set
/// (OpenCL 2.1).
///
/// A repetition does the same work as the run if it finds the same state. This holds for buffers that kernels
/// write before they read them, for buffers that are filled (fills are repeated), and for uploads that no
/// kernel changed. Therefore a run that uploads to a buffer again after kernels is refused. At the end, each
/// upload is compared with a copy, and everything that was downloaded is compared, too.
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
    /// The run is done. Throws ks::Error(input) if it cannot be repeated, and cl::Error.
    void end(const std::string& variant);

    std::size_t commands() const override { return commands_.size(); }
    RepeatedLaunches repeat(std::size_t count, Progress& progress) override;
    std::string why_not_the_same() override;

  private:
    /// A launch; or a fill, if there is no kernel.
    struct Command {
        cl::Kernel kernel;
        cl::NDRange offset, global, local;
        cl::Buffer filled;
        std::vector<std::byte> pattern;
        std::uint64_t bytes;
    };
    /// A buffer that the host wrote, and a copy from before the kernels.
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
