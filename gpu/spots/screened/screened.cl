// Two pixels per word, as 16-bit numbers, so that one instruction sums both. Work-items walk down RUN rows of 8 pixels
// and apply to each row a cheap test that no signal fails; the few pixels that pass are decided exactly, in parallel.
//
// The strong test requires p > x/m + sigma_s sqrt(gain x/m), which rises with x/m. So with invalid counts and those of
// CLAMP and more taken as 0, no strong pixel fails it. Of 8 neighbours, the largest p is compared with the least x, as
// if all pixels were valid: one test for all. In addition the window must have a count above that up to which windows
// are never dispersed. If most counts are CLAMP or more, a group walks again in units of 2^shift, rounded down.
//
// NDRange: dimension 0: WG work-items per ACROSS * 8 columns; 1: tiles of WG / ACROSS * RUN rows; 2: module. Group (WG,
// 1, 1). Local memory: 16 bytes per work-item and row of the window, one bit per pixel of the tile. masked, valid: what
// masked_windows made of `ignore`. `images` may hold several frames, one after another like modules; each has MODULES,
// and all have the same mask.
//
// For integer counts; 1 <= KX <= 8, KY <= 4, RUN + 2 KY a multiple of 2 KY + 1 and 30 at most.

#ifndef WG
#define WG 32
#endif
#ifndef ACROSS
#define ACROSS 32
#endif
#ifndef RUN
#define RUN 22
#endif
#ifndef MODULES
#define MODULES 1
#endif

#include "gpu/spots/screened/screened_walk.cl"
#include "gpu/spots/screened/screened_sums.cl"

#define TILE_ROWS (WG / ACROSS * RUN)
#define TILE_WORDS (TILE_ROWS * ACROSS / 4)
// In 16 bytes: the sums of rows; then rows of work-items, and pixels of as many rows as there are work-items.
#define FOR_SUMS (DEPTH * WG)
#define FOR_QUEUES (WG * (RUN + 8) / 8)

#define SPECIAL 0x80000000u
#define EDGE 0x40000000u

// Chunks per row, and strips, of whole tiles.
static inline uint chunks_across(const uint4 shape) {
    return (WIDTH_OF(shape) + ACROSS * 8 - 1) / (ACROSS * 8) * ACROSS;
}
static inline uint strips_down(const uint4 shape) {
    return (HEIGHT_OF(shape) + TILE_ROWS - 1) / TILE_ROWS * (WG / ACROSS);
}

// One word per work-item's 8 pixels; bit r: row r, counted from KY above, has masked pixels among them or at most HALO
// beside them, including those of margins. EDGE: any of the ACROSS adjacent work-items has such rows; SPECIAL: with
// pixels of the image, which have counts where margins have zeros. If a window has such rows, also the numbers of its
// valid pixels. masked[module][strip of RUN rows][chunk]; valid: as images. NDRange: dimension 0: chunks; 1: strips; 2:
// module.
kernel __attribute__((reqd_work_group_size(ACROSS, 1, 1))) void masked_windows(global const uchar* ignore,
                                                                               global uint* masked,
                                                                               global uchar* valid,
                                                                               const uint4 shape) {
    local uint of_strip;
    const uint chunk = get_global_id(0), strip = get_global_id(1), module = get_global_id(2);
    uint flags = 0;
    bool special = false;
    if (get_local_id(0) == 0) of_strip = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (chunk * 8 < WIDTH_OF(shape)) {
        for (int r = 0; r < CHUNK_ROWS; ++r) {
            const int y = (int)(strip * RUN) + r - KY;
            const bool inside = y >= 0 && y < (int)HEIGHT_OF(shape);
            bool any = !inside;
            if (inside) {
                global const uchar* row = ignore + pixel_at(shape, module, y, 0);
                for (int x = (int)(chunk * 8) - HALO; x < (int)(chunk * 8) + 8 + HALO; ++x)
                    if (row[x] != 0) {
                        any = true;
                        special = special || (x >= 0 && x < (int)WIDTH_OF(shape));
                    }
            }
            flags |= any ? 1u << r : 0;
        }
        for (uint r = 0; r < RUN && strip * RUN + r < HEIGHT_OF(shape); ++r) {
            if ((flags >> r & WINDOW_ROWS) == 0) continue;
            const size_t first = pixel_at(shape, module, strip * RUN + r, chunk * 8);
            for (uint i = 0; i < 8; ++i) {
                uint number = 0;
                for (int dy = -KY; dy <= KY; ++dy)
                    for (int dx = -KX; dx <= KX; ++dx)
                        number += ignore[first + i + dx + dy * (long)PITCH_OF(shape)] == 0 ? 1 : 0;
                valid[first + i] = (uchar)number;
            }
        }
    }
    if (flags != 0) atomic_or(&of_strip, special ? SPECIAL | EDGE : EDGE);
    barrier(CLK_LOCAL_MEM_FENCE);
    masked[((size_t)module * strips_down(shape) + strip) * chunks_across(shape) + chunk] = flags | of_strip;
}

