// A demonstration that must not build: vectors of different element types cannot be cast to each other.
// NDRange: it is never run; no local memory.

kernel void cast(global const int4* in, global uint4* out) {
    const int4 i = in[0];
    const uint4 u = (uint4)i;  // convert_uint4(i) and as_uint4(i) would build
    out[0] = u;
}
