#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/spots/problem.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/spots/signal_kernels.h"

namespace ks::gpu::spots {

/// Ascending list of the pixels whose bit is set. It is created on the device
/// (gpu/spots/frames/signal_list.cl) and read in pieces of a fixed size, so that any number of signal pixels
/// is possible.
class SignalLists {
  public:
    /// @param shape of the images of all `frames` of a list
    /// @param ranked lists also give the start values for nodes of a forest (gpu/spots/grouping/forest.cl)
    SignalLists(const PlaneShape& shape, std::size_t frames, ElementType type, LaunchContext& context,
                bool ranked = false);

    /// For ranked lists: one number per word of bits, and two per pixel of a list.
    struct Ranks {
        const Buffer &ranks, &piece_parent, &spot_parent;
    };
    std::size_t capacity() const { return capacity_; }  ///< pixels that fit a list

    /// A list in transit to the host.
    struct Pending {
        Buffer counts, list;      ///< made by make()
        std::size_t modules = 0;  ///< modules covered by it
        cl::Event read;
        std::vector<std::uint32_t> head;  ///< the number of signal pixels, then the first of them
    };
    std::uint64_t pending_bytes() const;
    Pending make(LaunchContext& context) const;

    /// Enqueues the listing and reading of the signal in the first `modules` of `bits`; `pending` must not
    /// move until taken.
    void enqueue(LaunchContext& context, const Buffer& bits, std::size_t modules, Pending& pending);
    /// The launches of listing alone, for a ranked list.
    std::vector<LaunchContext::Launch> ranked(const Buffer& bits, std::size_t modules, Pending& pending,
                                              const Ranks& ranks);
    /// Waits for the list and returns it: indices [module][y][x], ascending. `bits` must not have changed.
    std::vector<std::uint32_t> take(LaunchContext& context, const Buffer& bits, Pending& pending);

  private:
    PlaneShape shape_of(const Pending& pending) const;
    LaunchContext::Launch counting(const Buffer& bits, const Pending& pending);
    LaunchContext::Launch listing(const Buffer& bits, const Pending& pending, std::uint32_t first,
                                  cl::Kernel& kernel) const;
    void list_from(LaunchContext& context, const Buffer& bits, const Pending& pending, std::uint32_t first);

    PlaneShape shape_;
    std::size_t group_, block_, capacity_, expected_;
    std::map<std::string, std::string> defines_;
    cl::Kernel count_, list_, ranked_;
};

}  // namespace ks::gpu::spots
