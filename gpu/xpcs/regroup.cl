// Pixels regrouped by bin, one row of bytes a frame, and the sum of each row.
//
// regroup:  frames [frame][pixel] as they came  ->  rows: for each bin a block [frame][row], row = the bin's pixels
//           followed by zeros up to a multiple of the padding; sums[bin][frame] = S.
// row_sums: the same sums where the host has regrouped already.
//
// NDRange of both: dimension 0: WG work-items that share one row; 1: frame, up to the padded number of frames (rows past
// the last frame are zero); 2: bin. Group (WG, 1, 1). Local memory: WG sums.
//
// ELEM: type of the rows; SRC: type of the frames; S_T: ulong, or double for float counts; SUM8: eight lanes that hold
// an eighth of a row's sum.

#ifndef WG
#define WG 128
#endif

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define ELEM8 JOIN(ELEM, 8)
#define SRC8 JOIN(SRC, 8)

static inline S_T lanes_sum(const SUM8 v) {
    return (S_T)v.s0 + (S_T)v.s1 + (S_T)v.s2 + (S_T)v.s3 + (S_T)v.s4 + (S_T)v.s5 + (S_T)v.s6 + (S_T)v.s7;
}

static inline void store_sum(S_T sum, local S_T* shared_sums, global S_T* to) {
#if WG == 1
    *to = sum;
#else
    const uint lid = get_local_id(0);
    shared_sums[lid] = sum;
    for (uint n = WG; n > 1;) {
        const uint half_up = (n + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid + half_up < n) shared_sums[lid] += shared_sums[lid + half_up];
        n = half_up;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) *to = shared_sums[0];
#endif
}

#ifdef SRC
// Eight counts of a row: a run of neighbours in the frame is read as one vector.
static inline SRC8 gather8(global const SRC* from, global const uint* pixels, const uint left) {
    if (left >= 8 && pixels[7] - pixels[0] == 7) return vload8(0, from + pixels[0]);
    SRC value[8];
    for (uint e = 0; e < 8; ++e) value[e] = e < left ? from[pixels[e]] : 0;
    return vload8(0, value);
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void regroup(
    global const SRC* frames, global const uint* offsets, global const uint* pixels, global const ulong* blocks,
    global const uint* row_lengths, global ELEM* rows, global S_T* sums, const uint frame_count,
    const uint frame_pixels) {
    local S_T shared_sums[WG];
    const uint frame = get_global_id(1), bin = get_global_id(2), padded_frames = get_global_size(1);
    const uint start = offsets[bin], count = offsets[bin + 1] - start, row = row_lengths[bin];
    global ELEM* to = rows + blocks[bin] + (size_t)frame * row;
    const uint used = frame < frame_count ? count : 0;
    global const SRC* from = frames + (size_t)frame * frame_pixels;
    SUM8 sum = 0;
    for (uint i = 8 * get_local_id(0); i < row; i += 8 * WG) {
        const SRC8 value = i < used ? gather8(from, pixels + start + i, used - i) : (SRC8)(0);
        vstore8(JOIN(convert_, ELEM8)(value), 0, to + i);
        sum += JOIN(convert_, SUM8)(value);
    }
    store_sum(lanes_sum(sum), shared_sums, sums + (size_t)bin * padded_frames + frame);
}
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void row_sums(global const ulong* blocks,
                                                                      global const uint* row_lengths,
                                                                      global const ELEM* rows, global S_T* sums) {
    local S_T shared_sums[WG];
    const uint frame = get_global_id(1), bin = get_global_id(2), row = row_lengths[bin];
    global const ELEM* from = rows + blocks[bin] + (size_t)frame * row;
    SUM8 sum = 0;
    for (uint i = 8 * get_local_id(0); i < row; i += 8 * WG) sum += JOIN(convert_, SUM8)(vload8(0, from + i));
    store_sum(lanes_sum(sum), shared_sums, sums + (size_t)bin * get_global_size(1) + frame);
}
