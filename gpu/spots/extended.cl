// dispersion_extended in three passes.
//   dispersed      bits of pixels that are dispersed or invalid: m, x and y by sliding, as gpu/spots/sliding.cl does it
//   erode          keeps the bits with nothing but bits at a Chebyshev distance below min(KX, KY), 32 pixels at a time
//   over_background  of the bits kept: the background's mean over valid pixels that are not kept, and the final test
//
// NDRange of dispersed: dimension 0: groups of V pixels; 1: strips of STRIP rows; 2: module; group (WG, 1,
// 1). Of erode: a word an item. Of over_background: gpu/spots/candidate_queue.cl.

#include "gpu/spots/plane.cl"
#include "gpu/spots/window_test.cl"

#ifndef STRIP
#define STRIP 32
#endif
#define BACK_X (KX + 2)
#define BACK_Y (KY + 2)

#if KIND == 2
#include "gpu/spots/dispersed_real.cl"
#else
#include "gpu/spots/packed_rows.cl"

// Counts are below 2^24 here: squares of a row, and of a window, fit 64 bits.
static inline void slide_squares(const packed_t* span, ulong* sums) {
    ulong sum = 0;
#pragma unroll
    for (int i = HALO - KX; i <= HALO + KX; ++i) sum += (ulong)(span[i] & SUM_MASK) * (span[i] & SUM_MASK);
    sums[0] = sum;
#pragma unroll
    for (int j = 1; j < V; ++j) {
        const ulong enters = span[HALO + j + KX] & SUM_MASK, leaves = span[HALO + j - KX - 1] & SUM_MASK;
        sum += enters * enters - leaves * leaves;
        sums[j] = sum;
    }
}

static inline bool window_dispersed(const packed_t window, const ulong squares, global const ulong* table) {
    sums_t sums = no_sums();
    sums.m = (uint)(window >> NUMBER_SHIFT);
    sums.x = (x_t)(window & SUM_MASK);
    add_square(&sums.y, squares);
    return sums.m >= MIN_LOCAL && is_dispersed(sums, table);
}

kernel void dispersed(global const SRC* images, global const uchar* ignore, global uint* bits,
                      global const ulong* table, const uint4 shape) {
    const uint x = get_global_id(0) * V, y0 = get_global_id(1) * STRIP, module = get_global_id(2);
    if (x >= shape.s1 || y0 >= shape.s0) return;
    const uint rows = min((uint)STRIP, shape.s0 - y0), pitch = shape.s2, inside = min((uint)V, shape.s1 - x);
    global const SRC* image = images + pixel_at(shape, module, y0, x) - (size_t)KY * pitch;
    global const uchar* ignored = ignore + pixel_at(shape, module, y0, x) - (size_t)KY * pitch;

    packed_t window[V], ring[DEPTH][V];
    ulong squares[V], square_ring[DEPTH][V];
#pragma unroll
    for (int j = 0; j < V; ++j) window[j] = squares[j] = 0;
#pragma unroll
    for (int phase = 0; phase < DEPTH; ++phase)
#pragma unroll
        for (int j = 0; j < V; ++j) ring[phase][j] = square_ring[phase][j] = 0;
    for (uint start = 0; start < rows + 2 * KY; start += DEPTH) {
#if DEPTH <= 15
#pragma unroll
#endif
        for (int phase = 0; phase < DEPTH; ++phase) {
            const uint row = start + phase;
            if (row >= rows + 2 * KY) continue;
            packed_t span[SPAN], sums[V];
            ulong row_squares[V];
            load_span(image, ignored, span);
            slide(span, sums);
            slide_squares(span, row_squares);
#pragma unroll
            for (int j = 0; j < V; ++j) {
                window[j] += sums[j] - ring[phase][j];
                ring[phase][j] = sums[j];
                squares[j] += row_squares[j] - square_ring[phase][j];
                square_ring[phase][j] = row_squares[j];
            }
            if (row >= 2 * KY) {
                packed_t pixels[V];
                JOIN(pack, V)(image - (size_t)KY * pitch, ignored - (size_t)KY * pitch, pixels);
                uint found = 0;
#pragma unroll
                for (int j = 0; j < V; ++j)
                    found |= pixels[j] < ONE_PIXEL || window_dispersed(window[j], squares[j], table) ? 1u << j : 0;
                found &= (1u << inside) - 1;
                if (found != 0) atomic_or(bits + word_at(shape, module, y0 + row - 2 * KY, x), found << x % 32);
            }
            image += pitch;
            ignored += pitch;
        }
    }
}
#endif

