#include "gpu/runtime/page_locked.h"

#include <algorithm>
#include <utility>

#include "core/base/memory/kept_memory.h"

namespace ks::gpu {
namespace {

constexpr std::size_t sizes = 4;  // of blocks, per factor of 2

}  // namespace

PageLockedMemory::PageLockedMemory(cl::Context context, cl::CommandQueue queue, std::size_t most)
    : context_(std::move(context)), queue_(std::move(queue)), most_(most) {}

PageLockedMemory::~PageLockedMemory() {
    for (const Block& one : free_) release(one);
}

void PageLockedMemory::release(const Block& block) {
    try {
        queue_.enqueueUnmapMemObject(block.buffer, block.mapped);
    } catch (const cl::Error&) {
        // The queue is lost: its memory goes with the context.
    }
    bytes_ -= block.bytes;
}

void PageLockedMemory::begin_run() {
    const std::lock_guard lock(mutex_);
    ++runs_;
    std::erase_if(free_, [this](const Block& one) {
        const bool unused = one.lent_in + kept_for < runs_;
        if (unused) release(one);
        return unused;
    });
}

std::size_t PageLockedMemory::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

std::shared_ptr<std::byte[]> PageLockedMemory::lend(std::size_t bytes) {
    const std::size_t wanted = block_size(bytes, sizes);
    const std::lock_guard lock(mutex_);
    // The smallest that is not much too large: parts of a run never have the same size twice.
    auto block = free_.end();
    for (auto one = free_.begin(); one != free_.end(); ++one)
        if (one->bytes >= wanted && one->bytes <= 2 * wanted &&
            (block == free_.end() || one->bytes < block->bytes))
            block = one;
    if (block == free_.end()) {
        // Blocks of other sizes make room, the longest unused first.
        while (bytes_ + wanted > most_ && !free_.empty()) {
            release(free_.back());
            free_.pop_back();
        }
        if (bytes_ + wanted > most_) return nullptr;
        try {
            Block made{cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, wanted), nullptr,
                       wanted};
            made.mapped = static_cast<std::byte*>(
                queue_.enqueueMapBuffer(made.buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, wanted));
            bytes_ += wanted;
            block = free_.insert(free_.begin(), std::move(made));
        } catch (const cl::Error&) {
            return nullptr;
        }
    }
    Block lent = std::move(*block);
    free_.erase(block);
    lent.lent_in = runs_;
    std::byte* const mapped = lent.mapped;
    return {mapped, [memory = shared_from_this(), lent = std::move(lent)](std::byte*) {
                const std::lock_guard back(memory->mutex_);
                memory->free_.push_front(lent);
            }};
}

}  // namespace ks::gpu
