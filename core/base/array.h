#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "core/base/element_type.h"

namespace ks {

/// A dense n-dimensional array in row-major order. It owns its bytes. An empty shape is a
/// scalar (one element).
class Array {
  public:
    Array() : Array(ElementType::f64, {0}) {}
    /// Filled with zeros.
    Array(ElementType type, std::vector<std::size_t> shape);
    /// Copies the elements.
    Array(const Array& other);
    Array(Array&& other) noexcept;
    Array& operator=(const Array& other);
    Array& operator=(Array&& other) noexcept;
    ~Array() = default;

    /// Elements are undefined at first: for callers that write all of them.
    static Array undefined(ElementType type, std::vector<std::size_t> shape);
    /// Elements are undefined here as well, and the memory is reused (KeptMemory): for results of gigabytes,
    /// for which getting new memory from the system takes long.
    static Array in_kept_memory(ElementType type, std::vector<std::size_t> shape);
    /// Uses `memory`, which must have at least that many bytes and be aligned for any element. It is released
    /// with the array.
    static Array in(std::shared_ptr<std::byte[]> memory, ElementType type, std::vector<std::size_t> shape);
    /// A view of the elements from `first` on. It shares the memory: writing to one array changes the other.
    /// Throws ks::Error(run) if the range exceeds the array.
    Array slice(std::size_t first, std::vector<std::size_t> shape) const;

    template <class T>
    static Array of(std::vector<std::size_t> shape, std::span<const T> values) {
        Array array = undefined(element_type_of<T>(), std::move(shape));
        array.assign(values.data(), values.size_bytes());
        return array;
    }
    template <class T>
    static Array of(std::vector<std::size_t> shape, const std::vector<T>& values) {
        return of<T>(std::move(shape), std::span<const T>(values));
    }
    /// Takes over the values without copying them.
    /// @param values as many as the shape has
    template <class T>
    static Array taken(std::vector<std::size_t> shape, std::vector<T> values) {
        const auto kept = std::make_shared<std::vector<T>>(std::move(values));
        std::shared_ptr<std::byte[]> memory(kept, reinterpret_cast<std::byte*>(kept->data()));
        return in(std::move(memory), element_type_of<T>(), std::move(shape));
    }

    ElementType type() const { return type_; }
    const std::vector<std::size_t>& shape() const { return shape_; }
    std::size_t rank() const { return shape_.size(); }
    /// Number of elements.
    std::size_t size() const;
    std::span<const std::byte> bytes() const { return {bytes_.get(), n_bytes_}; }
    std::span<std::byte> bytes() { return {bytes_.get(), n_bytes_}; }

    /// The elements as T; throws ks::Error(run) if T is not the element type.
    template <class T>
    std::span<const T> as() const {
        require(element_type_of<T>());
        return {reinterpret_cast<const T*>(bytes_.get()), size()};
    }
    template <class T>
    std::span<T> as() {
        require(element_type_of<T>());
        return {reinterpret_cast<T*>(bytes_.get()), size()};
    }
    /// All elements converted to double.
    std::vector<double> to_doubles() const;

    bool operator==(const Array& other) const;

  private:
    Array(ElementType type, std::vector<std::size_t> shape, std::shared_ptr<std::byte[]> memory);
    void require(ElementType wanted) const;
    void assign(const void* from, std::size_t n_bytes);

    ElementType type_;
    std::vector<std::size_t> shape_;
    std::shared_ptr<std::byte[]> bytes_;
    std::size_t n_bytes_ = 0;
};

}  // namespace ks
