#pragma once

#include <cstddef>
#include <list>
#include <mutex>

namespace ks {

/// Large blocks of memory, which are kept when they are given back: to get them anew from the system takes
/// threads that fill them side by side longer than to fill them. What they hold at first is undefined.
class KeptMemory {
  public:
    /// @param most bytes of blocks that nobody has; those given back long ago go first
    explicit KeptMemory(std::size_t most) : most_(most) {}
    ~KeptMemory();
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;

    /// Of the process: a sixteenth of the host's memory, 8 GiB at most.
    static KeptMemory& of_process();

    /// Of that many bytes at least, aligned for any element. Throws std::bad_alloc.
    void* take(std::size_t bytes);
    /// @param bytes as they were asked for
    void give_back(void* block, std::size_t bytes) noexcept;
    /// Bytes of blocks that nobody has.
    std::size_t bytes() const;
    /// Lets all of them go.
    void clear();

  private:
    struct Block {
        void* memory;
        std::size_t bytes;
    };

    std::size_t most_;
    mutable std::mutex mutex_;
    std::size_t bytes_ = 0;
    std::list<Block> free_;  ///< given back last, first
};

}  // namespace ks
