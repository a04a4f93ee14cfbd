// The published clustering kernel (CMSSW gpuClustering::findClus), corrected and split into its stages: one launch
// each, timed separately. Groups of WG items take modules in turn, if there are more modules than groups.
//
// Corrections: digis of a module may be scattered in the input (they are grouped first,
// gpu/clusters/grouping.cl); coordinates that do not fill whole words; more than 10 neighbours (looked up
// again in each round); no item leaves before a barrier; flags are reset between barriers; labels are
// smallest rows whatever the order of digis. Modules of more than LIMIT digis are left to the general path.
//
// Per grouped digi: grouped (row, y << 16 | x), the row with bit 31 for dropped ones; order: digis of the module, as
// indices in it, by bins of columns (y >> shift); near [digi][10] and near_count for the digi at each position of the
// order; cluster: index of the digi that names the cluster, -2 dropped; least, charge: of clusters.
//
// NDRange of all: 1 dimension, groups of WG. Local memory: find_duplicates MAP_WORDS words (map_columns columns of
// column_pixels pixels fit), sort_columns BINS + 1 words (at most BINS bins), propagate LIMIT words.

#define NEAR_MOST 10
#define NEAR_MORE 255
#define DROPPED_BIT 0x80000000u

#define MODULE_ARGUMENTS                                                                                       \
    global const uint *starts, global const uint *counts, const uint slots
#define EACH_MODULE for (uint slot = get_group_id(0); slot < slots; slot += get_num_groups(0))
#define MODULE                                                                                                 \
    const uint n = counts[slot], start = starts[slot];                                                         \
    if (n == 0 || n > LIMIT) continue
#define EACH_DIGI(i) for (uint i = get_local_id(0); i < n; i += WG)
#define SYNC barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define GROUP_KERNEL kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void

#if PAIRWISE
// as in the article's first version: every digi is compared with all that follow it
GROUP_KERNEL find_duplicates(MODULE_ARGUMENTS, global uint2* grouped, const uint columns,
                             const uint column_pixels, const uint map_columns) {
    EACH_MODULE {
        MODULE;
        EACH_DIGI(i)
            for (uint j = i + 1; j < n; ++j)
                if (grouped[start + i].y == grouped[start + j].y) {
                    atomic_or((volatile global uint*)&grouped[start + i], DROPPED_BIT);
                    atomic_or((volatile global uint*)&grouped[start + j], DROPPED_BIT);
                }
    }
}
#else
// two bits per pixel: 0 empty, 1 found, 3 found again; as many columns at a time as the map holds
GROUP_KERNEL find_duplicates(MODULE_ARGUMENTS, global uint2* grouped, const uint columns,
                             const uint column_pixels, const uint map_columns) {
    local uint status[MAP_WORDS];
    EACH_MODULE {
        MODULE;
        for (uint first = 0; first < columns; first += map_columns) {
            for (uint w = get_local_id(0); w < (map_columns * column_pixels + 15) / 16; w += WG) status[w] = 0;
            SYNC;
            EACH_DIGI(i) {
                const uint key = grouped[start + i].y, column = (key >> 16) - first;
                if (column >= map_columns) continue;
                const uint pixel = column * column_pixels + (key & 0xffff), shift = pixel % 16 * 2;
                const uint before = atomic_or(&status[pixel / 16], 1u << shift);
                if ((before >> shift & 1) != 0) atomic_or(&status[pixel / 16], 2u << shift);
            }
            SYNC;
            EACH_DIGI(i) {
                const uint key = grouped[start + i].y, column = (key >> 16) - first;
                if (column >= map_columns) continue;
                const uint pixel = column * column_pixels + (key & 0xffff);
                if ((status[pixel / 16] >> pixel % 16 * 2 & 3) == 3) grouped[start + i].x |= DROPPED_BIT;
            }
            SYNC;
        }
    }
}
#endif

// A histogram of columns, its sums, and digis filled in, in any order within a bin.
GROUP_KERNEL sort_columns(MODULE_ARGUMENTS, global const uint2* grouped, global ushort* order,
                          const uint bin_count, const uint shift) {
    local uint bins[BINS + 1], sums[WG];
    const uint lid = get_local_id(0), share = (bin_count + WG) / WG;
    EACH_MODULE {
        MODULE;
        for (uint b = lid; b <= bin_count; b += WG) bins[b] = 0;
        SYNC;
        EACH_DIGI(i) atomic_inc(&bins[grouped[start + i].y >> (16 + shift)]);
        SYNC;
        const uint from = min(lid * share, bin_count + 1), to = min(from + share, bin_count + 1);
        uint sum = 0;
        for (uint b = from; b < to; ++b) bins[b] = sum += bins[b];
        sums[lid] = sum;
        SYNC;
        uint before = 0;
        for (uint other = 0; other < lid; ++other) before += sums[other];
        for (uint b = from; b < to; ++b) bins[b] += before;
        SYNC;
        EACH_DIGI(i)
            order[start + atomic_dec(&bins[grouped[start + i].y >> (16 + shift)]) - 1] = (ushort)i;
        SYNC;
    }
}

