#include "gpu/runtime/device_context.h"

#include <algorithm>
#include <utility>

#include "core/base/cache_folder.h"

namespace ks::gpu {

Buffer::Buffer(const cl::Context& context, std::uint64_t bytes, std::shared_ptr<MemoryMeter> meter)
    : buffer_(context, CL_MEM_READ_WRITE, std::max<std::uint64_t>(bytes, 1)),
      bytes_(bytes),
      meter_(std::move(meter)) {
    meter_->held += bytes_;
    meter_->peak = std::max(meter_->peak, meter_->held);
}

Buffer::~Buffer() {
    release();
}

Buffer::Buffer(Buffer&& other) noexcept
    : buffer_(std::move(other.buffer_)),
      bytes_(std::exchange(other.bytes_, 0)),
      meter_(std::move(other.meter_)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this != &other) {
        release();
        buffer_ = std::move(other.buffer_);
        bytes_ = std::exchange(other.bytes_, 0);
        meter_ = std::move(other.meter_);
    }
    return *this;
}

void Buffer::release() {
    if (meter_) meter_->held -= bytes_;
    bytes_ = 0;
    buffer_ = cl::Buffer();
}

DeviceContext::DeviceContext(const FoundDevice& found)
    : info_(found.info),
      device_(found.device),
      context_(found.device),
      queue_(context_, device_, cl::QueueProperties::Profiling),
      programs_(context_, device_, info_, cache_folder()),
      meter_(std::make_shared<MemoryMeter>()) {}

std::uint64_t DeviceContext::default_budget() const {
    return info_.type == "GPU" ? info_.global_bytes / 5 * 4 : info_.global_bytes / 2;
}

void DeviceContext::wake() {
    if (info_.type != "GPU") return;
    if (empty_kernel_() == nullptr)
        empty_kernel_ = cl::Kernel(
            programs_.get("an empty kernel", "kernel void nothing() {}", "-cl-std=CL1.2").program, "nothing");
    queue_.enqueueNDRangeKernel(empty_kernel_, cl::NullRange, cl::NDRange(1));
    queue_.flush();
}

bool DeviceContext::probe(const std::string& name, const std::string& source, const std::string& language) {
    const auto known = probes_.find({name, language});
    if (known != probes_.end()) return known->second;
    bool works = true;
    try {
        cl::Program program(context_, source);
        program.build(device_, ("-cl-std=" + language).c_str());
        std::vector<cl::Kernel> kernels;
        program.createKernels(&kernels);
    } catch (const cl::Error&) {
        works = false;
    }
    return probes_[{name, language}] = works;
}

std::shared_ptr<const Buffer> DeviceContext::find_resident(const std::string& key) {
    const auto at =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.key == key; });
    if (at == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, at);
    return kept_.front().buffer;
}

std::shared_ptr<const Buffer> DeviceContext::keep_resident(const std::string& key, Buffer buffer) {
    kept_.push_front({key, std::make_shared<const Buffer>(std::move(buffer))});
    return kept_.front().buffer;
}

void DeviceContext::shrink_resident(std::uint64_t bytes, const std::string& except) {
    for (auto at = kept_.end(); at != kept_.begin() && resident_bytes() > bytes;) {
        --at;
        if (at->key != except || bytes == 0) at = kept_.erase(at);
    }
}

std::uint64_t DeviceContext::resident_bytes() const {
    std::uint64_t sum = 0;
    for (const Kept& kept : kept_) sum += kept.buffer->bytes();
    return sum;
}

}  // namespace ks::gpu
