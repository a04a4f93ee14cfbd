#include "core/base/array.h"

#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/large_pages.h"

namespace ks {

Array::Array(ElementType type, std::vector<std::size_t> shape) : type_(type), shape_(std::move(shape)) {
    const std::size_t n = size() * size_of(type_);
    bytes_.reserve(n);
    prefer_large_pages(bytes_.data(), n);
    bytes_.resize(n);
}

std::size_t Array::size() const {
    return std::accumulate(shape_.begin(), shape_.end(), std::size_t{1}, std::multiplies<>());
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
    if (n_bytes != bytes_.size())
        throw Error(ErrorKind::run, "an array of " + std::to_string(bytes_.size()) + " bytes was given " +
                                        std::to_string(n_bytes));
    if (n_bytes > 0) std::memcpy(bytes_.data(), from, n_bytes);
}

}  // namespace ks
