// Power spectra of bins, by Fourier transforms in double precision. Two pixels of a bin are the real and the imaginary
// part of one complex series Z, which is filled with zeros up to LENGTH, a power of two; |Z|^2 is summed over the series
// of a band, some of the pixels of one bin. Transforms are Stockham's, in passes of radix 4, with one of radix 2 if the
// power is odd; the first pass reads the counts, and the last one adds the squares.
//
// spectra: NDRange (WG, groups), group (WG, 1): a group takes every groups-th band of [first_band, end_band), and VW
//          series at a time, one per lane. Frequencies f and times t with the same remainder by LENGTH / 4 always belong
//          to the same work-item.
// add_bands: NDRange (values, bins), group (WG, 1): adds the bands of each bin in their order.
//
// `scratch` of a group: sums of squares and of counts, real and imaginary parts of two series; each LENGTH vectors.
//
// SRC: type of the frames.  PARTS: of a transform that stays in registers (fft_registers.cl), or 0.

#ifndef WG
#define WG 256
#endif
#ifndef VW
#define VW 1
#endif

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#if VW == 1
#define REAL double
#else
#define REAL JOIN(double, VW)
#endif
#define QUARTER (LENGTH / 4)

// Pixels of a bin: the first entry in the list of pixels, and their number; and the pairs of the bands before.
typedef struct {
    uint first, count, first_pair;
} Band;

// A transform of 4 values, which are replaced.
#define TRANSFORM_4(xr, xi, a, b, c, d)                                        \
    {                                                                          \
        const REAL pr = xr[a] + xr[c], pi = xi[a] + xi[c], mr = xr[a] - xr[c], \
                   mi = xi[a] - xi[c], qr = xr[b] + xr[d], qi = xi[b] + xi[d], \
                   nr = xr[b] - xr[d], ni = xi[b] - xi[d];                     \
        xr[a] = pr + qr;                                                       \
        xi[a] = pi + qi;                                                       \
        xr[b] = mr + ni;                                                       \
        xi[b] = mi - nr;                                                       \
        xr[c] = pr - qr;                                                       \
        xi[c] = pi - qi;                                                       \
        xr[d] = mr - ni;                                                       \
        xi[d] = mi + nr;                                                       \
    }

#if PARTS > 0
#include "gpu/xpcs/fft_registers.cl"
#else
#define SUM(i, k) i[j + (k) * QUARTER]

// Writes the results of radix 4 at place 4 j - 3 q, times their factors: w^k, w = exp(-2 pi i twiddle / LENGTH).
static inline void store_4(const REAL* xr, const REAL* xi, global REAL* zr, global REAL* zi, const uint place,
                           const uint stride, global const double2* factors, const uint twiddle) {
    zr[place] = xr[0];
    zi[place] = xi[0];
#pragma unroll
    for (uint k = 1; k < 4; ++k) {
        const double2 w = factors[k * twiddle];
        zr[place + k * stride] = xr[k] * w.x - xi[k] * w.y;
        zi[place + k * stride] = xr[k] * w.y + xi[k] * w.x;
    }
}

#define SYNCHRONISE barrier(CLK_GLOBAL_MEM_FENCE)

