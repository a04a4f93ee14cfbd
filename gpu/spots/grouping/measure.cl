// Sums over the pixels of pieces and spots (`sum_runs`), then over the background around each piece (`sum_background`),
// in integers: the same in any order.
//
// Pixel (y, x) of frame f is images[f * frame_stride + row_at[y] + column_at[x]]; NOWHERE: between the modules. Counts
// are below `end`; from `saturation` to `last` they are saturated; `mark` is counted if a signal pixel has it.
// labels[k], if not null: the spot of signal pixel k. sum_background also stores the start of each of the `frames` in
// the list. Records start at `before`. shape: of a frame. nodes, room: signal pixels and records that fit.
//
// NDRange of both: dimension 0: WG work-items per group; any number of groups share the work. Group WG; LANES of its
// work-items walk the box of a piece. Local memory of sum_background: 12 bytes per work-item.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#include "gpu/spots/grouping/forest.cl"
#include "gpu/spots/grouping/records.cl"

#ifndef WG
#define WG 256
#endif
#ifndef LANES
#define LANES 16
#endif
#ifndef LINKED
#define LINKED 1
#endif
#ifndef LABELS
#define LABELS 0
#endif
#ifndef SRC
#define SRC ushort
#endif
#define NOWHERE 0xffffffffu
#define MARGIN 2  // pixels around a piece's box that are its background

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void sum_runs(
    global const SRC* images, global const uint* list, global const uint* bits, global const uint* row_at,
    global const uint* column_at, volatile global uint* piece_parent, volatile global uint* spot_parent,
    global const uint* piece_numbers, global const uint* spot_numbers, global uint* pieces, global ulong* records,
    volatile global ulong* totals, global uint* labels, const uint4 shape, const uint nodes, const uint room,
    const uint before, const ulong frame_stride, const ulong mark) {
    if (!has_room(list, totals, nodes, room)) return;
    const uint n = list[0];
    for (uint k = get_global_id(0); k < n; k += get_global_size(0)) {
        const uint pixel = list[1 + k], row = pixel / WIDTH_OF(shape), x = pixel - row * WIDTH_OF(shape), bit = x % 32;
        const uint word = bits[row * WORDS_OF(shape) + x / 32];
        if (!starts_run(word, bit)) continue;
        const uint length = run_length(word, bit), frame = row / HEIGHT_OF(shape);
        const uint number = piece_numbers[find_root(piece_parent, k)];
        const uint spot = LINKED ? spot_numbers[find_root(spot_parent, k)] : number;
        volatile global ulong* const record = records + (size_t)(before + spot) * RECORD;
        const uint first = (uint)record[FIRST], first_row = first / WIDTH_OF(shape);
        const uint first_frame = first_row / HEIGHT_OF(shape);
        const long dx = (long)x - (long)(first - first_row * WIDTH_OF(shape));
        const long dy = (long)(row - frame * HEIGHT_OF(shape)) - (long)(first_row - first_frame * HEIGHT_OF(shape));
        const ulong dz = frame - first_frame;
        global const SRC* const values = images + frame * frame_stride + row_at[row - frame * HEIGHT_OF(shape)];
        ulong sum = 0, squares = 0, peak = 0, second = 0, marked = 0;
        long moment = 0;
        for (uint i = 0; i < length; ++i) {
            const ulong count = values[column_at[x + i]];
            const long r = dx + (long)i;
            sum += count;
            squares += count * count;
            moment += (long)count * r;
            second += count * (ulong)(r * r);
            peak = max(peak, count << 32 | (ulong)(~(pixel + i)));
            marked += count == mark ? 1 : 0;
#if LABELS
            labels[k + i] = spot;
#endif
        }
        atom_add(&record[N], (ulong)length);
        atom_add(&record[SUM], sum);
        atom_add(&record[SQUARES], squares);
        atom_max(&record[PEAK], peak);
        atom_add(&record[MOMENTS], (ulong)moment);
        atom_add(&record[SECONDS], second);
        if (dy != 0) {
            atom_add(&record[MOMENTS + 1], sum * (ulong)dy);
            atom_add(&record[SECONDS + 1], sum * (ulong)(dy * dy));
        }
        if (dz != 0) {
            atom_add(&record[MOMENTS + 2], sum * dz);
            atom_add(&record[SECONDS + 2], sum * dz * dz);
        }
        if (marked != 0) atom_add(&totals[MARKED], marked);
        volatile global uint* const piece = pieces + (size_t)number * PIECE;
        atomic_min(&piece[X0], x);
        atomic_max(&piece[X1], x + length);
        atomic_max(&piece[LAST_ROW], row);
    }
}

