#include "core/base/element_type.h"

#include <array>

#include "core/base/error.h"

namespace ks {
namespace {
constexpr std::array<const char*, 9> names{"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"};
}

std::size_t size_of(ElementType type) {
    return visit_element(type, [](auto zero) { return sizeof(zero); });
}

const char* name_of(ElementType type) {
    return names[static_cast<std::size_t>(type)];
}

ElementType element_type_from(const std::string& name) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == names[i]) return static_cast<ElementType>(i);
    throw Error(ErrorKind::input, "unknown element type \"" + name + "\"");
}

}  // namespace ks
