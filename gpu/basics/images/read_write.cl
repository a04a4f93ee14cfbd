// Mirrors an image in place: one kernel reads and writes it, as OpenCL C allows from 2.0 on. Each work-item
// swaps two pixels of a row, which no other one touches. A read_write image is read without a sampler.
// NDRange: dimension 0 is the pair, from the row's ends to its middle, dimension 1 the row; group size of the
// driver; no local memory.

// read_imagef, float4; read_imagei, int4; or read_imageui, uint4
#ifndef READ
#define READ read_imagef
#define WRITE write_imagef
#define TEXEL float4
#endif

kernel void mirror(read_write image2d_t picture, const int width) {
    const int2 left = (int2)(get_global_id(0), get_global_id(1));
    const int2 right = (int2)(width - 1 - left.x, left.y);
    const TEXEL from_left = READ(picture, left), from_right = READ(picture, right);
    WRITE(picture, left, from_right);
    WRITE(picture, right, from_left);
}
