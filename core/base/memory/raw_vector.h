#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "core/base/memory/kept_memory.h"

namespace ks {

/// Like std::allocator, but elements constructed without a value are undefined. So threads that write all
/// elements in parallel need not wait until one thread has written zeros. Large vectors use KeptMemory.
template <class T>
struct RawAllocator {
    using value_type = T;

    RawAllocator() = default;
    template <class U>
    RawAllocator(const RawAllocator<U>&) noexcept {}

    T* allocate(std::size_t n) {
        return n < large ? std::allocator<T>().allocate(n)
                         : static_cast<T*>(KeptMemory::of_process().take(n * sizeof(T)));
    }
    void deallocate(T* at, std::size_t n) noexcept {
        if (n < large)
            std::allocator<T>().deallocate(at, n);
        else
            KeptMemory::of_process().give_back(at, n * sizeof(T));
    }
    template <class U>
    void construct(U* at) noexcept {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Values>
    void construct(U* at, Values&&... values) {
        ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
    }
    template <class U>
    bool operator==(const RawAllocator<U>&) const noexcept {
        return true;
    }

  private:
    static constexpr std::size_t large = (std::size_t{64} << 10) / sizeof(T);  ///< elements
};

template <class T>
using RawVector = std::vector<T, RawAllocator<T>>;

}  // namespace ks
