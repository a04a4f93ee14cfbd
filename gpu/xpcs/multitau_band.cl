// Multi-tau: bands of the Gram matrix of each level. A sample of level 0 is a frame, one of level l + 1 the sum of two of
// level l. The last samples of each level stay on the device while frames arrive in chunks of any number: those of a
// level are a ring of rows, in which sample s is row s mod ring, and element i of a row belongs to the same pixel in all
// rows. The pixels of a bin are adjacent, followed by zeros up to a multiple of 16, and are divided into pieces.
//
// take_frames: NDRange (WG, frames of the chunk, pieces): the counts of a piece in a frame, as samples of level 0.
// add_levels:  NDRange (any multiple of WG, pieces): the new samples of the other levels; a work-item always has the same
//              pixels.
// multiply:    NDRange (WG, blocks, pieces): of RT successive samples of a level, the sum of each, S, and the sums of its
//              products with the CHANNELS samples up to it, G by steps; a level above the first has the upper half of the
//              steps. A work-item multiplies RT samples by RK steps of each of its pixels, and then the group adds
//              up. Dimension 2 may be cut through the range's offset. Local memory: AT_ONCE sums per work-item.
// merge:       NDRange (values of the samples, bins), groups (WG, 1): the sums over the pieces of a bin, in their order.
//
// All groups have WG work-items. Neighbours take neighbouring vectors of VW pixels.
//
// SRC: type of the frames. SAMPLE: type of the samples, exact. SUM: type in which products of a lane are added, exact for
// the `flush` products of a block's level. TOTAL: ulong where whole sums fit, else double.

#ifndef WG
#define WG 64
#endif
#ifndef VW
#define VW 1
#endif
#ifndef RT
#define RT 8
#endif
#ifndef RK
#define RK 8
#endif
#ifndef PIECE
#define PIECE 4096
#endif

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#if VW == 1
#define SAMPLE_V SAMPLE
#define SUM_V SUM
#define LOAD(i, from) ((from)[i])
#define STORE(value, i, to) ((to)[i] = (value))
#else
#define SAMPLE_V JOIN(SAMPLE, VW)
#define SUM_V JOIN(SUM, VW)
#define LOAD JOIN(vload, VW)
#define STORE JOIN(vstore, VW)
#endif
#define WIDEN JOIN(convert_, SUM_V)

// Pixels of a bin: their place in a row, their first entry in the list of pixels, and their number.
typedef struct {
    uint place, first, count;
} Piece;

// A level: the first row of its ring, the number of rows, and its new samples [first, end).
typedef struct {
    uint base, ring, first, end;
} Level;

// Successive samples of a level: `count` from row base + sample on; `out` numbers the first among all new ones.
typedef struct {
    uint base, ring, sample, count, out, first_steps, flush;
} Block;

static inline uint length_of(const Piece piece) {
    return (piece.count + 15) / 16 * 16;
}

