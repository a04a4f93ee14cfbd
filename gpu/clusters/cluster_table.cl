// The table of clusters from the labels of a chunk: sums by atomics at the first row of each cluster, which
// is the row named by its label; then these rows are compacted, in order. Rows and slots are those of a
// chunk, from 0; labels are rows of the whole input.
//
// In the order of launches, one item per row except for place_groups:
// start_sums:   rows that name a cluster write the sums of their own digi; statuses and clusters are counted.
// add_digis:    the other digis of clusters are added; invalid labels set counts[WRONG].
// weigh_alike:  clusters without charge sum pixel indices instead. Only if some digi has no charge.
// place_groups: number of clusters before each group of rows, and the total in counts[CLUSTERS].
// write_table:  the columns.
//
// counts: invalid, duplicate and cut digis, clusters, and nonzero if a label is invalid; 0 before.
// module_clusters[slot]: clusters of the slot; 0 before.
// sums: SUM_WORDS words per row, undefined if the row names no cluster. WIDE 1: sums of charge and of charge
//   times pixel index are 64 bits, as two words with carry. Sums of integers are the same in any order.
// DIVIDE 1: centroids are divided here, in double; 0: cluster_x and cluster_y get the sums, as 64 bits.
//
// NDRange: 1 dimension, one item per row in groups of WG, in launches with an offset if there are many rows;
// place_groups is one group of PLACE_WG.

#ifndef WG
#define WG 256
#endif
#ifndef PLACE_WG
#define PLACE_WG 256
#endif
#ifndef WIDE
#define WIDE 0
#endif
#ifndef DIVIDE
#define DIVIDE 1
#endif
#if DIVIDE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define MOMENT double
#else
#define MOMENT ulong
#endif

#define NO_SLOT 0xffffffffu
#define INVALID (-1)
#define LAST_STATUS (-3)
enum { CLUSTERS = 3, WRONG = 4 };
// words of sums; a sum of two words has its low one first
#if WIDE
enum { SIZE, X_MIN, X_MAX, Y_MIN, Y_MAX, CHARGE, X_SUM = 7, Y_SUM = 9, SUM_WORDS = 12 };
#else
enum { SIZE, X_MIN, X_MAX, Y_MIN, Y_MAX, CHARGE, X_SUM, Y_SUM, SUM_WORDS };
#endif

static inline void put(global uint* sum, const ulong value) {
    sum[0] = (uint)value;
#if WIDE
    sum[1] = (uint)(value >> 32);
#endif
}

static inline ulong value_of(global const uint* sum) {
#if WIDE
    return (ulong)sum[1] << 32 | sum[0];
#else
    return sum[0];
#endif
}

static inline void increase(global uint* sum, const ulong value) {
    const uint low = (uint)value, before = atomic_add(&sum[0], low);
#if WIDE
    const uint high = (uint)(value >> 32) + (before + low < before);
    if (high != 0) atomic_add(&sum[1], high);
#endif
}

