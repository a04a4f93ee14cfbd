// Copies an array, one value per work-item, in one, two or three dimensions: memcpy as kernels.
// NDRange: copy_1d (x), copy_2d (x, y), copy_3d (x, y, z), x rounded up to groups of WG in a row; no local memory.

kernel void copy_1d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    const size_t x = get_global_id(0);
    if (x < width) to[x] = from[x];
}

kernel void copy_2d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    const size_t x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    const size_t i = y * width + x;
    to[i] = from[i];
}

kernel void copy_3d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= width || y >= height || z >= depth) return;
    const size_t i = (z * height + y) * width + x;
    to[i] = from[i];
}
