// Copies signal bits of modules [frame][module][y][words] to those of frames [frame][y][words], which are 0 before.
//
// origins[m] = (y, x) of module m in the frame; `modules` and `frames` are their shapes; `number`: modules per frame.
//
// NDRange: dimension 0: any number of work-items, which share the words. Group: any.

#include "gpu/spots/lib/shape.cl"

kernel void frame_bits(global const uint* bits, global const uint2* origins, volatile global uint* in_frames,
                       const uint4 modules, const uint number, const uint4 frames,
                       const uint word_count) {
    for (uint i = get_global_id(0); i < word_count; i += get_global_size(0)) {
        const uint word = bits[i];
        if (word == 0) continue;
        const uint row = i / WORDS_OF(modules), module = row / HEIGHT_OF(modules), frame = module / number;
        const uint2 origin = origins[module - frame * number];
        const uint y = origin.s0 + row - module * HEIGHT_OF(modules);
        const uint x = origin.s1 + (i - row * WORDS_OF(modules)) * 32;
        volatile global uint* const to =
            in_frames + (size_t)(frame * HEIGHT_OF(frames) + y) * WORDS_OF(frames) + x / 32;
        const uint shift = x % 32;
        atomic_or(to, word << shift);
        if (shift != 0 && word >> (32 - shift) != 0) atomic_or(to + 1, word >> (32 - shift));
    }
}
