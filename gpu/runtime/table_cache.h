#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <utility>

#include "gpu/runtime/device_memory.h"

namespace ks::gpu {

/// Small tables of runs that stay on the device, found by their content: a run of the same problem as the
/// previous one writes none of them again, which costs a driver more than the bytes themselves.
class TableCache {
  public:
    using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< hashes of the content
    static constexpr std::uint64_t largest = std::uint64_t{1} << 20;

    static Key key_of(std::span<const std::byte> content);
    /// Null if it is not there. Its holder keeps it, even after it was dropped here.
    std::shared_ptr<const Buffer> find(const Key& key);
    /// The least recently used tables are dropped first.
    std::shared_ptr<const Buffer> keep(const Key& key, Buffer table);
    void clear() { kept_.clear(); }

  private:
    struct Kept {
        Key key;
        std::shared_ptr<const Buffer> table;
    };
    std::list<Kept> kept_;  ///< most recently used first
};

}  // namespace ks::gpu
