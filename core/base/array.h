#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/base/element_type.h"

namespace ks {

/// A dense n-dimensional array in row-major order that owns its bytes. An empty shape is a scalar (one
/// element).
class Array {
  public:
    Array() : Array(ElementType::f64, {0}) {}
    Array(ElementType type, std::vector<std::size_t> shape);

    template <class T>
    static Array of(std::vector<std::size_t> shape, std::span<const T> values) {
        Array array(element_type_of<T>(), std::move(shape));
        array.assign(values.data(), values.size_bytes());
        return array;
    }
    template <class T>
    static Array of(std::vector<std::size_t> shape, const std::vector<T>& values) {
        return of<T>(std::move(shape), std::span<const T>(values));
    }

    ElementType type() const { return type_; }
    const std::vector<std::size_t>& shape() const { return shape_; }
    std::size_t rank() const { return shape_.size(); }
    /// Number of elements.
    std::size_t size() const;
    std::span<const std::byte> bytes() const { return bytes_; }
    std::span<std::byte> bytes() { return bytes_; }

    /// The elements as T; throws ks::Error(run) where T is not the element type.
    template <class T>
    std::span<const T> as() const {
        require(element_type_of<T>());
        return {reinterpret_cast<const T*>(bytes_.data()), size()};
    }
    template <class T>
    std::span<T> as() {
        require(element_type_of<T>());
        return {reinterpret_cast<T*>(bytes_.data()), size()};
    }
    /// All elements converted to double.
    std::vector<double> to_doubles() const;

    bool operator==(const Array&) const = default;

  private:
    void require(ElementType wanted) const;
    void assign(const void* from, std::size_t n_bytes);

    ElementType type_;
    std::vector<std::size_t> shape_;
    std::vector<std::byte> bytes_;
};

}  // namespace ks
