// Copies an image through a sampler, which the host makes: coordinates are given for each column and row.
// NDRange: dimension 0 is the column, dimension 1 the row; group size of the driver; no local memory.

kernel void sample(read_only image2d_t source, write_only image2d_t sampled, const sampler_t sampler,
                   global const float* columns, global const float* rows) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(sampled, at, read_imagef(source, sampler, (float2)(columns[at.x], rows[at.y])));
}