static inline size_t row_of(const Level level, const uint sample, const uint row) {
    return (size_t)(level.base + sample % level.ring) * row;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void take_frames(
    global const SRC* frames, global const uint* pixels, global const Piece* pieces, global const Level* levels,
    global SAMPLE* rows, const uint first_frame, const uint frame_pixels, const uint row) {
    const uint frame = get_global_id(1);
    const Piece piece = pieces[get_global_id(2)];
    const Level level = levels[0];
    global const SRC* from = frames + (size_t)(first_frame + frame) * frame_pixels;
    global const uint* of = pixels + piece.first;
    global SAMPLE* to = rows + row_of(level, level.first + frame, row) + piece.place;
    const uint length = length_of(piece);
#if VW == 1
    for (uint i = get_local_id(0); i < piece.count; i += WG) to[i] = (SAMPLE)from[of[i]];
    for (uint i = piece.count + get_local_id(0); i < length; i += WG) to[i] = 0;
#else
    // Pixels of a bin ascend, so that four of them are adjacent if the first and the last one fit.
    for (uint i = 4 * get_local_id(0); i < length; i += 4 * WG) {
        if (i + 4 <= piece.count && of[i + 3] - of[i] == 3)
            vstore4(JOIN(convert_, JOIN(SAMPLE, 4))(vload4(0, from + of[i])), 0, to + i);
        else
            for (uint k = i; k < i + 4; ++k) to[k] = k < piece.count ? (SAMPLE)from[of[k]] : 0;
    }
#endif
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void add_levels(global const Piece* pieces,
                                                                        global const Level* levels,
                                                                        const uint level_count, global SAMPLE* rows,
                                                                        const uint row) {
    const Piece piece = pieces[get_global_id(1)];
    const uint length = length_of(piece);
#if WG == 1
    for (uint l = 1; l < level_count; ++l) {
        const Level below = levels[l - 1], level = levels[l];
        for (uint s = level.first; s < level.end; ++s) {
            global const SAMPLE* a = rows + row_of(below, 2 * s, row) + piece.place;
            global const SAMPLE* b = rows + row_of(below, 2 * s + 1, row) + piece.place;
            global SAMPLE* to = rows + row_of(level, s, row) + piece.place;
            for (uint i = 0; i < length; i += VW) STORE(LOAD(0, a + i) + LOAD(0, b + i), 0, to + i);
        }
    }
#else
    // Several samples are read before the first of them is written, since reads take long.
    for (uint i = get_global_id(0) * VW; i < length; i += get_global_size(0) * VW) {
        global SAMPLE* of_pixels = rows + piece.place + i;
        for (uint l = 1; l < level_count; ++l) {
            const Level below = levels[l - 1], level = levels[l];
            for (uint s = level.first; s < level.end; s += 8) {
                SAMPLE_V a[8], b[8];
#pragma unroll
                for (uint r = 0; r < 8; ++r) {
                    const uint at = min(s + r, level.end - 1);
                    a[r] = LOAD(0, of_pixels + row_of(below, 2 * at, row));
                    b[r] = LOAD(0, of_pixels + row_of(below, 2 * at + 1, row));
                }
#pragma unroll
                for (uint r = 0; r < 8; ++r)
                    if (s + r < level.end) STORE(a[r] + b[r], 0, of_pixels + row_of(level, s + r, row));
            }
        }
    }
#endif
}

static inline TOTAL lanes_sum(const SUM_V* v) {
    const SUM* lane = (const SUM*)v;
    TOTAL sum = 0;
#pragma unroll
    for (uint i = 0; i < VW; ++i) sum += (TOTAL)lane[i];
    return sum;
}

// Adds n values of each work-item to sums[0 .. n), always in the same order. To be read after a barrier.
#if WG == 1
#define SHARED 1
static inline void add_up(const SUM_V* values, const uint n, local TOTAL* shared_sums, local TOTAL* sums) {
#pragma unroll
    for (uint v = 0; v < n; ++v) sums[v] += lanes_sum(values + v);
}
#else
#define AT_ONCE 16
#define PARTS (WG / AT_ONCE)  // work-items that add up one value; rows are a little longer than WG: other banks
#define SHARED (AT_ONCE * (WG + PARTS))
static inline void add_up(const SUM_V* values, const uint n, local TOTAL* shared_sums, local TOTAL* sums) {
    const uint lid = get_local_id(0);
    local TOTAL* of = shared_sums + lid / PARTS * (WG + PARTS) + lid % PARTS;
#pragma unroll
    for (uint first = 0; first < n; first += AT_ONCE) {
        const bool used = first + lid / PARTS < n;
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint v = 0; v < AT_ONCE; ++v)
            if (first + v < n) shared_sums[v * (WG + PARTS) + lid] = lanes_sum(values + first + v);
        barrier(CLK_LOCAL_MEM_FENCE);
        TOTAL sum = 0;
        if (used)
#pragma unroll
            for (uint i = 0; i < AT_ONCE; ++i) sum += of[i * PARTS];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (used) of[0] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (used && lid % PARTS == 0) {
            TOTAL all = 0;
#pragma unroll
            for (uint part = 0; part < PARTS; ++part) all += of[part];
            sums[first + lid / PARTS] += all;
        }
    }
}
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void multiply(global const Piece* pieces,
                                                                      global const Block* blocks,
                                                                      global const SAMPLE* rows, global TOTAL* parts,
                                                                      const uint row, const uint new_samples) {
    local TOTAL shared_sums[SHARED], sums[RT * (RK + 1)];
    const uint lid = get_local_id(0), step = WG * VW;
    const Block block = blocks[get_global_id(1)];
    const Piece piece = pieces[get_global_id(2)];
    const uint length = length_of(piece), count = min((uint)RT, block.count);
    const uint run = (uint)min((ulong)length, (ulong)block.flush * step);
    global const SAMPLE* of_piece = rows + (size_t)block.base * row + piece.place;
    global TOTAL* to = parts + ((size_t)get_global_id(2) * new_samples + block.out) * (1 + CHANNELS);
    global const SAMPLE* late[RT];
#pragma unroll
    for (uint r = 0; r < RT; ++r) late[r] = of_piece + (size_t)((block.sample + r) % block.ring) * row;
    for (uint k = block.first_steps; k < CHANNELS; k += RK) {
        const bool with_s = k == block.first_steps;
        // Sample r and the one k + q before it: early[r - q + RK - 1].
        global const SAMPLE* early[RT + RK - 1];
#pragma unroll
        for (uint j = 0; j < RT + RK - 1; ++j)
            early[j] = of_piece + (size_t)((block.sample + block.ring + j - (k + RK - 1)) % block.ring) * row;
        for (uint v = lid; v < RT * (RK + 1); v += WG) sums[v] = 0;
        for (uint start = 0; start < length; start += run) {
            SUM_V sum[RT * (RK + 1)] = {};  // of products, then of samples
            const uint stop = min(length, start + run);
            for (uint i = start + lid * VW; i < stop; i += step) {
                SUM_V b[RT + RK - 1];
#pragma unroll
                for (uint j = 0; j < RT + RK - 1; ++j) b[j] = WIDEN(LOAD(0, early[j] + i));
#pragma unroll
                for (uint r = 0; r < RT; ++r) {
                    const SUM_V a = WIDEN(LOAD(0, late[r] + i));
                    if (with_s) sum[RT * RK + r] += a;
#pragma unroll
                    for (uint q = 0; q < RK; ++q) sum[r * RK + q] += a * b[r + RK - 1 - q];
                }
            }
            add_up(sum, RT * (RK + 1), shared_sums, sums);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint v = lid; v < RT * RK; v += WG)
            if (v / RK < count && k + v % RK < CHANNELS) to[v / RK * (1 + CHANNELS) + 1 + k + v % RK] = sums[v];
        if (with_s)
            for (uint r = lid; r < count; r += WG) to[r * (1 + CHANNELS)] = sums[RT * RK + r];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void merge(global const uint* first_pieces,
                                                                   global const TOTAL* parts, global TOTAL* sums,
                                                                   const uint new_samples) {
    const uint value = get_global_id(0), bin = get_global_id(1);
    const size_t values = (size_t)new_samples * (1 + CHANNELS);
    if (value >= values) return;
    TOTAL sum = 0;
    for (uint piece = first_pieces[bin]; piece < first_pieces[bin + 1]; ++piece) sum += parts[piece * values + value];
    sums[bin * values + value] = sum;
}
