// The published ordered correlator: pixels are first regrouped so that those of a bin are adjacent. Then a work-group
// shares one (bin, delay): its items read neighbours, and reduce three sums in local memory per pair of frames.
//
// reorder:   NDRange (WG, bins, frames), group (WG, 1, 1): ordered[frame][position in the pixel list] = count.
// correlate: NDRange (WG, bins, delays), group (WG, 1, 1); dimension 2 may be cut through the global offset.
//            Local memory: three sums per work-item.
//
// Differences from the paper: whole counts are unsigned, local sums have 64 bits, every step of the reduction has its
// barrier and works with any group size, and terms with an empty frame do not enter the error.

#ifndef WG
#define WG 128
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reorder(global const SRC* frames,
                                                                     global const uint* offsets,
                                                                     global const uint* pixels,
                                                                     global SRC* ordered, const uint selected,
                                                                     const uint frame_pixels) {
    const uint bin = get_global_id(1), frame = get_global_id(2);
    const uint stop = offsets[bin + 1];
    for (uint i = offsets[bin] + get_local_id(0); i < stop; i += WG)
        ordered[(size_t)frame * selected + i] = frames[(size_t)frame * frame_pixels + pixels[i]];
}

// Adds up three arrays over the work-items; every work-item gets the three sums.
static inline void sum3(local S_T* a, local S_T* b, local S_T* c) {
    const uint lid = get_local_id(0);
    for (uint n = WG; n > 1;) {
        const uint half_up = (n + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid + half_up < n) {
            a[lid] += a[lid + half_up];
            b[lid] += b[lid + half_up];
            c[lid] += c[lid + half_up];
        }
        n = half_up;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void correlate(global const SRC* ordered,
                                                                       global const uint* offsets,
                                                                       global double* g2, global double* g2_err,
                                                                       const uint frame_count, const uint selected) {
    local S_T sum_g[WG], sum_late[WG], sum_early[WG];
    const uint lid = get_local_id(0), bin = get_global_id(1), tau = get_global_id(2);
    const uint start = offsets[bin], stop = offsets[bin + 1];
    const double count = stop - start;

    S_T g_sum = 0;
    double ss_sum = 0, c_sum = 0, variance_sum = 0;
    uint terms = 0;
    for (uint t = tau; t < frame_count; ++t) {
        global const SRC* late = ordered + (size_t)t * selected;
        global const SRC* early = ordered + (size_t)(t - tau) * selected;
        S_T g = 0, s_late = 0, s_early = 0;
        for (uint i = start + lid; i < stop; i += WG) {
            const S_T a = (S_T)late[i], b = (S_T)early[i];
            g += a * b;
            s_late += a;
            s_early += b;
        }
        sum_g[lid] = g;
        sum_late[lid] = s_late;
        sum_early[lid] = s_early;
        sum3(sum_g, sum_late, sum_early);
        if (lid == 0) {
            const double ss = (double)sum_late[0] * (double)sum_early[0] / count;
            g_sum += sum_g[0];
            ss_sum += ss;
            if (fabs(ss) > 0) {  // NaN: a bin without pixels
                const double c = (double)sum_g[0] / ss;
                if (terms > 0) {
                    const double step = c_sum - terms * c;
                    variance_sum += step * step / ((double)terms * (terms + 1.0));
                }
                c_sum += c;
                ++terms;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        const size_t at = (size_t)bin * frame_count + tau;
        g2[at] = ss_sum != 0 ? (double)g_sum / ss_sum : NAN;
        g2_err[at] = terms > 0 ? sqrt(variance_sum) / terms : NAN;
    }
}
