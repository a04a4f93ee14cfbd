#include "core/base/array.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/large_pages.h"
#include "core/base/memory/kept_memory.h"

namespace ks {

namespace {

std::size_t elements_of(const std::vector<std::size_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::shared_ptr<std::byte[]> memory_of(std::size_t bytes) {
    constexpr std::size_t line = 64;
    if (bytes == 0) return nullptr;
    auto* const memory = static_cast<std::byte*>(std::aligned_alloc(line, (bytes + line - 1) / line * line));
    if (memory == nullptr) throw std::bad_alloc();
    prefer_large_pages(memory, bytes);
    return {memory, [](std::byte* p) { std::free(p); }};
}

}  // namespace

Array::Array(ElementType type, std::vector<std::size_t> shape, std::shared_ptr<std::byte[]> memory)
    : type_(type),
      shape_(std::move(shape)),
      bytes_(std::move(memory)),
      n_bytes_(elements_of(shape_) * size_of(type)) {}

Array::Array(ElementType type, std::vector<std::size_t> shape) : Array(undefined(type, std::move(shape))) {
    if (n_bytes_ > 0) std::memset(bytes_.get(), 0, n_bytes_);
}

Array::Array(const Array& other) : Array(undefined(other.type_, other.shape_)) {
    if (n_bytes_ > 0) std::memcpy(bytes_.get(), other.bytes_.get(), n_bytes_);
}

Array::Array(Array&& other) noexcept
    : type_(other.type_),
      shape_(std::exchange(other.shape_, {0})),
      bytes_(std::move(other.bytes_)),
      n_bytes_(std::exchange(other.n_bytes_, 0)) {}

Array& Array::operator=(const Array& other) {
    if (this != &other) *this = Array(other);
    return *this;
}

Array& Array::operator=(Array&& other) noexcept {
    type_ = other.type_;
    shape_ = std::exchange(other.shape_, {0});
    bytes_ = std::move(other.bytes_);
    n_bytes_ = std::exchange(other.n_bytes_, 0);
    return *this;
}

Array Array::undefined(ElementType type, std::vector<std::size_t> shape) {
    const std::size_t bytes = elements_of(shape) * size_of(type);
    return {type, std::move(shape), memory_of(bytes)};
}

Array Array::in_kept_memory(ElementType type, std::vector<std::size_t> shape) {
    const std::size_t bytes = elements_of(shape) * size_of(type);
    if (bytes == 0) return undefined(type, std::move(shape));
    std::shared_ptr<std::byte[]> memory(
        static_cast<std::byte*>(KeptMemory::of_process().take(bytes)),
        [bytes](std::byte* block) { KeptMemory::of_process().give_back(block, bytes); });
    return {type, std::move(shape), std::move(memory)};
}

Array Array::in(std::shared_ptr<std::byte[]> memory, ElementType type, std::vector<std::size_t> shape) {
    return {type, std::move(shape), std::move(memory)};
}

Array Array::slice(std::size_t first, std::vector<std::size_t> shape) const {
    const std::size_t count = elements_of(shape);
    if (first > size() || count > size() - first)
        throw Error(ErrorKind::run, std::to_string(count) + " elements starting at element " +
                                        std::to_string(first) + " were requested, but the array has only " +
                                        std::to_string(size()) + " elements, counted from 0");
    return {type_, std::move(shape),
            std::shared_ptr<std::byte[]>(bytes_, bytes_.get() + first * size_of(type_))};
}

bool Array::operator==(const Array& other) const {
    return type_ == other.type_ && shape_ == other.shape_ && std::ranges::equal(bytes(), other.bytes());
}

std::size_t Array::size() const {
    return elements_of(shape_);
}

std::vector<double> Array::to_doubles() const {
    return visit_element(type_, [this](auto zero) {
        const auto values = as<decltype(zero)>();
        std::vector<double> out(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) out[i] = static_cast<double>(values[i]);
        return out;
    });
}

void Array::require(ElementType wanted) const {
    if (wanted != type_)
        throw Error(ErrorKind::run,
                    std::string("an array of ") + name_of(type_) + " was read as " + name_of(wanted));
}

void Array::assign(const void* from, std::size_t n_bytes) {
    if (n_bytes != n_bytes_)
        throw Error(ErrorKind::run, "an array of " + std::to_string(n_bytes_) + " bytes was assigned " +
                                        std::to_string(n_bytes) + " bytes");
    if (n_bytes > 0) std::memcpy(bytes_.get(), from, n_bytes);
}

}  // namespace ks
