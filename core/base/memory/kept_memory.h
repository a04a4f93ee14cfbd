#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <list>
#include <mutex>

namespace ks {

/// Size of the block for a need of `bytes`, in whole pages. There are only `steps` sizes per factor of 2, so
/// that needs of nearly the same size can share blocks.
inline std::size_t block_size(std::size_t bytes, std::size_t steps) {
    constexpr std::size_t page = 4096;
    const std::size_t step = std::max(page, std::bit_floor(bytes) / steps);
    return (bytes + step - 1) / step * step;
}

/// Large blocks of memory that are kept for reuse when they are released. If several threads fill a block in
/// parallel, getting a new one from the system would take longer than filling it. The content of a block is
/// undefined at first.
class KeptMemory {
  public:
    /// @param most bytes of unused blocks to keep; those unused longest are freed first
    explicit KeptMemory(std::size_t most) : most_(most) {}
    ~KeptMemory();
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;

    /// The one of this process: a sixteenth of the host's memory, up to 8 GiB.
    static KeptMemory& of_process();

    /// At least that many bytes, aligned for any element. Throws std::bad_alloc.
    void* take(std::size_t bytes);
    /// @param bytes as requested from take()
    void give_back(void* block, std::size_t bytes) noexcept;
    /// Bytes of unused blocks.
    std::size_t bytes() const;
    /// Frees all unused blocks.
    void clear();

  private:
    struct Block {
        void* memory;
        std::size_t bytes;
    };

    std::size_t most_;
    mutable std::mutex mutex_;
    std::size_t bytes_ = 0;
    std::list<Block> free_;  ///< most recently given back first
};

}  // namespace ks
