#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace ks {

/// As std::allocator, but elements that are made without a value are undefined: who writes them all, in
/// parallel, does not wait for one thread that writes zeros.
template <class T>
struct RawAllocator : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = RawAllocator<U>;
    };
    RawAllocator() = default;
    template <class U>
    RawAllocator(const RawAllocator<U>&) noexcept {}

    template <class U>
    void construct(U* at) noexcept {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Values>
    void construct(U* at, Values&&... values) {
        ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
    }
};

template <class T>
using RawVector = std::vector<T, RawAllocator<T>>;

}  // namespace ks
