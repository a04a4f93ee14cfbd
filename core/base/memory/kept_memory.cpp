#include "core/base/memory/kept_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>

#include "core/base/large_pages.h"

namespace ks {
namespace {

constexpr std::size_t sizes = 4;  // of blocks, per factor of 2

void* new_block(std::size_t bytes) {
    constexpr std::size_t large_page = std::size_t{1} << 21, page = 4096;
    void* const memory = std::aligned_alloc(bytes >= 2 * large_page ? large_page : page, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    prefer_large_pages(static_cast<std::byte*>(memory), bytes);
    return memory;
}

std::size_t sixteenth_of_host() {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return 0;
    return static_cast<std::size_t>(pages) / 16 * static_cast<std::size_t>(page);
}

}  // namespace

KeptMemory::~KeptMemory() {
    clear();
}

void KeptMemory::clear() {
    std::list<Block> leaving;
    {
        const std::lock_guard lock(mutex_);
        leaving.swap(free_);
        bytes_ = 0;
    }
    for (const Block& one : leaving) std::free(one.memory);
}

KeptMemory& KeptMemory::of_process() {
    static KeptMemory of_process(std::min(std::size_t{8} << 30, sixteenth_of_host()));
    return of_process;
}

std::size_t KeptMemory::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

void* KeptMemory::take(std::size_t bytes) {
    const std::size_t wanted = block_size(bytes, sizes);
    {
        const std::lock_guard lock(mutex_);
        const auto kept = std::ranges::find(free_, wanted, &Block::bytes);
        if (kept != free_.end()) {
            void* const memory = kept->memory;
            bytes_ -= wanted;
            free_.erase(kept);
            return memory;
        }
    }
    return new_block(wanted);
}

void KeptMemory::give_back(void* block, std::size_t bytes) noexcept {
    std::list<Block> leaving;
    try {
        leaving.push_back({block, block_size(bytes, sizes)});
    } catch (const std::bad_alloc&) {
        std::free(block);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        bytes_ += leaving.front().bytes;
        free_.splice(free_.begin(), leaving);
        while (bytes_ > most_) {
            bytes_ -= free_.back().bytes;
            leaving.splice(leaving.begin(), free_, std::prev(free_.end()));
        }
    }
    for (const Block& one : leaving) std::free(one.memory);
}

}  // namespace ks