/// Position of the first signal pixel from `pixel` on.
static inline uint first_of(global const uint* list, const ulong pixel) {
    uint low = 0, high = list[0];
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (list[1 + middle] < pixel)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void sum_background(
    global const SRC* images, global const uchar* ignore, global const uint* list, global const uint* bits,
    global const uint* row_at, global const uint* column_at, volatile global uint* spot_parent,
    global const uint* spot_numbers, global const uint* pieces, global ulong* records, volatile global ulong* totals,
    const uint4 shape, const uint nodes, const uint room, const uint before, const ulong frame_stride,
    const ulong end, const ulong saturation, const ulong last, const uint frames) {
    local ulong sums[WG];
    local uint taken[WG];
    if (!has_room(list, totals, nodes, room)) return;
    const uint lid = get_local_id(0), lane = lid % LANES, count = (uint)totals[PIECES];
    // Work-items without a piece, if there are any.
    for (uint f = get_global_size(0) - 1 - get_global_id(0); f <= frames; f += get_global_size(0))
        totals[FRAMES + f] = first_of(list, f * (ulong)HEIGHT_OF(shape) * WIDTH_OF(shape));
    for (uint from = get_group_id(0) * (WG / LANES); from < count; from += get_num_groups(0) * (WG / LANES)) {
        const uint number = from + lid / LANES;
        ulong sum = 0;
        uint pixels = 0, saturated = 0;
        uint2 columns = 0, rows = 0;
        uint frame = 0;
        global const uint* const piece = pieces + (size_t)number * PIECE;
        if (number < count) {
            frame = piece[FIRST_ROW] / HEIGHT_OF(shape);
            columns = (uint2)(piece[X0], piece[X1]);
            rows = (uint2)(piece[FIRST_ROW], piece[LAST_ROW] + 1) - frame * HEIGHT_OF(shape);
            const uint x0 = max(columns.s0, (uint)MARGIN) - MARGIN, x1 = min(WIDTH_OF(shape), columns.s1 + MARGIN);
            const uint y0 = max(rows.s0, (uint)MARGIN) - MARGIN, y1 = min(HEIGHT_OF(shape), rows.s1 + MARGIN);
            const uint width = x1 - x0, all = width * (y1 - y0);
            for (uint i = lane; i < all; i += LANES) {
                const uint y = y0 + i / width, x = x0 + i % width;
                const uint row = row_at[y], column = column_at[x];
                if (row == NOWHERE || column == NOWHERE) continue;
                const bool signal = bits[(frame * HEIGHT_OF(shape) + y) * WORDS_OF(shape) + x / 32] >> (x % 32) & 1;
                const ulong value = images[frame * frame_stride + row + column];
                const bool open = !signal && ignore[(size_t)row + column] == 0, takes = open && value < end;
                saturated += open && value >= saturation && value <= last ? 1 : 0;
                sum += takes ? value : 0;
                pixels += takes ? 1 : 0;
            }
        }
        sums[lid] = sum;
        taken[lid] = pixels;
        if (saturated != 0 && number < count) {
            const uint spot = LINKED ? spot_numbers[find_root(spot_parent, piece[ROOT])] : number;
            atomic_add((volatile global uint*)(records + (size_t)(before + spot) * RECORD + BOX) + 5, saturated);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 0 && number < count) {
            for (uint i = 1; i < LANES; ++i) {
                sum += sums[lid + i];
                pixels += taken[lid + i];
            }
            const uint spot = LINKED ? spot_numbers[find_root(spot_parent, piece[ROOT])] : number;
            volatile global ulong* const record = records + (size_t)(before + spot) * RECORD;
            volatile global uint* const box = (volatile global uint*)(record + BOX);
            atom_add(&record[BACKGROUND], sum);
            atom_add(&record[BACKGROUND_PIXELS], (ulong)pixels);
            atomic_min(&box[0], columns.s0);
            atomic_max(&box[1], columns.s1);
            atomic_min(&box[2], rows.s0);
            atomic_max(&box[3], rows.s1);
            atomic_max(&box[4], frame + 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
