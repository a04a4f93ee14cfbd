// Transfer between points and the Chebyshev points of clusters (core/particles/treecode/plan.h): weights
// upwards, sums downwards. Part of treecode.cl. One group per cluster: number get_global_id(0) / WG.
//
//   boxes   per cluster: x, y, z of the centre, unused, and the factors that scale differences from it to
//           [-1, 1]
//   shapes  per cluster: its first Chebyshev point; their number along x, y, z (8 bits each), 1 << 24 for a
//           leaf; first and number of what is below it: points of a leaf, else its children's Chebyshev points
//   nodes   n Chebyshev points along an axis: 2 MAX_NODES numbers each, coordinates and then Lagrange factors

#ifdef DOUBLES
#define REAL8 double8
#else
#define REAL8 float8
#endif
#ifndef MAX_NODES
#define MAX_NODES 24
#endif
// vectors of points that a group processes at a time
#ifndef STAGE
#define STAGE 4
#endif

// Where the polynomials of a stage are stored: on CPUs each work-item computes its own.
#if EXPLICIT
#define STAGED
#else
#define STAGED local
#endif

static inline uint nodes_along(const uint4 shape, const uint axis) {
    return shape.y >> (8 * axis) & 0xff;
}
static inline uint proxies_of(const uint4 shape) {
    return nodes_along(shape, 0) * nodes_along(shape, 1) * nodes_along(shape, 2);
}
static inline bool is_leaf(const uint4 shape) {
    return shape.y >> 24 != 0;
}
static inline REAL node_at(global const REAL* nodes, const uint n, const uint k) {
    return nodes[2 * MAX_NODES * n + k];
}

// Coordinate of Chebyshev point p along an axis; `inner` consecutive points have the same one there.
static inline REAL place_along(global const REAL* nodes, const REAL8 box, const uint n, const uint p,
                               const uint axis) {
    const REAL centre = axis == 0 ? box.s0 : axis == 1 ? box.s1 : box.s2;
    const REAL scale = axis == 0 ? box.s4 : axis == 1 ? box.s5 : box.s6;
    return scale > 0 ? centre + node_at(nodes, n, p) / scale : centre;
}

static inline REAL4 place_of_proxy(global const REAL* nodes, const REAL8 box, const uint4 shape, const uint p) {
    const uint ny = nodes_along(shape, 1), nz = nodes_along(shape, 2);
    return (REAL4)(place_along(nodes, box, nodes_along(shape, 0), p / nz / ny, 0),
                   place_along(nodes, box, ny, p / nz % ny, 1), place_along(nodes, box, nz, p % nz, 2), 0);
}

// Lagrange polynomials at x, `stride` apart; no division by x - x_k, which may be 0.
#define POLYNOMIALS(n, x, to, stride)                                         \
    do {                                                                      \
        global const REAL* const at = nodes + 2 * MAX_NODES * (n);            \
        V product = 1;                                                        \
        for (uint k = 0; k < (n); ++k) {                                      \
            (to)[k * (stride)] = product * at[MAX_NODES + k];                 \
            product *= (x)-at[k];                                             \
        }                                                                     \
        product = 1;                                                          \
        for (uint k = (n); k-- > 0;) {                                        \
            (to)[k * (stride)] *= product;                                    \
            product *= (x)-at[k];                                             \
        }                                                                     \
    } while (0)

// The coordinates of all clusters' Chebyshev points, x, then y, then z of `stride`.
kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void place_proxies(global const REAL8* boxes,
                                                                          global const uint4* shapes,
                                                                          global const REAL* nodes,
                                                                          global REAL* places,
                                                                          const uint stride) {
    const uint cluster = get_global_id(0) / WG;
    const uint4 shape = shapes[cluster];
    for (uint p = get_local_id(0); p < proxies_of(shape); p += WG) {
        const REAL4 place = place_of_proxy(nodes, boxes[cluster], shape, p);
        places[shape.x + p] = place.x;
        places[stride + shape.x + p] = place.y;
        places[2 * stride + shape.x + p] = place.z;
    }
}

