// Copies an image through a sampler created by the host: coordinates are given for each column, row and slice.
// NDRange: dimension 0 is the column, 1 the row, 2 the slice, as many as the image has including layers; with
// TRANSPOSED, dimension 0 is the row and 1 the column. Group size of the driver; no local memory.

#ifndef IMAGE
#define IMAGE image2d_t
#endif
// coordinates per pixel: 1 for image1d_t, 2 for image2d_t and image1d_array_t, else 3; the last one of an
// array is the number of the layer
#ifndef COORDINATES
#define COORDINATES 2
#endif
// read_imagef, float4; read_imagei, int4; or read_imageui, uint4
#ifndef READ
#define READ read_imagef
#define WRITE write_imagef
#define TEXEL float4
#endif
#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif
// 1: the result is a buffer, since slices of a 3-D image can be written only with cl_khr_3d_image_writes
#ifndef INTO_BUFFER
#define INTO_BUFFER 0
#endif

#ifdef cl_khr_3d_image_writes
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#endif

#if COORDINATES == 1
#define FROM columns[x]
#define TO (int)get_global_id(0)
#elif COORDINATES == 2
#define FROM (float2)(columns[x], rows[y])
#define TO (int2)(get_global_id(0), get_global_id(1))
#else
#define FROM (float4)(columns[x], rows[y], slices[z], 0)
#define TO (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)
#endif

#if INTO_BUFFER
#define RESULT global TEXEL*
#else
#define RESULT write_only IMAGE
#endif

kernel void sample(read_only IMAGE source, RESULT sampled, const sampler_t sampler, global const float* columns,
                   global const float* rows, global const float* slices) {
    const size_t x = get_global_id(TRANSPOSED), y = get_global_id(1 - TRANSPOSED), z = get_global_id(2);
    const TEXEL texel = READ(source, sampler, FROM);
#if INTO_BUFFER
    const size_t row = get_global_id(2) * get_global_size(1) + get_global_id(1);
    sampled[row * get_global_size(0) + get_global_id(0)] = texel;
#else
    WRITE(sampled, TO, texel);
#endif
}
