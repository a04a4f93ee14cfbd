#pragma once

#include <CL/opencl.hpp>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

namespace ks::gpu {

/// Memory of the host that a GPU reads and writes by itself, at the speed of the bus: blocks are made once,
/// as that takes longer than a transfer, and lent again, for up to half of their size too, when who had them
/// lets them go, on whatever thread.
class PageLockedMemory : public std::enable_shared_from_this<PageLockedMemory> {
  public:
    /// @param queue of its own, as threads wait in it for a block to be made
    /// @param most bytes of all blocks
    PageLockedMemory(cl::Context context, cl::CommandQueue queue, std::size_t most);
    ~PageLockedMemory();
    PageLockedMemory(const PageLockedMemory&) = delete;
    PageLockedMemory& operator=(const PageLockedMemory&) = delete;

    /// Runs, or pieces of one that devices share, for which a block is kept that none of them uses.
    static constexpr std::uint64_t kept_for = 32;

    /// A run begins: blocks that were not used for so long go back to the system.
    void begin_run();
    /// Of that many bytes at least, aligned for any element; null where that would be more than allowed, or
    /// where the driver has none.
    std::shared_ptr<std::byte[]> lend(std::size_t bytes);
    /// Bytes of all blocks, lent ones and others.
    std::size_t bytes() const;

  private:
    struct Block {
        cl::Buffer buffer;
        std::byte* mapped;
        std::size_t bytes;
        std::uint64_t lent_in = 0;  ///< the run that used it last
    };
    void release(const Block& block);

    cl::Context context_;
    cl::CommandQueue queue_;
    std::size_t most_;
    mutable std::mutex mutex_;
    std::size_t bytes_ = 0;
    std::uint64_t runs_ = 0;
    std::list<Block> free_;  ///< given back last, first
};

}  // namespace ks::gpu
