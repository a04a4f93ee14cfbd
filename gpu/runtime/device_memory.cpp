#include "gpu/runtime/device_memory.h"

#include <algorithm>

#include "core/base/memory/kept_memory.h"
#include "gpu/runtime/uploads/simulated_memory.h"

namespace ks::gpu {
namespace {

bool means_no_memory(const cl::Error& error) {
    return error.err() == CL_MEM_OBJECT_ALLOCATION_FAILURE || error.err() == CL_OUT_OF_RESOURCES ||
           error.err() == CL_OUT_OF_HOST_MEMORY;
}

/// The size allocated for large buffers that may be kept: pieces of a run that devices share never have the
/// same size twice, and allocating takes longer than many kernels.
std::uint64_t roomy(std::uint64_t bytes) {
    constexpr std::uint64_t large = std::uint64_t{1} << 20;
    return bytes < large ? std::max<std::uint64_t>(bytes, 1) : block_size(bytes, 16);
}

void CL_CALLBACK free_owner(cl_mem /*buffer*/, void* owner) {
    delete static_cast<std::shared_ptr<const void>*>(owner);
}

}  // namespace

DeviceMemory::DeviceMemory(cl::Context context, std::uint64_t keeps, bool on_host)
    : context_(std::move(context)), keeps_(keeps), on_host_(on_host) {}

void DeviceMemory::begin_run(bool keeps) {
    peak_ = 0;
    see_peak();
    keeping_ = keeps;
    if (!keeps) shrink(0);
}

void DeviceMemory::end_run() {
    for (Free& one : given_) {
        free_bytes_ += one.bytes;
        free_.push_front(std::move(one));
    }
    given_.clear();
    given_bytes_ = 0;
    shrink(keeps_);
}

void DeviceMemory::abandon_run() {
    given_.clear();
    given_bytes_ = 0;
}

void DeviceMemory::hold(std::uint64_t bytes) {
    held_ += bytes;
    see_peak();
}

void DeviceMemory::see_peak() {
    peak_ = std::max(peak_, held_ - std::min(of_others_, held_));
}

void DeviceMemory::keeps_for_others(std::uint64_t bytes) {
    of_others_ = bytes;
    see_peak();
}

cl::Buffer DeviceMemory::take(std::uint64_t bytes) {
    cl::Buffer taken;
    const std::uint64_t room = keeping_ ? roomy(bytes) : std::max<std::uint64_t>(bytes, 1);
    if (zones_) {
        taken = zones_->make(bytes);
    } else if (const auto same = std::ranges::find(free_, room, &Free::bytes); same != free_.end()) {
        taken = std::move(same->buffer);
        free_bytes_ -= room;
        free_.erase(same);
    } else {
        const auto made = [&] { return cl::Buffer(context_, CL_MEM_READ_WRITE, room); };
        try {
            taken = made();
        } catch (const cl::Error& error) {
            if ((free_.empty() && given_.empty()) || !means_no_memory(error)) throw;
            abandon_run();
            shrink(0);
            taken = made();
        }
    }
    if (!zones_) note_written(context_, taken);
    hold(bytes);
    note(taken);
    return taken;
}

cl::Buffer DeviceMemory::borrow(std::span<const std::byte> memory, std::shared_ptr<const void> owner) {
    // OpenCL has no pointer to const; the flag promises that nobody writes.
    cl::Buffer buffer(context_, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, memory.size(),
                      const_cast<std::byte*>(memory.data()));
    auto kept = std::make_unique<std::shared_ptr<const void>>(std::move(owner));
    buffer.setDestructorCallback(free_owner, kept.get());
    static_cast<void>(kept.release());
    note_written(context_, buffer);
    hold(memory.size());
    note(buffer);
    return buffer;
}

void DeviceMemory::give(std::uint64_t bytes, cl::Buffer buffer) {
    held_ -= bytes;
    if (held_back_.contains(buffer())) return;
    // Looked up, as it may be of a run that kept none. Destructors end here: nothing may be thrown.
    std::size_t room = 0;
    if (!keeping_ || clGetMemObjectInfo(buffer(), CL_MEM_SIZE, sizeof(room), &room, nullptr) != CL_SUCCESS ||
        given_bytes_ + room > keeps_)
        return;
    given_bytes_ += room;
    given_.push_back({room, std::move(buffer)});
}

void DeviceMemory::note(const cl::Buffer& made) {
    if (collected_ == nullptr) return;
    collected_->push_back(made);
    held_back_.insert(made());
}

void DeviceMemory::let_go(const std::vector<cl::Buffer>& made) {
    for (const cl::Buffer& buffer : made) held_back_.erase(buffer());
}

void DeviceMemory::shrink(std::uint64_t bytes) {
    constexpr std::size_t most_buffers = 256;
    while (free_bytes_ > bytes || free_.size() > most_buffers) {
        free_bytes_ -= free_.back().bytes;
        free_.pop_back();
    }
}

Buffer::Buffer(std::shared_ptr<DeviceMemory> memory, std::uint64_t bytes)
    : buffer_(memory->take(bytes)), bytes_(bytes), zones_(memory->zones()), memory_(std::move(memory)) {}

Buffer::Buffer(std::shared_ptr<DeviceMemory> memory, std::span<const std::byte> bytes,
               std::shared_ptr<const void> owner)
    : buffer_(memory->borrow(bytes, std::move(owner))),
      bytes_(bytes.size()),
      borrowed_(true),
      memory_(std::move(memory)) {}

Buffer::~Buffer() {
    release();
}

Buffer::Buffer(Buffer&& other) noexcept
    : buffer_(std::move(other.buffer_)),
      bytes_(std::exchange(other.bytes_, 0)),
      borrowed_(std::exchange(other.borrowed_, false)),
      zones_(std::move(other.zones_)),
      memory_(std::move(other.memory_)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this != &other) {
        release();
        buffer_ = std::move(other.buffer_);
        bytes_ = std::exchange(other.bytes_, 0);
        borrowed_ = std::exchange(other.borrowed_, false);
        zones_ = std::move(other.zones_);
        memory_ = std::move(other.memory_);
    }
    return *this;
}

void Buffer::release() {
    if (zones_) zones_->forget(buffer_);
    if (memory_ && (borrowed_ || zones_))
        memory_->no_longer_hold(bytes_);
    else if (memory_)
        memory_->give(bytes_, std::move(buffer_));
    memory_.reset();
    zones_.reset();
    borrowed_ = false;
    bytes_ = 0;
    buffer_ = cl::Buffer();
}

HeldBytes::HeldBytes(std::shared_ptr<DeviceMemory> memory, std::uint64_t bytes)
    : memory_(std::move(memory)), bytes_(bytes) {
    memory_->hold(bytes_);
}

HeldBytes::~HeldBytes() {
    if (memory_) memory_->no_longer_hold(bytes_);
}

}  // namespace ks::gpu
