// Pixels regrouped by bin, one row of bytes per frame, and the sum of each row.
//
// regroup:  frames [frame][pixel] as they came, or only some of their pixels  ->  rows: per bin a block [frame][row],
//           row = the bin's pixels followed by zeros up to a multiple of the padding; sums[bin][frame] = S.
//           With STEP, a block is [step][frame][STEP elements of the row]; with PLANES, it has such a part for each
//           byte of the counts, 0 to PLANES - 1 (gram_steps.cl). With ALTERNATE, these parts alternate from step to step, and the
//           halves of a step are exchanged for every second group of four frames (gram_steps_async.cl).
// row_sums: the same sums if the host has already regrouped the rows.
//
// NDRange of regroup: dimension 0: WG work-items that share one row; 1: bin; 2: FRAMES frames, up to the padded number of
// frames (rows past the last frame are zero), so that frames are still in the cache when the other bins take their
// pixels. Group (WG, 1, 1), WG a power of two. Local memory: WG FRAMES sums. It may process a part of the frames, through
// the range's offset; padded_frames is the number of all. Neighbouring work-items take neighbouring pixels, and read the
// table of pixels once for FRAMES frames.
// regroup with WG == 1, for processors, gets runs, adjacent pixels of a bin in the frame, and copies each with vectors,
// the last of which may exceed it: the next run, or the zeros at the end, overwrite the excess.
// NDRange of row_sums: the same with dimensions 1 and 2 exchanged; local memory: WG sums.
//
// ELEM: type of the rows; SRC: type of the frames; S_T: ulong, or double for float counts. SUM: type of the part of a sum
// that one lane adds; LANES: neighbours of a row that a work-item of row_sums, or the only one, takes at a time.

#ifndef WG
#define WG 128
#endif

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define ELEM_V JOIN(ELEM, LANES)
#define SRC_V JOIN(SRC, LANES)
#define SUM_V JOIN(SUM, LANES)
#define LOAD JOIN(vload, LANES)
#define STORE JOIN(vstore, LANES)

