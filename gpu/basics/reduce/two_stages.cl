// Few groups, each of which traverses a stretch of the vector: its items take wide loads in turn and combine
// them in private memory, then the values of the items are combined as a tree in local memory. `reduce`
// leaves one value per group, `finish` reduces these to one in a single group. NDRange of `reduce`: dimension
// 0 is groups times WG (a power of 2); of `finish`: WG; local memory: WG values. A launch of `reduce` covers
// the pieces of WIDTH elements from `first` to before `last`; the launch that has the last piece also takes
// the remaining elements, up to `n`.
#include "gpu/basics/reduce/terms.cl"
#ifndef WG
#define WG 256
#endif
#ifndef WIDTH
#define WIDTH 4
#endif
#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#define LOAD NAMED(vload, WIDTH)
#define WIDE NAMED(VALUE, WIDTH)
#if DOT
#define PIECE(i) (LOAD(i, x) * LOAD(i, y))
#else
#define PIECE(i) LOAD(i, x)
#endif

VALUE of_2(NAMED(VALUE, 2) v) {
    return JOIN(v.lo, v.hi);
}
VALUE of_4(NAMED(VALUE, 4) v) {
    return of_2(JOIN(v.lo, v.hi));
}
VALUE of_8(NAMED(VALUE, 8) v) {
    return of_4(JOIN(v.lo, v.hi));
}
VALUE of_16(NAMED(VALUE, 16) v) {
    return of_8(JOIN(v.lo, v.hi));
}

void join_items(local VALUE* values, VALUE own) {
    const size_t item = get_local_id(0);
    values[item] = own;
    for (uint left = WG / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left) values[item] = JOIN(values[item], values[item + left]);
    }
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce(const ulong first, const ulong last,
                                                                   const ulong n, global const VALUE* x,
                                                                   global const VALUE* y, global VALUE* out,
                                                                   const uint out_from) {
    local VALUE values[WG];
    const ulong pieces = last - first, groups = get_num_groups(0), group = get_group_id(0);
    const ulong end = first + pieces * (group + 1) / groups;
    ulong i = first + pieces * group / groups + get_local_id(0);
    // Several independent values, so that no addition waits for the previous one.
    WIDE a = (WIDE)(NEUTRAL), b = a, c = a, d = a;
    for (; i + 3 * WG < end; i += 4 * WG) {
        a = JOIN(a, PIECE(i));
        b = JOIN(b, PIECE(i + WG));
        c = JOIN(c, PIECE(i + 2 * WG));
        d = JOIN(d, PIECE(i + 3 * WG));
    }
    for (; i < end; i += WG) a = JOIN(a, PIECE(i));
    VALUE own = NAMED(of_, WIDTH)(JOIN(JOIN(a, b), JOIN(c, d)));
    if (last == n / WIDTH && group + 1 == groups)
        for (ulong k = last * WIDTH + get_local_id(0); k < n; k += WG) own = JOIN(own, TERM(k));
    join_items(values, own);
    if (get_local_id(0) == 0) out[out_from + group] = values[0];
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void finish(const uint count,
                                                                   global const VALUE* partial,
                                                                   global VALUE* out) {
    local VALUE values[WG];
    VALUE own = NEUTRAL;
    for (uint i = get_local_id(0); i < count; i += WG) own = JOIN(own, partial[i]);
    join_items(values, own);
    if (get_local_id(0) == 0) out[0] = values[0];
}