// Word `w` of a row with everything outside of the image set.
static inline uint word_or_ones(global const uint* row, const int w, const uint4 shape) {
    if (w < 0 || w >= (int)shape.s3) return ~0u;
    const uint used = shape.s1 - (uint)w * 32;
    return used >= 32 ? row[w] : row[w] | ~0u << used;
}

kernel void erode(global const uint* bits, global uint* kept, const uint4 shape, const uint word_count) {
    const uint i = get_global_id(0);
    if (i >= word_count) return;
    const int reach = min(KX, KY) - 1, height = (int)shape.s0, w = (int)(i % shape.s3);
    const uint line = i / shape.s3;
    const int y = (int)(line % shape.s0);
    if (bits[i] == 0) {
        kept[i] = 0;
        return;
    }
    uint left = ~0u, middle = ~0u, right = ~0u;
    for (int dy = max(-reach, -y); dy <= min(reach, height - 1 - y); ++dy) {
        global const uint* row = bits + (long)((int)line + dy) * shape.s3;
        left &= word_or_ones(row, w - 1, shape);
        middle &= word_or_ones(row, w, shape);
        right &= word_or_ones(row, w + 1, shape);
    }
    uint all = middle;
    for (int step = 1; step <= reach; ++step) {
        all &= middle << step | left >> (32 - step);
        all &= middle >> step | right << (32 - step);
    }
    const uint used = shape.s1 - (uint)w * 32;
    kept[i] = used >= 32 ? all : all & ~(~0u << used);
}

// Sums of counts below 2^24 are exact in doubles in any order; those of floats follow the definition's.
static inline bool beyond_background(global const SRC* images, global const uchar* ignore, global const uint* kept,
                                     global const ulong* table, const uint4 shape, const uint module, const uint y,
                                     const uint x) {
    const size_t at = pixel_at(shape, module, y, x);
    const SRC p = images[at];
    if (!is_valid(p, ignore[at]) || !over_threshold(p, table)) return false;
    double sum = 0;
    uint n = 0;
    for (int dy = -BACK_Y; dy <= BACK_Y; ++dy) {
        double row = 0;
        for (int dx = -BACK_X; dx <= BACK_X; ++dx) {
            const size_t other = at + (long)dy * shape.s2 + dx;
            // outside of the image nothing is valid: the bits are read inside only
            if (!is_valid(images[other], ignore[other])) continue;
            const uint ox = (uint)((int)x + dx);
            if ((kept[word_at(shape, module, (uint)((int)y + dy), ox)] >> ox % 32 & 1) != 0) continue;
            row += (double)images[other];
            ++n;
        }
        sum += row;
    }
    const double mean = n < 2 ? 0.0 : sum / n;
    return (double)p >= mean + as_double(table[0]) * sqrt(as_double(table[1]) * mean);
}

#define DECIDE(module, y, x) beyond_background(images, ignore, kept, table, shape, module, y, x)
#include "gpu/spots/candidate_queue.cl"

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void over_background(
    global const SRC* images, global const uchar* ignore, global const uint* kept, global uint* bits,
    global const ulong* table, const uint4 shape, const uint word_count) {
    EACH_CANDIDATE(kept, bits, shape, word_count);
}