// One lane of a vector after another.
static inline double lanes(REAL v) {
    const double* lane = (const double*)&v;
    double sum = lane[0];
#pragma unroll
    for (uint i = 1; i < VW; ++i) sum += lane[i];
    return sum;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void spectra(
    global const SRC* frames, global const uint* pixels, global const Band* bands, global const double2* factors,
    global REAL* scratch, global double* found, const uint frame_count, const uint frame_pixels, const uint first_band,
    const uint end_band) {
    const uint lid = get_local_id(0);
    global REAL* power = scratch + get_global_id(1) * (size_t)(6 * LENGTH);
    global REAL* sums = power + LENGTH;
    global REAL *zr = sums + LENGTH, *zi = zr + LENGTH, *next_r = zi + LENGTH, *next_i = next_r + LENGTH;
    for (uint band = first_band + get_global_id(1); band < end_band; band += get_global_size(1)) {
        const Band of = bands[band];
        for (uint j = lid; j < QUARTER; j += WG)
#pragma unroll
            for (uint k = 0; k < 4; ++k) {
                SUM(power, k) = 0;
                SUM(sums, k) = 0;
            }
        for (uint first = 0; first < of.count; first += 2 * VW) {
            // Pixels beyond the last are read as the last, and count 0.
            uint place[2 * VW];
            REAL used_r, used_i;
            for (uint lane = 0; lane < VW; ++lane) {
                place[2 * lane] = pixels[of.first + min(first + 2 * lane, of.count - 1)];
                place[2 * lane + 1] = pixels[of.first + min(first + 2 * lane + 1, of.count - 1)];
                ((double*)&used_r)[lane] = first + 2 * lane < of.count ? 1 : 0;
                ((double*)&used_i)[lane] = first + 2 * lane + 1 < of.count ? 1 : 0;
            }
            for (uint j = lid; j < QUARTER; j += WG) {
                REAL xr[4], xi[4];
#pragma unroll
                for (uint k = 0; k < 4; ++k) {
                    const uint t = j + k * QUARTER;
                    if (t < frame_count) {
                        global const SRC* frame = frames + (size_t)t * frame_pixels;
                        REAL r, i;
#pragma unroll
                        for (uint lane = 0; lane < VW; ++lane) {
                            ((double*)&r)[lane] = (double)frame[place[2 * lane]];
                            ((double*)&i)[lane] = (double)frame[place[2 * lane + 1]];
                        }
                        xr[k] = r * used_r;
                        xi[k] = i * used_i;
                        SUM(sums, k) += xr[k] + xi[k];
                    } else {
                        xr[k] = 0;
                        xi[k] = 0;
                    }
                }
                TRANSFORM_4(xr, xi, 0, 1, 2, 3)
                store_4(xr, xi, zr, zi, 4 * j, 1, factors, j);
            }
            SYNCHRONISE;
            for (uint stride = 4; stride < QUARTER; stride *= (LENGTH / stride == 8 ? 2 : 4)) {
                const bool two = LENGTH / stride == 8;
                for (uint j = lid; j < QUARTER; j += WG) {
                    REAL xr[4], xi[4];
#pragma unroll
                    for (uint k = 0; k < 4; ++k) {
                        xr[k] = zr[j + k * QUARTER];
                        xi[k] = zi[j + k * QUARTER];
                    }
                    const uint q = j & (stride - 1);
                    if (two) {
                        // Pairs (j, j + LENGTH / 2) and (j + LENGTH / 4, j + 3 LENGTH / 4).
#pragma unroll
                        for (uint half_ = 0; half_ < 2; ++half_) {
                            const uint at = j + half_ * QUARTER, place_2 = 2 * at - q;
                            const double2 w = factors[at - q];
                            const REAL dr = xr[half_] - xr[half_ + 2], di = xi[half_] - xi[half_ + 2];
                            next_r[place_2] = xr[half_] + xr[half_ + 2];
                            next_i[place_2] = xi[half_] + xi[half_ + 2];
                            next_r[place_2 + stride] = dr * w.x - di * w.y;
                            next_i[place_2 + stride] = dr * w.y + di * w.x;
                        }
                    } else {
                        TRANSFORM_4(xr, xi, 0, 1, 2, 3)
                        store_4(xr, xi, next_r, next_i, 4 * j - 3 * q, stride, factors, j - q);
                    }
                }
                SYNCHRONISE;
                global REAL *done_r = zr, *done_i = zi;
                zr = next_r;
                zi = next_i;
                next_r = done_r;
                next_i = done_i;
            }
            for (uint j = lid; j < QUARTER; j += WG) {
                REAL xr[4], xi[4];
#pragma unroll
                for (uint k = 0; k < 4; ++k) {
                    xr[k] = zr[j + k * QUARTER];
                    xi[k] = zi[j + k * QUARTER];
                }
                TRANSFORM_4(xr, xi, 0, 1, 2, 3)
#pragma unroll
                for (uint k = 0; k < 4; ++k) SUM(power, k) += xr[k] * xr[k] + xi[k] * xi[k];
            }
            SYNCHRONISE;
        }
        global double* to = found + (size_t)(band - first_band) * (LENGTH + frame_count);
        for (uint j = lid; j < QUARTER; j += WG)
#pragma unroll
            for (uint k = 0; k < 4; ++k) {
                const uint at = j + k * QUARTER;
                to[at] = lanes(SUM(power, k));
                if (at < frame_count) to[LENGTH + at] = lanes(SUM(sums, k));
            }
    }
}
#endif

// @param first_bands of each bin, and the end  @param found of bands from first_band to end_band
kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void add_bands(global const uint* first_bands,
                                                                       global const double* found,
                                                                       global double* totals, const uint first_bin,
                                                                       const uint first_band, const uint end_band,
                                                                       const uint values) {
    const uint value = get_global_id(0), bin = get_global_id(1);
    if (value >= values) return;
    const uint first = max(first_bands[first_bin + bin], first_band), end = min(first_bands[first_bin + bin + 1], end_band);
    double sum = totals[(size_t)bin * values + value];
    for (uint band = first; band < end; ++band) sum += found[(size_t)(band - first_band) * values + value];
    totals[(size_t)bin * values + value] = sum;
}
