// Makes the table of the spots from their records, with all columns in the layout of core/spots/results/spot_columns.h
// (empty_table): `head` bytes behind the totals. q and d are NaN, dropped is the result of why_dropped() in
// core/spots/grouping/spot_filter.cpp without a d. Bit for bit the same as SpotSums from records. totals[INEXACT]:
// spots whose sums may exceed doubles (sums_exactly in core/spots/grouping/spot_record.cpp). The table is followed by
// the signal pixels, as [y][x] of their frames.
//
// numbers[f]: number of frame f. A peak is near below `near`, the square of its distance, and far above `far`;
// totals[UNDECIDED]: spots between these, for which the host must decide about dropped.
//
// NDRange: dimension 0: any number of work-items, which share spots and pixels. Group: any.

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#include "gpu/spots/grouping/records.cl"
#include "gpu/spots/lib/shape.cl"

#define LINE 64  // a column starts at a multiple of this many bytes
#define WHOLE 11  // columns of 32 bits, then
#define REAL 11   // of 64
#define KEPT 0  // Dropped in core/spots/spot.h
#define TOO_SMALL 1
#define TOO_LARGE 2
#define FAR_PEAK 3
#define NOT_A_NUMBER as_double(0x7ff8000000000000UL)

typedef struct {
    uint x, y, place;
} pixel_t;

static inline pixel_t pixel_of(const uint pixel, const uint4 shape) {
    const uint row = pixel / WIDTH_OF(shape), place = row / HEIGHT_OF(shape);
    const pixel_t found = {pixel - row * WIDTH_OF(shape), row - place * HEIGHT_OF(shape), place};
    return found;
}

static inline bool sums_exactly(global const ulong* record, const uint extent) {
    const double peak = (double)(record[PEAK] >> 32), n = (double)record[N], sum = (double)record[SUM],
                 pixels = (double)record[BACKGROUND_PIXELS], reach = (double)extent;
    const double wrapped = 9e18, most = 9007199254740992.0;  // 2^53
    return !(n * peak > wrapped) && !(pixels * 4294967296.0 > wrapped) && !(sum * peak > wrapped) &&
           (double)record[SQUARES] < most && (double)record[BACKGROUND] < most && 4 * sum * reach * reach < most;
}

/// The square of the distance.
static inline double apart(const uint peak[3], const double centroid[3]) {
    double sum = 0;
    for (uint axis = 0; axis < 3; ++axis) {
        const double distance = peak[axis] + 0.5 - centroid[axis];
        sum += distance * distance;
    }
    return sum;
}

/// @return the square of the distance between peak and centroid
static inline double write_spot(global const ulong* record, global const uint* numbers, global uint* whole,
                              const size_t whole_stride, global double* real, const size_t real_stride,
                              volatile global ulong* totals, const uint4 shape) {
    global const uint* const box = (global const uint*)(record + BOX);
    const pixel_t first = pixel_of((uint)record[FIRST], shape), top = pixel_of(~(uint)record[PEAK], shape);
    const uint low[3] = {box[0], box[2], numbers[first.place]};
    const uint high[3] = {box[1], box[3], numbers[box[4] - 1] + 1};
    const uint start[3] = {first.x, first.y, numbers[first.place]};
    const uint extent = max(max(high[0] - low[0], high[1] - low[1]), box[4] - first.place);
    if (!sums_exactly(record, extent)) atom_inc(&totals[INEXACT]);
    const double sum = (double)record[SUM], spread = sum * sum - (double)record[SQUARES];
    whole[0] = (uint)record[N];
    double centroid[3];
    for (uint axis = 0; axis < 3; ++axis) {
        whole[(1 + 2 * axis) * whole_stride] = low[axis];
        whole[(2 + 2 * axis) * whole_stride] = high[axis];
        double variance = -1;
        centroid[axis] = (double)(low[axis] + high[axis]) / 2.0;
        if (sum > 0) {
            const double moment = (double)(long)record[MOMENTS + axis], mean = moment / sum;
            centroid[axis] = (double)start[axis] + mean + 0.5;
            if (spread > 0) {
                const double around = (double)record[SECONDS + axis] - moment * mean;
                variance = (around > 0 ? around : 0) / spread + 1.0 / 12;
            }
        }
        real[axis * real_stride] = centroid[axis];
        real[(3 + axis) * real_stride] = variance;
    }
    const uint peak[3] = {top.x, top.y, numbers[top.place]};
    for (uint axis = 0; axis < 3; ++axis) whole[(7 + axis) * whole_stride] = peak[axis];
    whole[10 * whole_stride] = box[5];
    real[6 * real_stride] = sum;
    real[7 * real_stride] = (double)(record[PEAK] >> 32);
    real[8 * real_stride] = record[BACKGROUND_PIXELS] == 0
                                ? NOT_A_NUMBER
                                : (double)record[BACKGROUND] / (double)record[BACKGROUND_PIXELS];
    real[9 * real_stride] = NOT_A_NUMBER;
    real[10 * real_stride] = NOT_A_NUMBER;
    return apart(peak, centroid);
}

kernel void write_table(global const uint* list, global const ulong* records, global const uint* numbers,
                        volatile global ulong* totals, const uint4 shape, const uint nodes, const uint room,
                        const uint head, const ulong min_size, const ulong max_size, const double near,
                        const double far) {
    if (!has_room(list, totals, nodes, room)) return;
    const uint pixels = HEIGHT_OF(shape) * WIDTH_OF(shape), n = list[0], spots = (uint)totals[SPOTS];
    const size_t whole_bytes = ((size_t)spots * 4 + LINE - 1) / LINE * LINE,
                 real_bytes = ((size_t)spots * 8 + LINE - 1) / LINE * LINE,
                 dropped_bytes = ((size_t)spots + LINE - 1) / LINE * LINE;
    global uchar* const table = (global uchar*)totals + head;
    global uint* const whole = (global uint*)table;
    global double* const real = (global double*)(table + WHOLE * whole_bytes);
    global uchar* const dropped = (global uchar*)real + REAL * real_bytes;
    for (uint i = get_global_id(0); i < spots; i += get_global_size(0)) {
        global const ulong* const record = records + (size_t)i * RECORD;
        const double square = write_spot(record, numbers, whole + i, whole_bytes / 4, real + i, real_bytes / 8, totals,
                                         shape);
        const ulong size = record[N];
        const bool decided = square < near || square > far;
        if (!decided) atom_inc(&totals[UNDECIDED]);
        dropped[i] = size < min_size ? TOO_SMALL : size > max_size ? TOO_LARGE : square > far ? FAR_PEAK : KEPT;
    }
    global uint* const signal = (global uint*)(dropped + dropped_bytes);
    for (uint k = get_global_id(0); k < n; k += get_global_size(0)) signal[k] = list[1 + k] % pixels;
}
