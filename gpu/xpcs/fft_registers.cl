// Power spectra of bins by transforms in registers; fft_stockham.cl includes this if PARTS > 0. A transform of LENGTH is
// PARTS transforms of PART = LENGTH / PARTS values, which are independent of each other: the frequencies with remainder r
// by PARTS are the transform of the sum over p of z[n + p PART] w^(r (n + p PART)), w = exp(-2 pi i / LENGTH). ITEMS
// work-items hold a series, 16 values each, and exchange values through local memory between passes of radix 16. The last
// pass has the radix that is left; squares of its results are added up in registers.
//
// order_series: NDRange (WG, bands from first_band on, tiles of TILE frames), group (WG, 1, 1): series[pair][frame] = the
//               counts of both pixels of a pair, 0 for a pixel that is missing. A pair has `row` frames, of which those
//               from frame_count on are 0. The sums of a band's counts by frame go to found.
// spectra:      NDRange (WG, groups), group (WG, 1): a group takes every groups-th part of a band, and WG / ITEMS series
//               at a time.
//
// factors: w^(r t) as [r][t], t < row; then for each pass but the last exp(-2 pi i k j / (PART / stride)) as [k][j],
// k = 1, 2, 4, 8, j < ITEMS / stride, where stride is 16^pass.
// TERMS: the most values of p for which a frame n + p PART exists.

#define PART (LENGTH / PARTS)
#define ITEMS (PART / 16)
#define AT_ONCE (WG / ITEMS)
#define PADDED(i) ((i) + ((i) >> 4))
#if PART <= 16
#define REST PART
#elif PART <= 256
#define REST (PART / 16)
#elif PART <= 4096
#define REST (PART / 256)
#else
#define REST (PART / 4096)
#endif
#define TILE 64
#define SRC_2 JOIN(SRC, 2)

#define TURN(xr, xi, i, c, s)                           \
    {                                                   \
        const double r = xr[i];                         \
        xr[i] = r * (c) + xi[i] * (s);                  \
        xi[i] = xi[i] * (c) - r * (s);                  \
    }
#define QUARTER_TURN(xr, xi, i)  \
    {                            \
        const double r = xr[i];  \
        xr[i] = xi[i];           \
        xi[i] = -r;              \
    }
#define SWAP(x, i, k)            \
    {                            \
        const double t = x[i];   \
        x[i] = x[k];             \
        x[k] = t;                \
    }

#define COS_8 0.70710678118654752440
#define COS_16 0.92387953251128675613
#define SIN_16 0.38268343236508977173

// A transform of 16 values, which are replaced.
static inline void transform_16(double* xr, double* xi) {
#pragma unroll
    for (uint a = 0; a < 4; ++a) TRANSFORM_4(xr, xi, a, a + 4, a + 8, a + 12)
    // Value a + 4 b times exp(-2 pi i a b / 16).
    TURN(xr, xi, 5, COS_16, SIN_16)
    TURN(xr, xi, 6, COS_8, COS_8)
    TURN(xr, xi, 7, SIN_16, COS_16)
    TURN(xr, xi, 9, COS_8, COS_8)
    QUARTER_TURN(xr, xi, 10)
    TURN(xr, xi, 11, -COS_8, COS_8)
    TURN(xr, xi, 13, SIN_16, COS_16)
    TURN(xr, xi, 14, -COS_8, COS_8)
    TURN(xr, xi, 15, -COS_16, -SIN_16)
#pragma unroll
    for (uint b = 0; b < 16; b += 4) TRANSFORM_4(xr, xi, b, b + 1, b + 2, b + 3)
    // Frequency b + 4 c is at 4 b + c.
#pragma unroll
    for (uint b = 0; b < 4; ++b)
#pragma unroll
        for (uint c = b + 1; c < 4; ++c) {
            SWAP(xr, 4 * b + c, b + 4 * c)
            SWAP(xi, 4 * b + c, b + 4 * c)
        }
}