/// The next position after p, up to the end of the next column, whose digi touches the one at p; n: none.
static inline uint next_neighbour(global const uint2* digis, global const ushort* order, const uint own,
                                  uint p, const uint n, const uint shift) {
    const uint x = own & 0xffff, y = own >> 16, last_bin = (y + 1) >> shift;
    for (++p; p < n; ++p) {
        const uint2 digi = digis[order[p]];
        if (digi.y >> (16 + shift) > last_bin) return n;
        const uint dx = (digi.y & 0xffff) + 1 - x, dy = (digi.y >> 16) + 1 - y;
        const bool touches = CONNECTIVITY == 8 ? true : dx == 1 || dy == 1;
        if (dx <= 2 && dy <= 2 && touches && (digi.x & DROPPED_BIT) == 0) return p;
    }
    return n;
}

GROUP_KERNEL list_neighbours(MODULE_ARGUMENTS, global const uint2* grouped, global const ushort* order,
                             global ushort* near, global uchar* near_count, const uint shift) {
    EACH_MODULE {
        MODULE;
        EACH_DIGI(p) {
            const uint2 own = grouped[start + order[start + p]];
            uint found = 0;
            if ((own.x & DROPPED_BIT) == 0)
                for (uint q = p; found <= NEAR_MOST; ++found) {
                    q = next_neighbour(grouped + start, order + start, own.y, q, n, shift);
                    if (q >= n) break;
                    if (found < NEAR_MOST)
                        near[(size_t)(start + p) * NEAR_MOST + found] = order[start + q];
                }
            near_count[start + p] = found > NEAR_MOST ? NEAR_MORE : found;
        }
    }
}

#define SPACE local
#include "gpu/clusters/parents.cl"

/// Both labels become the smaller one; true if they differed.
static inline bool meet(local int* label, const uint i, const uint other) {
    const int own = READ(&label[i]), before = atomic_min(&label[other], own);
    if (before == own) return false;
    atomic_min(&label[i], before);
    return true;
}

GROUP_KERNEL propagate(MODULE_ARGUMENTS, global const uint2* grouped, global const ushort* order,
                       global const ushort* near, global const uchar* near_count, global int* cluster,
                       const uint shift) {
    local int label[LIMIT];
    local uint more;
    EACH_MODULE {
        MODULE;
        global const ushort* const sorted = order + start;
        EACH_DIGI(i) label[i] = (int)i;
        for (uint again = 1; again != 0;) {
            SYNC;
            if (get_local_id(0) == 0) more = 0;
            SYNC;
            bool changed = false;
            EACH_DIGI(p) {
                const uint count = near_count[start + p];
                if (count == NEAR_MORE) {
                    const uint own = grouped[start + sorted[p]].y;
                    for (uint q = p; (q = next_neighbour(grouped + start, sorted, own, q, n, shift)) < n;)
                        changed |= meet(label, sorted[p], sorted[q]);
                    continue;
                }
                for (uint k = 0; k < count; ++k)
                    changed |= meet(label, sorted[p], near[(size_t)(start + p) * NEAR_MOST + k]);
            }
            if (changed) atomic_or(&more, 1u);
            SYNC;
            again = more;
            if (again != 0) EACH_DIGI(i) atomic_min(&label[i], root_of(label, READ(&label[i])));
        }
        EACH_DIGI(i) cluster[start + i] = (grouped[start + i].x & DROPPED_BIT) != 0 ? DROPPED : label[i];
        SYNC;
    }
}

// Clusters are numbered by their smallest row.
GROUP_KERNEL renumber(MODULE_ARGUMENTS, global const uint2* grouped, global const int* cluster, global int* minimum,
                      global int* labels, const uint first_row) {
    EACH_MODULE {
        MODULE;
        EACH_DIGI(i) minimum[start + i] = INT_MAX;
        SYNC;
        EACH_DIGI(i)
            if (cluster[start + i] != DROPPED)
                atomic_min(&minimum[start + cluster[start + i]], (int)grouped[start + i].x);
        SYNC;
        EACH_DIGI(i) {
            const int name = cluster[start + i];
            labels[grouped[start + i].x & ~DROPPED_BIT] =
                name == DROPPED ? DROPPED : minimum[start + name] + (int)first_row;
        }
        SYNC;
    }
}

GROUP_KERNEL cut_charge(MODULE_ARGUMENTS, global const uint2* grouped, global const int* cluster,
                        global uint* charge, global int* labels, global const uint* adc, global const uint* cuts,
                        const uint cut_count, const uint first_slot) {
    EACH_MODULE {
        MODULE;
        EACH_DIGI(i) charge[start + i] = 0;
        SYNC;
        EACH_DIGI(i)
            if (cluster[start + i] != DROPPED)
                atomic_add(&charge[start + cluster[start + i]], adc[grouped[start + i].x]);
        SYNC;
        const uint cut = cuts[(first_slot + slot) % cut_count];
        EACH_DIGI(i)
            if (cluster[start + i] != DROPPED && charge[start + cluster[start + i]] < cut)
                labels[grouped[start + i].x] = -3;
        SYNC;
    }
}