// Weights at a cluster's Chebyshev points, sum of L c over what is below it. Local memory: polynomials and
// weights of STAGE vectors.
kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void gather_weights(
    global const REAL8* boxes, global const uint4* shapes, global const REAL* nodes,
    global const REAL4* sources, global const REAL* more, global REAL4* proxies, global REAL* proxies_more) {
    STAGED V polynomials[3 * MAX_OF_PLAN * STAGE];
    STAGED V weights[(1 + OTHERS) * STAGE];
    const uint cluster = get_global_id(0) / WG, item = get_local_id(0);
    const uint4 shape = shapes[cluster];
    const REAL8 box = boxes[cluster];
    const uint all = proxies_of(shape), nx = nodes_along(shape, 0), ny = nodes_along(shape, 1),
               nz = nodes_along(shape, 2);
    global const REAL4* const from = is_leaf(shape) ? sources : proxies;
    global const REAL* const from_more = is_leaf(shape) ? more : proxies_more;
    if (all == 0) return;
    for (uint p = item; p < all; p += WG) {
        proxies[shape.x + p] = place_of_proxy(nodes, box, shape, p);
        for (uint k = 0; k < OTHERS; ++k) proxies_more[(size_t)(shape.x + p) * OTHERS + k] = 0;
    }
    for (uint begin = 0; begin < shape.w; begin += STAGE * LANES) {
#if !EXPLICIT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (uint s = EXPLICIT ? 0 : item; s < STAGE; s += EXPLICIT ? 1 : WG) {
            REAL x[LANES], y[LANES], z[LANES], w[LANES];
            for (uint i = 0; i < LANES; ++i) {
                const uint at = begin + s * LANES + i;
                const REAL4 point = from[shape.z + min(at, shape.w - 1)];
                x[i] = point.x;
                y[i] = point.y;
                z[i] = point.z;
                w[i] = at < shape.w ? point.w : 0;
            }
            POLYNOMIALS(nx, (LOAD(x) - box.s0) * box.s4, polynomials + s, STAGE);
            POLYNOMIALS(ny, (LOAD(y) - box.s1) * box.s5, polynomials + MAX_OF_PLAN * STAGE + s, STAGE);
            POLYNOMIALS(nz, (LOAD(z) - box.s2) * box.s6, polynomials + 2 * MAX_OF_PLAN * STAGE + s, STAGE);
            weights[s] = LOAD(w);
            for (uint k = 0; k < OTHERS; ++k) {
                for (uint i = 0; i < LANES; ++i) {
                    const uint at = begin + s * LANES + i;
                    w[i] = at < shape.w ? from_more[(size_t)(shape.z + at) * OTHERS + k] : 0;
                }
                weights[(1 + k) * STAGE + s] = LOAD(w);
            }
        }
#if !EXPLICIT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (uint p = item; p < all; p += WG) {
            STAGED const V* const lx = polynomials + p / nz / ny * STAGE;
            STAGED const V* const ly = polynomials + (MAX_OF_PLAN + p / nz % ny) * STAGE;
            STAGED const V* const lz = polynomials + (2 * MAX_OF_PLAN + p % nz) * STAGE;
            V sums[1 + OTHERS];
            for (uint k = 0; k <= OTHERS; ++k) sums[k] = 0;
            for (uint s = 0; s < STAGE; ++s) {
                const V product = lx[s] * ly[s] * lz[s];
                for (uint k = 0; k <= OTHERS; ++k) sums[k] += product * weights[k * STAGE + s];
            }
            proxies[shape.x + p].w += total_of(sums[0]);
            for (uint k = 0; k < OTHERS; ++k)
                proxies_more[(size_t)(shape.x + p) * OTHERS + k] += total_of(sums[1 + k]);
        }
    }
}

// Interpolates sums from a cluster's Chebyshev points to the points below it and adds them: for clusters with
// children. Rows [vector][part] of `stride` sums.
kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void hand_down(
    global const REAL8* boxes, global const uint4* shapes, global const REAL* nodes,
    global const REAL* places, global REAL* sums, const uint stride) {
    const uint cluster = get_global_id(0) / WG;
    const uint4 shape = shapes[cluster];
    const REAL8 box = boxes[cluster];
    const uint nx = nodes_along(shape, 0), ny = nodes_along(shape, 1), nz = nodes_along(shape, 2);
    if (proxies_of(shape) == 0 || is_leaf(shape)) return;
    for (uint at = get_local_id(0) * LANES; at < shape.w; at += WG * LANES) {
        const uint t = shape.z + at;
        V lx[MAX_OF_PLAN], ly[MAX_OF_PLAN], lz[MAX_OF_PLAN];
        POLYNOMIALS(nx, (LOAD(places + t) - box.s0) * box.s4, lx, 1);
        POLYNOMIALS(ny, (LOAD(places + stride + t) - box.s1) * box.s5, ly, 1);
        POLYNOMIALS(nz, (LOAD(places + 2 * stride + t) - box.s2) * box.s6, lz, 1);
        for (uint row = 0; row < VECTORS * PARTS; ++row) {
            global REAL* const of_row = sums + (size_t)row * stride;
            global const REAL* value = of_row + shape.x;
            V f = 0;
            for (uint i = 0; i < nx; ++i)
                for (uint j = 0; j < ny; ++j) {
                    V along = 0;
                    for (uint k = 0; k < nz; ++k) along += lz[k] * *value++;
                    f += lx[i] * ly[j] * along;
                }
            put(of_row + t, shape.w - at, f, true);
        }
    }
}

