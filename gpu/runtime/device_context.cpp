#include "gpu/runtime/device_context.h"

#include <algorithm>

#include "core/base/cache_folder.h"
#include "core/base/hash.h"
#include "core/base/host_memory.h"
#include "gpu/runtime/output/quiet_build.h"

namespace ks::gpu {
namespace {

constexpr std::size_t most_tables = 64;
constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20;

/// Results of a run may be gigabytes, and those of the previous run may still be held; the system cannot
/// reclaim locked pages.
std::size_t most_page_locked() {
    return std::min(std::size_t{32} << 30, static_cast<std::size_t>(available_memory() / 4));
}

/// Bytes of buffers that no run holds and that are kept for the next one.
std::uint64_t spare_bytes(const DeviceInfo& info) {
    const std::uint64_t most = std::uint64_t{info.type == "GPU" ? 512U : 128U} << 20;
    return std::min(most, info.global_bytes / 32);
}

}  // namespace

TableCache::Key TableCache::key_of(std::span<const std::byte> content) {
    constexpr std::uint64_t other_seed = 0x9e3779b97f4a7c15ULL;
    return {hash_of(content, content.size()), hash_of(content, other_seed)};
}

std::shared_ptr<const Buffer> TableCache::find(const Key& key) {
    const auto at = std::ranges::find(kept_, key, &Kept::key);
    if (at == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, at);
    return kept_.front().table;
}

std::shared_ptr<const Buffer> TableCache::keep(const Key& key, Buffer table) {
    kept_.push_front({key, std::make_shared<const Buffer>(std::move(table))});
    std::shared_ptr<const Buffer> made = kept_.front().table;
    std::uint64_t bytes = 0;
    for (const Kept& kept : kept_) bytes += kept.table->bytes();
    while (kept_.size() > most_tables || bytes > most_bytes) {
        bytes -= kept_.back().table->bytes();
        kept_.pop_back();
    }
    return made;
}

DeviceContext::DeviceContext(const FoundDevice& found)
    : info_(found.info),
      device_(found.device),
      context_(found.device),
      queue_(context_, device_, cl::QueueProperties::Profiling),
      programs_(context_, device_, info_, cache_folder()),
      memory_(std::make_shared<DeviceMemory>(context_, spare_bytes(info_), info_.type == "CPU")),
      page_locked_(info_.type == "GPU" && !device_.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>()
                       ? std::make_shared<PageLockedMemory>(context_, cl::CommandQueue(context_, device_),
                                                            most_page_locked())
                       : nullptr) {}

std::uint64_t DeviceContext::default_budget(const DeviceInfo& device) {
    return device.type == "GPU" ? device.global_bytes / 5 * 4 : device.global_bytes / 2;
}

std::shared_ptr<std::byte[]> DeviceContext::staging(std::size_t bytes) const {
    std::shared_ptr<std::byte[]> memory = page_locked_ ? page_locked_->lend(bytes) : nullptr;
    return memory ? memory : std::make_shared_for_overwrite<std::byte[]>(bytes);
}

void DeviceContext::wake() {
    constexpr std::chrono::microseconds awake{500};
    if (info_.type != "GPU") return;
    if (rests_since_ && std::chrono::steady_clock::now() - *rests_since_ < awake) return;
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
        build_quietly(program, device_, "-cl-std=" + language);
        std::vector<cl::Kernel> kernels;
        program.createKernels(&kernels);
    } catch (const cl::Error&) {
        works = false;
    }
    return probes_[{name, language}] = works;
}

std::shared_ptr<const Buffer> DeviceContext::find_resident(const std::string& key) {
    const auto at = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
        return kept.key == key && kept.kernels == kernels_ && kept.buffer->zones() == memory_->zones();
    });
    if (at == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, at);
    kept_.front().found = kept_.front().used = true;
    count_unused();
    return kept_.front().buffer;
}

std::shared_ptr<const Buffer> DeviceContext::keep_resident(const std::string& key, Buffer buffer) {
    kept_.push_front({key, kernels_, std::make_shared<const Buffer>(std::move(buffer))});
    return kept_.front().buffer;
}

void DeviceContext::shrink_resident(std::uint64_t bytes, const std::string& except) {
    for (auto at = kept_.end(); at != kept_.begin() && resident_bytes() > bytes;) {
        --at;
        if (at->key != except || bytes == 0) at = kept_.erase(at);
    }
    count_unused();
}

void DeviceContext::count_unused() {
    std::uint64_t unused = 0;
    for (const Kept& kept : kept_)
        if (!kept.used) unused += kept.buffer->bytes();
    memory_->keeps_for_others(unused);
}

bool DeviceContext::was_found(const std::string& prefix) const {
    return std::ranges::any_of(kept_,
                               [&](const Kept& kept) { return kept.found && kept.key.starts_with(prefix); });
}

std::uint64_t DeviceContext::resident_bytes(const std::string& prefix) const {
    std::uint64_t sum = 0;
    for (const Kept& kept : kept_)
        if (kept.key.starts_with(prefix)) sum += kept.buffer->bytes();
    return sum;
}

void DeviceContext::begin_run_of(const std::string& kernels) {
    for (Kept& kept : kept_) kept.used = false;
    count_unused();
    if (kernels == kernels_) return;
    kernels_ = kernels;
    tables_.clear();
}

void DeviceContext::note_run(const std::string& kernels) {
    constexpr std::size_t most = 1000;
    if (have_run_.size() >= most) have_run_.clear();
    have_run_.insert(kernels);
}

void DeviceContext::begin_guarded_run() {
    tables_.clear();
    memory_->guard(std::make_shared<GuardZones>(context_, queue_));
}

void DeviceContext::end_guarded_run() {
    memory_->guard(nullptr);
    tables_.clear();
    std::erase_if(kept_, [](const Kept& kept) { return kept.buffer->zones() != nullptr; });
}

std::size_t DeviceContext::seen_before(const std::string& key) const {
    const auto known = seen_before_.find(key);
    return known == seen_before_.end() ? 0 : known->second;
}

void DeviceContext::has_seen(const std::string& key, std::size_t size) {
    constexpr std::size_t most = 1000;
    if (seen_before_.size() >= most && !seen_before_.contains(key)) seen_before_.clear();
    seen_before_[key] = size;
}

}  // namespace ks::gpu
