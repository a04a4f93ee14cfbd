#include "app/cli/session.h"

#include "core/run/host_backend.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::cli {

Session::Session()
    : registry_(std::make_shared<const Registry>()),
      progress_([this](double fraction, const std::string& stage) { terminal_.show(fraction, stage); }) {}

Engine& Session::engine() {
    if (!engine_) {
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(gpu::make_opencl_backend());
        backends.push_back(std::make_unique<HostBackend>(registry_->host_variants()));
        engine_ = std::make_unique<Engine>(registry_, std::move(backends));
    }
    return *engine_;
}

}  // namespace ks::cli
