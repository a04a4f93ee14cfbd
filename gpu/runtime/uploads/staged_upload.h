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

/// How host bytes get to a device.
struct StagingPlan {
    /// through pieces of memory that the device reads fast; otherwise directly from the place of the data
    bool staged = false;
    bool overlaps = false;  ///< by a separate queue, so that kernels run meanwhile
    std::uint64_t piece_bytes = std::uint64_t{16} << 20;
    std::size_t pieces = 3;  ///< at a time: one is filled while others are in transit
    /// Fewer bytes than this are uploaded directly from their place, which takes less time than creating the
    /// pieces.
    std::uint64_t least_bytes = std::uint64_t{32} << 20;

    /// The way that suits the device: staged if the device is connected by a bus, because from memory that is
    /// not page-locked a driver uploads at a fraction of the rate of the bus.
    static StagingPlan of(LaunchContext& context);
    bool stages(std::uint64_t bytes) const { return staged && bytes >= least_bytes; }
};

/// Uploads through pieces of memory, page-locked if the device has such memory: threads fill one while the
/// previous ones are in transit, and nobody waits for the last ones.
class StagedUpload {
  public:
    /// @param granule a piece has a multiple of this many bytes
    StagedUpload(LaunchContext& context, const StagingPlan& plan, std::uint64_t granule = 1);
    ~StagedUpload();  ///< waits: the device reads the pieces until then
    StagedUpload(const StagedUpload&) = delete;
    StagedUpload& operator=(const StagedUpload&) = delete;

    using Fill = std::function<void(std::uint64_t offset, std::span<std::byte> into)>;
    struct Source {
        std::string stage;                      ///< timing row of the transfers
        std::string fill_stage;                 ///< and of `fill`
        StageKind fill_kind = StageKind::host;  ///< `read` if it reads
        Fill fill;                              ///< of bytes from `offset` on; on the calling thread
    };
    /// Uploads bytes [begin, end) of `source` to the same place in `to`; they are available to what is put
    /// into the context's queue from now on. Throws what `fill` throws, and ks::Error(cancelled).
    void upload(const Source& source, const Buffer& to, std::uint64_t begin, std::uint64_t end);

    /// A source that copies from host memory with several threads; the memory must live until upload()
    /// returns.
    static Source from_memory(const std::string& stage, std::span<const std::byte> from);

  private:
    struct Piece {
        std::span<std::byte> memory;
        cl::Event uploaded;  ///< its content in transit; null: nothing was uploaded
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
