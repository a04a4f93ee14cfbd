#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu {

/// How bytes of the host get to a device.
struct StagingPlan {
    bool staged = false;    ///< through pieces of memory that the device reads fast; else from where they lie
    bool overlaps = false;  ///< by a queue of their own, so that kernels run beside them
    std::uint64_t piece_bytes = std::uint64_t{16} << 20;
    std::size_t pieces = 3;  ///< at a time: one is filled while others are on their way
    /// Fewer bytes go from where they lie: they are there before pieces are made.
    std::uint64_t least_bytes = std::uint64_t{32} << 20;

    /// What suits the device: staged where it is across a bus. From memory that is not page-locked a driver
    /// uploads at a fraction of the bus's rate.
    static StagingPlan of(LaunchContext& context);
    bool stages(std::uint64_t bytes) const { return staged && bytes >= least_bytes; }
};

/// Uploads by pieces of memory, page-locked where the device has such: threads fill one while those before it
/// are on their way, and nobody waits for the last ones.
class StagedUpload {
  public:
    /// @param granule a piece has a multiple of so many bytes
    StagedUpload(LaunchContext& context, const StagingPlan& plan, std::uint64_t granule = 1);
    ~StagedUpload();  ///< waits: the device reads the pieces until then
    StagedUpload(const StagedUpload&) = delete;
    StagedUpload& operator=(const StagedUpload&) = delete;

    using Fill = std::function<void(std::uint64_t offset, std::span<std::byte> into)>;
    struct Source {
        std::string stage;                      ///< timing row of the transfers
        std::string fill_stage;                 ///< and of `fill`
        StageKind fill_kind = StageKind::host;  ///< `read` where it does
        Fill fill;                              ///< of bytes from `offset` on; on the calling thread
    };
    /// Bytes [begin, end) of `source`, to the same place of `to`; they are there for what is put into the
    /// context's queue from now on. Throws what `fill` throws, and ks::Error(cancelled).
    void upload(const Source& source, const Buffer& to, std::uint64_t begin, std::uint64_t end);

    /// What copies from memory of the host, by several threads; that lives until upload() returns.
    static Source from_memory(const std::string& stage, std::span<const std::byte> from);

  private:
    struct Piece {
        std::span<std::byte> memory;
        cl::Event uploaded;  ///< what is in it; null: nothing was
    };
    Piece& next_piece();

    LaunchContext& context_;
    cl::CommandQueue queue_;
    std::uint64_t piece_bytes_;
    std::shared_ptr<std::byte[]> memory_;  ///< of all pieces
    std::vector<Piece> pieces_;
    std::size_t next_ = 0;
};

}  // namespace ks::gpu
