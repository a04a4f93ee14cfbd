// Doubles values. `from` and `to` may be the same buffer.
// NDRange: dimension 0 is the element; group size of the driver; no local memory.

kernel void twice(global const float* from, global float* to) {
    const size_t i = get_global_id(0);
    to[i] = 2 * from[i];
}