// Value k times w^k. The powers w, w^2, w^4 and w^8 are `apart` from each other in `powers`; the other ones are products
// of at most four of them, whose rounding is within the bound of a pass of radix 16.
static inline void turn_16(double* xr, double* xi, global const double2* powers, const uint apart) {
    double wr[16], wi[16];
#pragma unroll
    for (uint n = 1, at = 0; n < 16; n *= 2, at += apart) {
        const double2 w = powers[at];
        wr[n] = w.x;
        wi[n] = w.y;
#pragma unroll
        for (uint k = 1; k < n; ++k) {
            wr[n + k] = wr[k] * w.x - wi[k] * w.y;
            wi[n + k] = wr[k] * w.y + wi[k] * w.x;
        }
    }
#pragma unroll
    for (uint k = 1; k < 16; ++k) TURN(xr, xi, k, wr[k], -wi[k])
}

// Transforms of the values i, i + 16 / radix, ... for each i < 16 / radix, which are replaced.
static inline void transform_rest(double* xr, double* xi, const uint radix) {
    if (radix == 16) {
        transform_16(xr, xi);
    } else if (radix == 8) {
#pragma unroll
        for (uint i = 0; i < 2; ++i) {
            TRANSFORM_4(xr, xi, i, i + 4, i + 8, i + 12)
            TRANSFORM_4(xr, xi, i + 2, i + 6, i + 10, i + 14)
            // Frequency f of the even values is at i + 4 f, and that of the odd ones at i + 2 + 4 f.
            TURN(xr, xi, i + 6, COS_8, COS_8)
            QUARTER_TURN(xr, xi, i + 10)
            TURN(xr, xi, i + 14, -COS_8, COS_8)
            double yr[16], yi[16];
#pragma unroll
            for (uint f = 0; f < 4; ++f) {
                yr[f] = xr[i + 4 * f] + xr[i + 2 + 4 * f];
                yi[f] = xi[i + 4 * f] + xi[i + 2 + 4 * f];
                yr[f + 4] = xr[i + 4 * f] - xr[i + 2 + 4 * f];
                yi[f + 4] = xi[i + 4 * f] - xi[i + 2 + 4 * f];
            }
#pragma unroll
            for (uint f = 0; f < 8; ++f) {
                xr[i + 2 * f] = yr[f];
                xi[i + 2 * f] = yi[f];
            }
        }
    } else if (radix == 4) {
#pragma unroll
        for (uint i = 0; i < 4; ++i) TRANSFORM_4(xr, xi, i, i + 4, i + 8, i + 12)
    } else if (radix == 2) {
#pragma unroll
        for (uint i = 0; i < 8; ++i) {
            const double r = xr[i + 8], m = xi[i + 8];
            xr[i + 8] = xr[i] - r;
            xi[i + 8] = xi[i] - m;
            xr[i] += r;
            xi[i] += m;
        }
    }
}

// Places k * ITEMS of a series, from `from` on, the place of item `item`.
#if ITEMS % 16 == 0
#define EVERY_ITEMS(from, item, k) from[PADDED(item) + (k) * PADDED(ITEMS)]
#else
#define EVERY_ITEMS(from, item, k) from[PADDED((item) + (k) * ITEMS)]
#endif

// Values of a pass of radix 16 go to their places, and those of the next pass come.
static inline void exchange(double* x, local double* series, const uint item, const uint stride) {
    local double* to = series + PADDED(16 * item - 15 * (item & (stride - 1)));
#pragma unroll
    for (uint k = 0; k < 16; ++k) to[PADDED(k * stride)] = x[k];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < 16; ++k) x[k] = EVERY_ITEMS(series, item, k);
    barrier(CLK_LOCAL_MEM_FENCE);
}