static inline S_T lanes_sum(const SUM_V* v) {
    const SUM* lane = (const SUM*)v;
    S_T sum = 0;
    for (uint i = 0; i < LANES; ++i) sum += (S_T)lane[i];
    return sum;
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
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

#ifdef SRC
#if WG == 1
// @param room elements that may be written and read
static inline void copy_run(global const SRC* from, const uint count, const uint room, global ELEM* to) {
    if ((count + LANES - 1) / LANES * LANES <= room)
        for (uint i = 0; i < count; i += LANES) STORE(JOIN(convert_, ELEM_V)(LOAD(0, from + i)), 0, to + i);
    else
        for (uint i = 0; i < count; ++i) to[i] = (ELEM)from[i];
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void regroup(
    global const SRC* frames, global const uint* first_runs, global const uint2* runs, global const ulong* blocks,
    global const uint* row_lengths, global ELEM* rows, global S_T* sums, const uint frame_count,
    const uint frame_pixels, const uint padded_frames) {
    const uint bin = get_global_id(1);
    const uint first = first_runs[bin], stop = first_runs[bin + 1], row = row_lengths[bin];
    for (uint frame = get_global_id(2) * FRAMES; frame < (get_global_id(2) + 1) * FRAMES; ++frame) {
        global ELEM* to = rows + blocks[bin] + (size_t)frame * row;
        global const SRC* from = frames + (size_t)frame * frame_pixels;
        uint at = 0;
        for (uint i = frame < frame_count ? first : stop; i < stop; ++i) {
            const uint2 run = runs[i];
            copy_run(from + run.s0, run.s1, min(row - at, frame_pixels - run.s0), to + at);
            at += run.s1;
        }
        for (; at < row; ++at) to[at] = 0;
        SUM_V sum = 0;
        for (uint i = 0; i < row; i += LANES) sum += JOIN(convert_, SUM_V)(LOAD(0, to + i));
        sums[(size_t)bin * padded_frames + frame] = lanes_sum(&sum);
    }
}
#else
#define AT_ONCE 4  // elements of a row, WG apart, that a work-item takes in a turn
// Element i of a row. STEP: elements that lie together, [step][frame][element]; without it rows are whole.
#ifndef PLANES
#define PLANES 1
#endif
#if PLANES == 2
#define PLANE(value, p) ((p) == 0 ? (value) & 255 : (value) >> 8)
#elif PLANES == 3
#define PLANE(value, p) ((p) == 0 ? (value) & 127 : (p) == 1 ? (value) >> 7 : ((value) & 127) + ((value) >> 7))
#endif
#ifdef STEP
// Where byte p of element i is.
#ifdef ALTERNATE
#define PLACE_OF(frame, i, p) \
    (((size_t)((i) / STEP * PLANES + (p)) * padded_frames + (frame)) * STEP + ((i) % STEP ^ ((frame) & 4) * 4))
#else
#define PLACE_OF(frame, i, p) PLACE(frame, (i) + (p) * row)
#endif
#define PLACE(frame, i) (((size_t)((i) / STEP) * padded_frames + (frame)) * STEP + (i) % STEP)
#else
#define PLACE(frame, i) ((size_t)(frame) * row + (i))
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void regroup(
    global const SRC* frames, global const uint* offsets, global const uint* pixels, global const ulong* blocks,
    global const uint* row_lengths, global ELEM* rows, global S_T* sums, const uint frame_count,
    const uint frame_pixels, const uint padded_frames) {
    local S_T shared_sums[WG * FRAMES];
    const uint bin = get_global_id(1), first = get_global_id(2) * FRAMES;
    const uint start = offsets[bin], count = offsets[bin + 1] - start, row = row_lengths[bin], lid = get_local_id(0);
    global ELEM* to = rows + blocks[bin];
    global const SRC* from[FRAMES];
    SUM sum[FRAMES];
#pragma unroll
    for (uint f = 0; f < FRAMES; ++f) {
        from[f] = frames + (size_t)min(first + f, frame_count - 1) * frame_pixels;
        sum[f] = 0;
    }
    // All reads of a turn are under way before the first count is stored.
    for (uint turn = lid; turn < row; turn += WG * AT_ONCE) {
        uint place[AT_ONCE];
        SRC value[AT_ONCE][FRAMES];
#pragma unroll
        for (uint k = 0; k < AT_ONCE; ++k) place[k] = pixels[start + min(turn + k * WG, count - 1)];
#pragma unroll
        for (uint k = 0; k < AT_ONCE; ++k)
#pragma unroll
            for (uint f = 0; f < FRAMES; ++f) value[k][f] = from[f][place[k]];
#pragma unroll
        for (uint k = 0; k < AT_ONCE; ++k) {
            const uint i = turn + k * WG;
            if (i >= row) break;
#pragma unroll
            for (uint f = 0; f < FRAMES; ++f) {
                const SRC used = i < count && first + f < frame_count ? value[k][f] : 0;
#if PLANES == 1
                to[PLACE(first + f, i)] = (ELEM)used;
#else
#pragma unroll
                for (uint p = 0; p < PLANES; ++p) to[PLACE_OF(first + f, i, p)] = (ELEM)PLANE((uint)used, p);
#endif
                sum[f] += (SUM)used;
            }
        }
    }
#pragma unroll
    for (uint f = 0; f < FRAMES; ++f) shared_sums[f * WG + lid] = (S_T)sum[f];
    for (uint n = WG / 2; n > 0; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < n)
#pragma unroll
            for (uint f = 0; f < FRAMES; ++f) shared_sums[f * WG + lid] += shared_sums[f * WG + lid + n];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < FRAMES) sums[(size_t)bin * padded_frames + first + lid] = shared_sums[lid * WG];
}
#endif
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void row_sums(global const ulong* blocks,
                                                                      global const uint* row_lengths,
                                                                      global const ELEM* rows, global S_T* sums) {
    local S_T shared_sums[WG];
    const uint bin = get_global_id(2), row = row_lengths[bin], padded_frames = get_global_size(1) * FRAMES;
    for (uint frame = get_global_id(1) * FRAMES; frame < (get_global_id(1) + 1) * FRAMES; ++frame) {
        global const ELEM* from = rows + blocks[bin] + (size_t)frame * row;
        SUM_V sum = 0;
        for (uint i = LANES * get_local_id(0); i < row; i += LANES * WG)
            sum += JOIN(convert_, SUM_V)(LOAD(0, from + i));
        store_sum(lanes_sum(&sum), shared_sums, sums + (size_t)bin * padded_frames + frame);
    }
}