// Bit i: pixel i of 8 is valid, and above `value`, in units, and the global threshold.
static inline uint wanted_pixels(global const SRC* image, const uint shift, const float value,
                                 global const ulong* table) {
    // In units of more than 1, counts were rounded down: below 0, 0 units may be signal, too.
    const ulong above = value < 0 ? 0 : ((ulong)(uint)value + 1) << shift;
#if SRC_BYTES <= 2
    // `above` may be rounded up beyond the largest count, which stays wanted; the threshold is exact.
    const uint minimum = max((uint)min(above, 65535ul), (uint)min(table[2], 65536ul));
#else
    const ulong minimum = max(above, table[2]);
#endif
    const pixels_t pixels = *(global const pixels_t*)image;
    uint wanted = 0;
#define WANT(i) \
    if (pixels.s##i >= minimum && is_valid(pixels.s##i, 0)) wanted |= 1u << i;
    WANT(0) WANT(1) WANT(2) WANT(3) WANT(4) WANT(5) WANT(6) WANT(7) return wanted;
}

// If registers are limited, the group size may not be known.
#ifdef MAX_REGISTERS
#define GROUP
#else
#define GROUP __attribute__((reqd_work_group_size(WG, 1, 1)))
#endif

kernel GROUP void screen_tiles(global const SRC* restrict images, global const uchar* restrict ignore,
                               global const uint* restrict masked, global const uchar* restrict valid,
                               global uint* restrict bits, global const ulong* restrict table,
                               const uint4 shape) {
    local uint4 room[FOR_SUMS > FOR_QUEUES ? FOR_SUMS : FOR_QUEUES];
    local ushort* const rows_queue = (local ushort*)room;
    local ushort* const pixels_queue = rows_queue + WG * RUN;
    local uint found[TILE_WORDS], masked_of[WG];
    local float wanted_of[WG];  // counts above may be signal
    local cut_t cut;
    local uint queued_rows, queued;
    const uint lid = get_local_id(0), lane = lid % ACROSS, strip = lid / ACROSS, pitch = PITCH_OF(shape);
    const uint x0 = get_group_id(0) * ACROSS * 8, y0 = get_global_id(1) * TILE_ROWS,
               module = get_global_id(2);
    const uint own_x = x0 + lane * 8, own_y = y0 + strip * RUN;
    const bool there = own_x < WIDTH_OF(shape) && own_y < HEIGHT_OF(shape);
    const uint rows_there = there ? min((uint)RUN, HEIGHT_OF(shape) - own_y) : 0,
               count = there ? rows_there + 2 * KY : 0;
    const size_t corner = pixel_at(shape, module, y0, x0);
    const size_t own =
        there ? corner + (size_t)(strip * RUN) * pitch + lane * 8 : pixel_at(shape, module, 0, 0);
    const uint own_module = module % MODULES;
    // The offset of the frame, which its mask does not have.
    const size_t skipped = pixel_at(shape, module, 0, 0) - pixel_at(shape, own_module, 0, 0);
    const size_t above = own - KY * (size_t)pitch;
    const uint masked_here =
        masked[((size_t)own_module * strips_down(shape) + own_y / RUN) * chunks_across(shape) + own_x / 8];
    const uint mask = masked_here & ~(SPECIAL | EDGE);

    if (lid == 0) {
        cut.rows = queued_rows = 0;
        cut.min_bits = 64;
    }
    masked_of[lid] = masked_here;
    for (uint i = lid; i < TILE_WORDS; i += WG) found[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint shift = 0;
    found_t candidates;
    for (;;) {
#if PLAIN
        if (masked_here == 0 && shift == 0)
            candidates = walk_plain(images + above, pitch, count, room + lid, &cut, limits_of(table, 0));
        else
#endif
            candidates = walk_special(images + above, ignore + (above - skipped), valid + (above - skipped),
                                      pitch, count, mask, (masked_here & SPECIAL) == 0 ? 0 : mask, shift,
                                      room + lid, &cut, limits_of(table, shift));
        if (shift != 0) break;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (cut.rows <= WG * CHUNK_ROWS / 8) break;
        shift = cut.min_bits + 1 - CLAMP_BITS;
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // from here on `room` is for queues
    const limits_t limits = limits_of(table, shift);
    {
        const float mean = candidates.min_x * (float)((1 - 1e-5) / WINDOW);
        wanted_of[lid] = mean + sqrt(limits.strong * mean) - limits.more;
        uint left = rows_there == 0 ? 0 : candidates.rows & ~0u >> (32 - rows_there);
        uint rank = left == 0 ? 0 : atomic_add(&queued_rows, popcount(left));
        for (; left != 0; left &= left - 1)
            rows_queue[rank++] = (ushort)((strip * RUN + 31 - clz(left & -left)) * ACROSS + lane);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint start = 0; start < queued_rows; start += WG) {
        if (lid == 0) queued = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (start + lid < queued_rows) {
            const uint chunk = rows_queue[start + lid], row = chunk / ACROSS, across = chunk % ACROSS;
            uint wanted = wanted_pixels(images + corner + row * (size_t)pitch + across * 8, shift,
                                        wanted_of[row / RUN * ACROSS + across], table);
            uint rank = wanted == 0 ? 0 : atomic_add(&queued, popcount(wanted));
            for (; wanted != 0; wanted &= wanted - 1)
                pixels_queue[rank++] = (ushort)(chunk * 8 + 31 - clz(wanted & -wanted));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lid; i < queued; i += WG) {
            const uint place = pixels_queue[i], row = place / (ACROSS * 8), column = place % (ACROSS * 8);
            const size_t pixel = corner + row * (size_t)pitch + column;
            const uint flags = masked_of[row / RUN * ACROSS + column / 8];
            const bool full = (flags >> row % RUN & WINDOW_ROWS) == 0;
            const count_t p = (count_t)images[pixel];
            sums_t sums;
            bool signal = true;
            if ((full || (flags & SPECIAL) == 0) &&
                quick_sums(images + pixel, pitch, (column + KX) % 2 != 0, &sums)) {
                if (!full) sums.m = valid[pixel - skipped];
            } else {
                signal = ignore[pixel - skipped] == 0;
                sums = window_sums(images + pixel, ignore + (pixel - skipped), pitch);
            }
            if (signal && is_signal(sums, p, table)) atomic_or(&found[place / 32], 1u << place % 32);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (uint i = lid; i < TILE_WORDS; i += WG) {
        const uint y = y0 + i / (ACROSS / 4), x = x0 + i % (ACROSS / 4) * 32;
        if (y < HEIGHT_OF(shape) && x < WORDS_OF(shape) * 32) bits[word_at(shape, module, y, x)] = found[i];
    }
}