#define ROWS                                                                                                   \
    global const uint *slot, global const ushort *x, global const ushort *y, global const uint *adc,          \
        global const int *labels, global uint *sums, global uint *counts, const uint rows, const uint first_row

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void start_sums(ROWS, global uint* module_clusters,
                                                                       global uint* group_clusters,
                                                                       const uint first_slot) {
    local uint found[1 - LAST_STATUS];  // clusters, then digis of each status
    const uint row = get_global_id(0), lid = get_local_id(0);
    for (uint i = lid; i < 1 - LAST_STATUS; i += WG) found[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row < rows) {
        const int label = labels[row];
        const uint s = slot[row];
        if ((label == INVALID) != (s == NO_SLOT) || label < LAST_STATUS) {
            atomic_or(&counts[WRONG], 1u);
        } else if (label < 0) {
            atomic_inc(&found[-label]);
        } else if ((uint)label - first_row == row) {
            atomic_inc(&found[0]);
            atomic_inc(&module_clusters[s - first_slot]);
            global uint* const own = sums + (size_t)row * SUM_WORDS;
            const ulong charge = adc[row];
            own[SIZE] = 1;
            own[X_MIN] = own[X_MAX] = x[row];
            own[Y_MIN] = own[Y_MAX] = y[row];
            put(&own[CHARGE], charge);
            put(&own[X_SUM], charge * x[row]);
            put(&own[Y_SUM], charge * y[row]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid != 0) return;
    group_clusters[row / WG] = found[0];
    for (uint i = 1; i <= -LAST_STATUS; ++i)
        if (found[i] > 0) atomic_add(&counts[i - 1], found[i]);
}

/// Whether the row belongs to a cluster that an earlier row names, and whose sums were started.
static inline bool joins(global const uint* slot, global const int* labels, global uint* counts, const uint row,
                         const uint rows, const uint first_row) {
    if (row >= rows) return false;
    const int label = labels[row];
    const uint name = (uint)label - first_row, s = slot[row];
    if (label < 0 || name == row || s == NO_SLOT) return false;
    if (name < row && labels[name] == label && slot[name] == s) return true;
    atomic_or(&counts[WRONG], 1u);
    return false;
}

kernel void add_digis(ROWS) {
    const uint row = get_global_id(0);
    if (!joins(slot, labels, counts, row, rows, first_row)) return;
    global uint* const sum = sums + (size_t)((uint)labels[row] - first_row) * SUM_WORDS;
    const ulong charge = adc[row];
    const uint at_x = x[row], at_y = y[row];
    atomic_inc(&sum[SIZE]);
    increase(&sum[CHARGE], charge);
    increase(&sum[X_SUM], charge * at_x);
    increase(&sum[Y_SUM], charge * at_y);
    atomic_min(&sum[X_MIN], at_x);
    atomic_max(&sum[X_MAX], at_x);
    atomic_min(&sum[Y_MIN], at_y);
    atomic_max(&sum[Y_MAX], at_y);
}

kernel void weigh_alike(ROWS) {
    const uint row = get_global_id(0);
    if (row >= rows || labels[row] < 0 || slot[row] == NO_SLOT) return;
    const uint name = (uint)labels[row] - first_row;
    if (name != row && !joins(slot, labels, counts, row, rows, first_row)) return;
    global uint* const sum = sums + (size_t)name * SUM_WORDS;
    if (value_of(&sum[CHARGE]) != 0) return;
    increase(&sum[X_SUM], x[row]);
    increase(&sum[Y_SUM], y[row]);
}

kernel __attribute__((reqd_work_group_size(PLACE_WG, 1, 1))) void place_groups(global uint* group_clusters,
                                                                               global uint* counts,
                                                                               const uint groups) {
    local uint before[PLACE_WG];
    const uint lid = get_local_id(0), share = (groups + PLACE_WG - 1) / PLACE_WG;
    const uint first = min(lid * share, groups), end = min(first + share, groups);
    uint own = 0;
    for (uint i = first; i < end; ++i) own += group_clusters[i];
    before[lid] = own;
    for (uint step = 1; step < PLACE_WG; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint other = lid >= step ? before[lid - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        before[lid] += other;
    }
    uint at = before[lid] - own;
    for (uint i = first; i < end; ++i) {
        const uint some = group_clusters[i];
        group_clusters[i] = at;
        at += some;
    }
    if (lid == PLACE_WG - 1) counts[CLUSTERS] = at;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void write_table(
    global const uint* slot, global const int* labels, global const uint* sums, global const uint* group_clusters,
    const uint rows, const uint first_row, global int* cluster_label, global uint* cluster_size,
    global ulong* cluster_charge, global MOMENT* cluster_x, global MOMENT* cluster_y, global ushort* cluster_xmin,
    global ushort* cluster_xmax, global ushort* cluster_ymin, global ushort* cluster_ymax) {
    local uint before[WG];
    const uint row = get_global_id(0), lid = get_local_id(0);
    const int label = row < rows && slot[row] != NO_SLOT ? labels[row] : INVALID;
    const bool names = label >= 0 && (uint)label - first_row == row;
    before[lid] = names ? 1 : 0;
    for (uint step = 1; step < WG; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint other = lid >= step ? before[lid - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        before[lid] += other;
    }
    if (!names) return;
    const uint at = group_clusters[row / WG] + before[lid] - 1;
    global const uint* const sum = sums + (size_t)row * SUM_WORDS;
    const ulong charge = value_of(&sum[CHARGE]), sum_x = value_of(&sum[X_SUM]), sum_y = value_of(&sum[Y_SUM]);
    cluster_label[at] = label;
    cluster_size[at] = sum[SIZE];
    cluster_charge[at] = charge;
#if DIVIDE
    const double weight = charge == 0 ? (double)sum[SIZE] : (double)charge;
    cluster_x[at] = (double)sum_x / weight + 0.5;
    cluster_y[at] = (double)sum_y / weight + 0.5;
#else
    cluster_x[at] = sum_x;
    cluster_y[at] = sum_y;
#endif
    cluster_xmin[at] = (ushort)sum[X_MIN];
    cluster_xmax[at] = (ushort)sum[X_MAX];
    cluster_ymin[at] = (ushort)sum[Y_MIN];
    cluster_ymax[at] = (ushort)sum[Y_MAX];
}
