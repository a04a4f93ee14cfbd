#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/run/engine.h"
#include "core/xpcs/problem.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::tests {

inline Engine& correlator_engine() {
    static Engine* const made = [] {
        auto registry = std::make_shared<const Registry>();
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(gpu::make_opencl_backend());
        backends.push_back(std::make_unique<HostBackend>(registry->host_variants()));
        return new Engine(registry, std::move(backends));
    }();
    return *made;
}

/// The OpenCL devices that are found.
inline std::vector<DeviceInfo> opencl_devices() {
    std::vector<DeviceInfo> all;
    for (const DeviceInfo& device : correlator_engine().devices())
        if (device.type != "host") all.push_back(device);
    return all;
}

/// A small series of frames of one row of random counts below `counts`, in `bins` bins of pixels that are not
/// adjacent.
template <class T>
struct RandomSeries {
    std::size_t frames, pixels;
    std::int32_t bins = 2;
    double counts = 6, scale = 1, offset = 0;
    std::vector<std::size_t> left_out = {};
    std::size_t delays = 0;          ///< 0: all
    std::uint64_t keep = 1U << 30U;  ///< 0: frames are read again

    std::shared_ptr<const xpcs::CorrelationProblem> problem() const {
        std::mt19937 random(29);
        std::vector<T> values;
        for (std::size_t i = 0; i < frames * pixels; ++i)
            values.push_back(
                static_cast<T>(scale * static_cast<double>(static_cast<std::uint64_t>(
                                           static_cast<double>(random()) / 4294967296.0 * counts)) +
                               offset));
        std::vector<std::int32_t> labels;
        for (std::size_t p = 0; p < pixels; ++p)
            labels.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(bins + 1)));
        labels[0] = 1;
        Progress progress;
        auto scan = std::make_shared<xpcs::FrameScan>(
            std::make_shared<MemoryFrames>("series", Array::of<T>({frames, 1, pixels}, values)),
            io::FrameRange{0, frames, left_out}, keep, progress);
        auto made = std::make_shared<xpcs::CorrelationProblem>(
            scan, QPartition(1, pixels, labels, static_cast<std::size_t>(bins)), 0, std::nullopt, progress);
        if (delays > 0) made->limit_delays(delays);
        return made;
    }
};

struct CorrelatorRun {
    std::string variant;
    ParameterSet parameters = {};
    std::map<std::string, std::string> defines = {};
    std::optional<std::uint64_t> limit = {};

    Run on(const std::string& device, const std::shared_ptr<const Problem>& problem,
           CheckMode check = CheckMode::none) const {
        Request request;
        request.analysis = "xpcs";
        request.variant = variant;
        request.device = device;
        request.parameters = parameters;
        request.defines = defines;
        request.memory_limit = limit;
        request.check = check;
        Progress progress;
        return correlator_engine().run(request, problem, progress);
    }
};

}  // namespace ks::tests