// @param bands of which first_band is the first in series and found
kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void order_series(
    global const SRC* frames, global const uint* pixels, global const Band* bands, global SRC_2* series,
    global double* found, const uint frame_count, const uint frame_pixels, const uint row, const uint first_band) {
    local SRC tile[TILE][TILE + 4 / sizeof(SRC)];  // by pixel and frame
    local double parts[WG];
    const uint lid = get_local_id(0), place = lid % TILE, lane = lid / TILE, first_frame = get_group_id(2) * TILE;
    const Band of = bands[first_band + get_group_id(1)];
    const uint pairs = (of.count + 1) / 2, first_pair = of.first_pair - bands[first_band].first_pair;
    double sum = 0;
    for (uint first = 0; first < of.count; first += TILE) {
        const bool used = first + place < of.count;
        const uint pixel = pixels[of.first + min(first + place, of.count - 1)];
#pragma unroll
        for (uint f = 0; f < TILE; f += WG / TILE) {
            const uint frame = first_frame + f + lane;
            const SRC count = frames[(size_t)min(frame, frame_count - 1) * frame_pixels + pixel];
            tile[place][f + lane] = used && frame < frame_count ? count : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint pair = lane; pair < min(TILE / 2u, pairs - first / 2); pair += WG / TILE) {
            const SRC a = tile[2 * pair][place], b = tile[2 * pair + 1][place];
            series[(size_t)(first_pair + first / 2 + pair) * row + first_frame + place] = (SRC_2)(a, b);
            sum += (double)a + (double)b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    parts[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane > 0 || first_frame + place >= frame_count) return;
    for (uint i = 1; i < WG / TILE; ++i) sum += parts[i * TILE + place];
    found[get_group_id(1) * (size_t)(LENGTH + frame_count) + LENGTH + first_frame + place] = sum;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void spectra(global const SRC_2* series,
                                                                     global const Band* bands,
                                                                     global const double2* factors,
                                                                     global double* found, const uint frame_count,
                                                                     const uint row, const uint first_band,
                                                                     const uint end_band) {
    local double all[AT_ONCE * PADDED(PART)];
    const uint lid = get_local_id(0), item = lid % ITEMS, lane = lid / ITEMS;
    local double* exchanged = all + lane * PADDED(PART);
    for (uint unit = get_global_id(1); unit < (end_band - first_band) * PARTS; unit += get_global_size(1)) {
        const uint band = first_band + unit / PARTS, part = unit % PARTS, pairs = (bands[band].count + 1) / 2;
        global const SRC_2* rows = series + (size_t)(bands[band].first_pair - bands[first_band].first_pair) * row;
        double power[16];
#pragma unroll
        for (uint k = 0; k < 16; ++k) power[k] = 0;
        for (uint first = 0; first < pairs; first += AT_ONCE) {
            const bool used = first + lane < pairs;
            global const SRC_2* from = rows + (size_t)min(first + lane, pairs - 1) * row;
            // All reads are under way before the first of them is needed.
            SRC_2 counts[16][TERMS];
#pragma unroll
            for (uint k = 0; k < 16; ++k)
#pragma unroll
                for (uint p = 0; p < TERMS; ++p) {
                    const uint t = item + k * ITEMS + p * PART;
                    counts[k][p] = used && t < row ? from[t] : (SRC_2)(0);
                }
            double xr[16], xi[16];
#pragma unroll
            for (uint k = 0; k < 16; ++k) {
                xr[k] = 0;
                xi[k] = 0;
            }
            if (part == 0) {
#pragma unroll
                for (uint k = 0; k < 16; ++k)
#pragma unroll
                    for (uint p = 0; p < TERMS; ++p) {
                        xr[k] += (double)counts[k][p].x;
                        xi[k] += (double)counts[k][p].y;
                    }
            } else {
#pragma unroll
                for (uint k = 0; k < 16; ++k)
#pragma unroll
                    for (uint p = 0; p < TERMS; ++p) {
                        const double r = (double)counts[k][p].x, i = (double)counts[k][p].y;
                        const double2 w = factors[part * row + min(item + k * ITEMS + p * PART, row - 1)];
                        xr[k] += r * w.x - i * w.y;
                        xi[k] += r * w.y + i * w.x;
                    }
            }
            global const double2* turns = factors + PARTS * row;
#pragma unroll
            for (uint stride = 1; stride * 16 < PART; stride *= 16) {
                transform_16(xr, xi);
                turn_16(xr, xi, turns + item / stride, ITEMS / stride);
                exchange(xr, exchanged, item, stride);
                exchange(xi, exchanged, item, stride);
                turns += 4 * (ITEMS / stride);
            }
            transform_rest(xr, xi, REST);
#pragma unroll
            for (uint k = 0; k < 16; ++k) power[k] += xr[k] * xr[k] + xi[k] * xi[k];
        }
        global double* to = found + (size_t)(band - first_band) * (LENGTH + frame_count) + part;
#pragma unroll
        for (uint k = 0; k < 16; ++k) {
#if AT_ONCE > 1
            all[lid] = power[k];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (lane == 0)
                for (uint i = 1; i < AT_ONCE; ++i) power[k] += all[i * ITEMS + item];
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
            if (lane == 0) to[PARTS * (item + k * ITEMS)] = power[k];
        }
    }
}
