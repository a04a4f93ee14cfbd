#pragma once

#include <CL/opencl.hpp>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

namespace ks::gpu {

/// Host memory that a GPU accesses directly, at the speed of the bus. Creating a block takes longer than a
/// transfer, so blocks are kept: once its holder has released a block, on any thread, it is lent again, for
/// requests of at least half its size.
class PageLockedMemory : public std::enable_shared_from_this<PageLockedMemory> {
  public:
    /// @param queue a queue for this purpose alone, since threads wait in it while a block is created
    /// @param most bytes of all blocks
    PageLockedMemory(cl::Context context, cl::CommandQueue queue, std::size_t most);
    ~PageLockedMemory();
    PageLockedMemory(const PageLockedMemory&) = delete;
    PageLockedMemory& operator=(const PageLockedMemory&) = delete;

    /// Number of runs, or of pieces of a run that devices share, for which an unused block is kept.
    static constexpr std::uint64_t kept_for = 32;

    /// A run begins: blocks that were unused for that long are returned to the system.
    void begin_run();
    /// A block of at least that many bytes, aligned for any element; null if that would exceed the maximum,
    /// or if the driver has none.
    std::shared_ptr<std::byte[]> lend(std::size_t bytes);
    /// Bytes of all blocks, lent or not.
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
    std::list<Block> free_;  ///< most recently returned first
};

}  // namespace ks::gpu
