// The copy through a sampler with the row first: an image's x is the column, so the ids are swapped for the access.
// NDRange: dimension 0 is the row, dimension 1 the column, so neighbours in a group read and write different rows;
// group size of the driver; no local memory.

// read_imagef, float4; read_imagei, int4; or read_imageui, uint4
#ifndef READ
#define READ read_imagef
#define WRITE write_imagef
#endif

kernel void sample_rows_first(read_only image2d_t source, write_only image2d_t sampled, const sampler_t sampler,
                              global const float* columns, global const float* rows) {
    const int row = get_global_id(0);
    const int column = get_global_id(1);
    int2 at;
    at.y = row;
    at.x = column;
    WRITE(sampled, at, READ(source, sampler, (float2)(columns[column], rows[row])));
}
