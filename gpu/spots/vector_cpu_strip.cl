// A strip with column sums of type SUM, for gpu/spots/vector_cpu.cl.

// The signal among the candidates of a block, as bits.
static uint JOIN(FIND, _decided)(global const SRC* image, global const uchar* ignore,
                                 global const ulong* table, const uint pitch, const short16 candidates) {
    short lanes[V];
    vstore16(candidates, 0, lanes);
    uint found = 0;
    for (uint i = 0; i < V; ++i) {
        // A pixel that is invalid has 0 counts here, and never passes; SATURATED ones are valid.
        if (lanes[i] == 0 || !over_threshold(image[i], table)) continue;
        found |= is_signal(window_sums(image + i, ignore + i, pitch), (count_t)image[i], table) ? 1u << i : 0;
    }
    return found;
}

static void FIND(global const SRC* image, global const uchar* ignore, global uint* words,
                 global const ulong* table, const uint4 shape, const uint rows, const uint blocks) {
    const uint pitch = shape.s2;
    const ushort harmless = (ushort)min(table[4], (ulong)(SATURATED - 1));
    const float margin = 0x1p-20f;
    const float count = (float)WINDOW * (1 + margin);
    // table[3] is lowered already; m is the float's, and exact.
    const float spread = as_float((uint)table[3]) * WINDOW * (1 - margin);
    ushort16 ring[DEPTH][BLOCKS];
    SUM16 columns[BLOCKS];
    ushort16 high[BLOCKS];  // how many counts of a column are above `harmless`
    for (uint b = 0; b < blocks + 2; ++b) {
        columns[b] = 0;
        high[b] = 0;
        for (uint i = 0; i < DEPTH; ++i) ring[i][b] = 0;
    }
    image -= (long)KY * pitch;
    ignore -= (long)KY * pitch;
    uint slot = 0;
    for (uint row = 0; row < rows + 2 * KY; ++row, image += pitch, ignore += pitch) {
        for (uint b = 0; b < blocks + 2; ++b) {
            const ushort16 enter = valid_counts(image + (long)b * V - V, ignore + (long)b * V - V),
                           leave = ring[slot][b];
            columns[b] += TO_SUM(capped(enter, CAP)) - TO_SUM(capped(leave, CAP));
            // Comparisons of vectors are -1 where they hold.
            high[b] += as_ushort16(leave > harmless) - as_ushort16(enter > harmless);
            ring[slot][b] = enter;
        }
        slot = slot + 1 == DEPTH ? 0 : slot + 1;
        if (row < 2 * KY) continue;
        // `slot` is now the oldest row.
        const uint middle = slot + KY < DEPTH ? slot + KY : slot + KY - DEPTH;
        global const SRC* here = image - (long)KY * pitch;
        global const uchar* ignored = ignore - (long)KY * pitch;
        uint word = 0;
        for (uint b = 0; b < blocks; ++b) {
            const SUM* window = (const SUM*)columns + (b + 1) * V - KX;
            const ushort* flags = (const ushort*)high + (b + 1) * V - KX;
            uint found = 0;
            // 2 KX + 16 flags.
            if (any_set(vload16(0, flags) | vload16(0, flags + KX) | vload16(0, flags + 2 * KX))) {
                SUM16 sum = vload16(0, window);
#pragma unroll
                for (int i = 1; i <= 2 * KX; ++i) sum += vload16(0, window + i);
                const short16 candidates =
                    maybe_strong(ring[middle][b + 1], TO_FLOAT(sum), count, spread);
                if (any_set(as_ushort16(candidates)))
                    found = JOIN(FIND, _decided)(here + b * V, ignored + b * V, table, pitch, candidates);
            }
            word |= found << b % 2 * V;
            if (b % 2 == 1 || b + 1 == blocks) {
                words[b / 2] = word;
                word = 0;
            }
        }
        words += shape.s3;
    }
}
