#pragma once

#include "core/base/element_type.h"

namespace ks::gpu {

/// OpenCL C name of an element type: "uchar", "float", ...
const char* cl_name(ElementType type);

}  // namespace ks::gpu
