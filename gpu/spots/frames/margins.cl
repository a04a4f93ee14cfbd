// Sets the margins of the images of a batch to 0; the pixels between them are written by the upload. See PlaneShape
// (gpu/spots/signal_kernels.h): a row consists of its left margin, the pixels, and the rest of the pitch; above
// each image, and below the last, are rows of margin only, followed by one left margin.
//
// NDRange: dimension 0: WG work-items, which write 16 bytes at a time; dimension 1: one work-item per row, and one for
// the end of the buffer. Group WG x 1. No local memory.

#ifndef WG
#define WG 64
#endif

// In bytes: margin, the left one, and pitch are multiples of 16; inner_end is the end of the pixels. margin_rows above
// each image are included in its image_rows.
kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void clear_margins(global uint4* plane, const uint margin,
                                                                          const uint inner_end, const uint pitch,
                                                                          const uint margin_rows,
                                                                          const uint image_rows) {
    const uint lid = get_local_id(0), row = get_global_id(1), last = get_global_size(1) - 1;
    const ulong begin = (ulong)row * (pitch / 16);
    for (uint i = lid; i < margin / 16; i += WG) plane[begin + i] = (uint4)(0);
    if (row == last) return;
    const uint from = row % image_rows < margin_rows ? margin : inner_end, aligned = (from + 15) / 16;
    global uchar* const bytes = (global uchar*)(plane + begin);
    for (uint i = from + lid; i < 16 * aligned; i += WG) bytes[i] = 0;
    for (uint i = aligned + lid; i < pitch / 16; i += WG) plane[begin + i] = (uint4)(0);
}
