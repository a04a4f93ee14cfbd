// One work-item traverses the whole vector. A launch takes the elements from `first` to before `last`; from
// the second launch on, the value continues from that of the previous one. NDRange:
// one work-item; no local memory.
#include "gpu/basics/reduce/terms.cl"

kernel void reduce(const ulong first, const ulong last, global const VALUE* x, global const VALUE* y,
                   global VALUE* out) {
    VALUE value = first == 0 ? NEUTRAL : out[0];
    for (ulong i = first; i < last; ++i) value = JOIN(value, TERM(i));
    out[0] = value;
}