#if GRADIENT
// Lagrange polynomials and their derivatives.
#define SLOPES(n, x, to, slopes)                                              \
    do {                                                                      \
        global const REAL* const at = nodes + 2 * MAX_NODES * (n);            \
        V product = 1, slope = 0;                                             \
        for (uint k = 0; k < (n); ++k) {                                      \
            const V factor = (x)-at[k];                                       \
            (to)[k] = product;                                                \
            (slopes)[k] = slope;                                              \
            slope = slope * factor + product;                                 \
            product *= factor;                                                \
        }                                                                     \
        product = 1;                                                          \
        slope = 0;                                                            \
        for (uint k = (n); k-- > 0;) {                                        \
            const V factor = (x)-at[k];                                       \
            const REAL own = at[MAX_NODES + k];                               \
            (slopes)[k] = ((slopes)[k] * product + (to)[k] * slope) * own;    \
            (to)[k] = (to)[k] * product * own;                                \
            slope = slope * factor + product;                                 \
            product *= factor;                                                \
        }                                                                     \
    } while (0)
#endif

// The same for the targets of leaves, with gradients if requested: out is [row][targets] as in terms.cl.
// sums: `stride` per row.
kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void spread_sums(
    global const REAL8* boxes, global const uint4* shapes, global const REAL* nodes,
    global const REAL* places, global const REAL* sums, global REAL* out, const uint stride,
    const uint place_stride, const uint targets, const REAL scale) {
    const uint cluster = get_global_id(0) / WG;
    const uint4 shape = shapes[cluster];
    const REAL8 box = boxes[cluster];
    const uint nx = nodes_along(shape, 0), ny = nodes_along(shape, 1), nz = nodes_along(shape, 2);
    if (proxies_of(shape) == 0 || !is_leaf(shape)) return;
    for (uint at = get_local_id(0) * LANES; at < shape.w; at += WG * LANES) {
        const uint t = shape.z + at;
        const V x = (LOAD(places + t) - box.s0) * box.s4, y = (LOAD(places + place_stride + t) - box.s1) * box.s5,
                z = (LOAD(places + 2 * place_stride + t) - box.s2) * box.s6;
        V lx[MAX_OF_PLAN], ly[MAX_OF_PLAN], lz[MAX_OF_PLAN];
#if GRADIENT
        V sx[MAX_OF_PLAN], sy[MAX_OF_PLAN], sz[MAX_OF_PLAN];
        SLOPES(nx, x, lx, sx);
        SLOPES(ny, y, ly, sy);
        SLOPES(nz, z, lz, sz);
#else
        POLYNOMIALS(nx, x, lx, 1);
        POLYNOMIALS(ny, y, ly, 1);
        POLYNOMIALS(nz, z, lz, 1);
#endif
        for (uint row = 0; row < VECTORS * PARTS; ++row) {
            global const REAL* value = sums + (size_t)row * stride + shape.x;
            V f = 0, fx = 0, fy = 0, fz = 0;
            for (uint i = 0; i < nx; ++i)
                for (uint j = 0; j < ny; ++j) {
                    V along = 0, slope = 0;
                    for (uint k = 0; k < nz; ++k) {
                        const REAL own = *value++;
                        along += lz[k] * own;
#if GRADIENT
                        slope += sz[k] * own;
#endif
                    }
                    f += lx[i] * ly[j] * along;
#if GRADIENT
                    fx += sx[i] * ly[j] * along;
                    fy += lx[i] * sy[j] * along;
                    fz += lx[i] * ly[j] * slope;
#endif
                }
            const uint first = row / PARTS * QUANTITIES * PARTS + row % PARTS, left = shape.w - at;
            put(out + (size_t)first * targets + t, left, f, false);
#if GRADIENT
            put(out + (size_t)(first + PARTS) * targets + t, left, fx * (box.s4 * scale), false);
            put(out + (size_t)(first + 2 * PARTS) * targets + t, left, fy * (box.s5 * scale), false);
            put(out + (size_t)(first + 3 * PARTS) * targets + t, left, fz * (box.s6 * scale), false);
#endif
        }
    }
}

// Sums in the order of the targets, from that of their tree: order[i] is the row number of point i.
//
// NDRange: dimension 0: one work-item per target, rounded up to the group. Group WG.
kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void sort_back(global const REAL* out,
                                                                      global const uint* order,
                                                                      global REAL* in_rows,
                                                                      const uint targets) {
    const uint i = get_global_id(0);
    if (i >= targets) return;
    for (uint row = 0; row < ROWS; ++row)
        in_rows[(size_t)row * targets + order[i]] = out[(size_t)row * targets + i];
}
