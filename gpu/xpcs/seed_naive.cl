// The published direct correlator: one work-item per (bin, delay) walks through all frames and all pixels of the bin
// and gathers both counts through the pixel list. No local memory, no cooperation.
//
// NDRange: dimension 0: bin; dimension 1: delay, rounded up to the group. Group (1, WG). A launch may cover a part of
// both through the global offset, so that none takes long.
//
// The variance is accumulated with the mean, as in the paper. Differences from the paper: whole counts are unsigned,
// sums and products have 64 bits or are doubles, and terms with an empty frame do not enter the error.

#ifndef WG
#define WG 32
#endif

kernel __attribute__((reqd_work_group_size(1, WG, 1))) void correlate(
    global const SRC* frames, global const uint* offsets, global const uint* pixels, global double* g2,
    global double* g2_err, const uint frame_count, const uint frame_pixels) {
    const uint bin = get_global_id(0), tau = get_global_id(1);
    if (tau >= frame_count) return;
    const uint start = offsets[bin], stop = offsets[bin + 1];
    const double count = stop - start;

    S_T g_sum = 0;
    double ss_sum = 0, c_sum = 0, variance_sum = 0;
    uint terms = 0;
    for (uint t = tau; t < frame_count; ++t) {
        global const SRC* late = frames + (size_t)t * frame_pixels;
        global const SRC* early = frames + (size_t)(t - tau) * frame_pixels;
        S_T s_late = 0, s_early = 0, g = 0;
        for (uint i = start; i < stop; ++i) {
            const uint pixel = pixels[i];
            const S_T a = (S_T)late[pixel], b = (S_T)early[pixel];
            g += a * b;
            s_late += a;
            s_early += b;
        }
        const double ss = (double)s_late * (double)s_early / count;
        g_sum += g;
        ss_sum += ss;
        if (fabs(ss) > 0) {  // NaN: a bin without pixels
            const double c = (double)g / ss;
            if (terms > 0) {
                const double step = c_sum - terms * c;
                variance_sum += step * step / ((double)terms * (terms + 1.0));
            }
            c_sum += c;
            ++terms;
        }
    }
    const size_t at = (size_t)bin * frame_count + tau;
    g2[at] = ss_sum != 0 ? (double)g_sum / ss_sum : NAN;
    g2_err[at] = terms > 0 ? sqrt(variance_sum) / terms : NAN;
}
