#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace ks {

/// Types of array elements. Frames use u8, u16, u32, i16, i32, i64 and f32; results use all of them.
enum class ElementType { u8, u16, u32, u64, i16, i32, i64, f32, f64 };

std::size_t size_of(ElementType type);
/// "u8", "f32", ...
const char* name_of(ElementType type);
/// Inverse of name_of; throws ks::Error(input) for an unknown name.
ElementType element_type_from(const std::string& name);
inline bool is_float(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f64;
}
inline bool is_signed(ElementType type) {
    return is_float(type) || type == ElementType::i16 || type == ElementType::i32 || type == ElementType::i64;
}

template <class T>
constexpr ElementType element_type_of() {
    if constexpr (std::is_same_v<T, std::uint8_t>)
        return ElementType::u8;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return ElementType::u16;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return ElementType::u32;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return ElementType::u64;
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return ElementType::i16;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return ElementType::i32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return ElementType::i64;
    else if constexpr (std::is_same_v<T, float>)
        return ElementType::f32;
    else {
        static_assert(std::is_same_v<T, double>, "no ElementType for this C++ type");
        return ElementType::f64;
    }
}

/// Calls `use(T{})` with a value of the C++ type that corresponds to `type`.
template <class Use>
decltype(auto) visit_element(ElementType type, Use&& use) {
    switch (type) {
        case ElementType::u8:
            return use(std::uint8_t{});
        case ElementType::u16:
            return use(std::uint16_t{});
        case ElementType::u32:
            return use(std::uint32_t{});
        case ElementType::u64:
            return use(std::uint64_t{});
        case ElementType::i16:
            return use(std::int16_t{});
        case ElementType::i32:
            return use(std::int32_t{});
        case ElementType::i64:
            return use(std::int64_t{});
        case ElementType::f32:
            return use(float{});
        case ElementType::f64:
            break;
    }
    return use(double{});
}

}  // namespace ks
