#include "gpu/runtime/cl_name.h"

namespace ks::gpu {

const char* cl_name(ElementType type) {
    switch (type) {
        case ElementType::u8:
            return "uchar";
        case ElementType::u16:
            return "ushort";
        case ElementType::u32:
            return "uint";
        case ElementType::u64:
            return "ulong";
        case ElementType::i16:
            return "short";
        case ElementType::i32:
            return "int";
        case ElementType::i64:
            return "long";
        case ElementType::f32:
            return "float";
        case ElementType::f64:
            break;
    }
    return "double";
}

}  // namespace ks::gpu
