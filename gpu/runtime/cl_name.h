#pragma once

#include <cstddef>

#include "core/base/element_type.h"

namespace ks::gpu {

/// OpenCL C name of an element type: "uchar", "float", ...
inline const char* cl_name(ElementType type) {
    constexpr const char* in_order[] = {"uchar", "ushort", "uint",  "ulong", "short",
                                        "int",   "long",   "float", "double"};
    return in_order[static_cast<std::size_t>(type)];
}

}  // namespace ks::gpu
