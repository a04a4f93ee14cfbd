#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/base/large_pages.h"

namespace ks {

/// Bytes that are written completely before they are read: they are not initialised, whereas a vector would
/// set all to zero.
class RawBytes {
  public:
    RawBytes() = default;
    explicit RawBytes(std::size_t size) { make_room(size); }

    /// Makes it `size` bytes long; the contents are lost.
    void make_room(std::size_t size) {
        if (size > room_) {
            bytes_.reset();  // first, so that both never exist at the same time
            bytes_ = std::make_unique_for_overwrite<std::byte[]>(size);
            room_ = size;
            prefer_large_pages(bytes_.get(), size);
        }
        size_ = size;
    }
    std::byte* data() { return bytes_.get(); }
    const std::byte* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    operator std::span<std::byte>() { return {bytes_.get(), size_}; }
    operator std::span<const std::byte>() const { return {bytes_.get(), size_}; }

  private:
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t size_ = 0, room_ = 0;
};

}  // namespace ks
