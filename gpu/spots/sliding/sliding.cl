// First pass over all pixels: which may be signal. A work-item walks down a strip of STRIP rows, V pixels wide. Row
// sums of windows are computed by sliding along the row, window sums by adding the row that enters and subtracting the
// one that leaves: those of the last 2 KY + 1 rows stay in registers. No local memory, no barrier.
//
// A candidate is valid, above the global threshold, and passes the strong test (which needs only m and x) in floats,
// with a margin that covers their rounding; in addition, some pixel of its window is above the count up to which
// nothing is ever dispersed. gpu/spots/sliding/decide.cl decides the few that remain.
//
// NDRange: dimension 0: groups of V pixels, as many as fit the 32-bit words of a row; 1: strips; 2: module. Group (WG,
// 1, 1).

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"

#ifndef WG
#define WG 64
#endif
#ifndef STRIP
#define STRIP 32
#endif

#if KIND == 2
#include "gpu/spots/sliding/sliding_real.cl"
#else
#include "gpu/spots/sliding/packed_rows.cl"

// Whether windows without a high count can be detected: their flags, 2 KX more than pixels, must fit a word.
#define LOW_COUNTS (V + 2 * KX <= 32)

static inline bool maybe_strong(const packed_t window, const packed_t pixel, const float factor) {
    const packed_t m = window >> NUMBER_SHIFT, x = window & SUM_MASK, p = pixel & SUM_MASK;
    const SIGNED excess = (SIGNED)(m * p) - (SIGNED)x;
    const float e = (float)excess;
    return excess > 0 && e * e >= factor * (float)x * (float)m;
}

// Bit i: pixel HALO - KX + i of the span is above `low`.
static inline uint high_counts(const packed_t* span, const packed_t low) {
    uint flags = 0;
#if LOW_COUNTS
#pragma unroll
    for (int i = 0; i < V + 2 * KX; ++i) flags |= span[HALO - KX + i] > low ? 1u << i : 0;
#endif
    return flags;
}

// Bit j: any of the flags j .. j + 2 KX.
static inline uint any_in_window(uint flags) {
    uint covered = 1;
#pragma unroll
    for (int round = 0; round < 5; ++round) {
        const uint more = min(covered, 2 * KX + 1 - covered);
        flags |= flags >> more;
        covered += more;
    }
    return flags;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void candidates(
    global const SRC* images, global const uchar* ignore, global uint* bits, global const ulong* table,
    const uint4 shape) {
    const uint x = get_global_id(0) * V, y0 = get_global_id(1) * STRIP, module = get_global_id(2);
    if (x >= WORDS_OF(shape) * 32 || y0 >= HEIGHT_OF(shape)) return;
    const uint rows = min((uint)STRIP, HEIGHT_OF(shape) - y0);
    if (x >= WIDTH_OF(shape)) {
        for (uint y = 0; y < rows; ++y) store_bits(bits, shape, module, y0 + y, x, 0);
        return;
    }
    const uint pitch = PITCH_OF(shape);
    const packed_t minimum = (packed_t)min(table[2], (ulong)SUM_MASK);
    const packed_t low = (packed_t)min(table[4], (ulong)SUM_MASK) | ONE_PIXEL;
    const float factor = as_float((uint)table[3]);
    global const SRC* image = images + pixel_at(shape, module, y0, x) - (size_t)KY * pitch;
    global const uchar* ignored = ignore + pixel_at(shape, module, y0, x) - (size_t)KY * pitch;

    packed_t window[V], ring[DEPTH][V];
    uint high[DEPTH];
#pragma unroll
    for (int j = 0; j < V; ++j) window[j] = 0;
#pragma unroll
    for (int phase = 0; phase < DEPTH; ++phase) {
        high[phase] = 0;
#pragma unroll
        for (int j = 0; j < V; ++j) ring[phase][j] = 0;
    }
    for (uint start = 0; start < rows + 2 * KY; start += DEPTH) {
#if DEPTH <= 15
#pragma unroll
#endif
        for (int phase = 0; phase < DEPTH; ++phase) {
            const uint row = start + phase;
            if (row >= rows + 2 * KY) continue;
            packed_t span[SPAN], sums[V];
            load_span(image, ignored, span);
            slide(span, sums);
#pragma unroll
            for (int j = 0; j < V; ++j) {
                window[j] += sums[j] - ring[phase][j];
                ring[phase][j] = sums[j];
            }
            high[phase] = high_counts(span, low);
            if (row >= 2 * KY) {
                packed_t pixels[V];
                JOIN(pack, V)(image - (size_t)KY * pitch, ignored - (size_t)KY * pitch, pixels);
                uint found = 0;
#pragma unroll
                for (int j = 0; j < V; ++j)
                    found |= pixels[j] >= (minimum | ONE_PIXEL) && maybe_strong(window[j], pixels[j], factor) ? 1u << j : 0;
#if LOW_COUNTS
                uint any = 0;
#pragma unroll
                for (int i = 0; i < DEPTH; ++i) any |= high[i];
                found &= any_in_window(any);
#endif
                store_bits(bits, shape, module, y0 + row - 2 * KY, x, found);
            }
            image += pitch;
            ignored += pitch;
        }
    }
}
#endif
