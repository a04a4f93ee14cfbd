#pragma once

#include <memory>
#include <vector>

#include "gpu/runtime/device_context.h"
#include "gpu/runtime/device_query.h"

namespace ks::tests {

/// The devices of this machine, each opened once.
inline std::vector<std::shared_ptr<gpu::DeviceContext>>& opened_devices() {
    // Never destroyed: OpenCL libraries may be gone when static objects go.
    static auto* const devices = [] {
        auto* made = new std::vector<std::shared_ptr<gpu::DeviceContext>>;
        for (const gpu::FoundDevice& found : gpu::find_devices())
            made->push_back(std::make_shared<gpu::DeviceContext>(found));
        return made;
    }();
    return *devices;
}

}  // namespace ks::tests
