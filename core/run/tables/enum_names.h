#pragma once

#include <cstddef>
#include <string>

#include "core/base/error.h"

namespace ks {

/// The names of an enumeration's values, which count from 0, in their order.
template <class Enum, std::size_t count>
struct EnumNames {
    const char* names[count];

    const char* of(Enum value) const { return names[static_cast<std::size_t>(value)]; }
    /// Throws ks::Error(kind) for an unknown name.
    Enum from(const std::string& name, ErrorKind kind, const char* where) const {
        std::string known;
        for (std::size_t i = 0; i < count; ++i) {
            if (name == names[i]) return static_cast<Enum>(i);
            known += (i == 0 ? "" : i + 1 < count ? ", " : " or ") + std::string(names[i]);
        }
        throw Error(kind, "expected " + known + ", found \"" + name + "\"", where);
    }
};

}  // namespace ks
