// A strip with column sums of type SUM, for gpu/spots/vector_cpu/vector_cpu.cl.

// The signal among the candidates of a block, as bits.
static uint JOIN(FIND, _decided)(global const SRC* image, global const uchar* ignore,
                                 global const ulong* table, const uint pitch, uint candidates) {
    uint found = 0;
    for (; candidates != 0; candidates &= candidates - 1) {
        const uint i = 31 - clz(candidates & -candidates);
        // An invalid pixel has 0 counts, and is no candidate.
        if (!over_threshold(image[i], table)) continue;
        found |= is_signal(summed(image + i, ignore + i, pitch), (count_t)image[i], table) ? 1u << i : 0;
    }
    return found;
}

// -1 where a pixel may be strong. The sums of column `columns[i]` and the 2 KX behind it are those of pixel i.
static inline ushort16 JOIN(FIND, _candidates)(const ushort16 p, const SUM* columns, const float spread) {
#ifdef WIDE
    const float count = (float)WINDOW * (1 + 0x1p-20f);
    uint8 low = *(const uint8_at*)columns, high = *(const uint8_at*)(columns + 8);
#pragma unroll
    for (int i = 1; i <= 2 * KX; ++i) {
        low += *(const uint8_at*)(columns + i);
        high += *(const uint8_at*)(columns + i + 8);
    }
    return as_ushort16(
        (short16)(strong_32(p.lo, low, count, spread), strong_32(p.hi, high, count, spread)));
#else
    ushort16 sum = *(const ushort16_at*)columns;
#pragma unroll
    for (int i = 1; i <= 2 * KX; ++i) sum += *(const ushort16_at*)(columns + i);
    return strong_16(p, sum, spread);
#endif
}

static inline void JOIN(FIND, _slide)(SUM* columns, const ushort16 enter, const ushort16 leave) {
    const ushort16 in = capped(enter, CAP), out = capped(leave, CAP);
#ifdef WIDE
    *(uint8*)columns += CONVERT(uint8, in.lo) - CONVERT(uint8, out.lo);
    *(uint8*)(columns + 8) += CONVERT(uint8, in.hi) - CONVERT(uint8, out.hi);
#else
    *(ushort16*)columns += in - out;
#endif
}

static void FIND(global const SRC* image, global const uchar* ignore, global uint* words,
                 global const ulong* table, const uint4 shape, const uint rows, const uint blocks) {
    const uint pitch = PITCH_OF(shape);
    const ushort harmless = (ushort)min(table[4], (ulong)(SATURATED - 1));
    // table[3] has already been lowered; m is the float's, and exact.
    const float spread = as_float((uint)table[3]) * WINDOW * (1 - 0x1p-20f);
    ushort16 ring[DEPTH][BLOCKS];
    SUM columns[BLOCKS * V] __attribute__((aligned(32)));
    int high[BLOCKS];  // the last row in which a block had a count above `harmless`
    for (uint b = 0; b < blocks + 2; ++b) {
        for (uint i = 0; i < V; ++i) columns[b * V + i] = 0;
        high[b] = -DEPTH;
        for (uint i = 0; i < DEPTH; ++i) ring[i][b] = 0;
    }
    image -= (long)KY * pitch;
    ignore -= (long)KY * pitch;
    uint slot = 0;
    for (int row = 0; row < (int)rows + 2 * KY; ++row, image += pitch, ignore += pitch) {
        ushort16* entered = ring[slot];
        for (uint b = 0; b < blocks + 2; ++b) {
            const ushort16 enter = valid_counts(image + (long)b * V - V, ignore + (long)b * V - V);
            JOIN(FIND, _slide)(columns + b * V, enter, entered[b]);
            if (any_set(as_ushort16(enter > (ushort16)harmless))) high[b] = row;
            entered[b] = enter;
        }
        slot = slot + 1 == DEPTH ? 0 : slot + 1;
        if (row < 2 * KY) continue;
        // Now `slot` is the oldest row.
        const uint middle = slot + KY < DEPTH ? slot + KY : slot + KY - DEPTH;
        global const SRC* here = image - (long)KY * pitch;
        global const uchar* ignored = ignore - (long)KY * pitch;
        uint word = 0;
        for (uint b = 0; b < blocks; ++b) {
            if (lately(high + b, row)) {
                const ushort16 candidates =
                    JOIN(FIND, _candidates)(ring[middle][b + 1], columns + (b + 1) * V - KX, spread);
                if (any_set(candidates))
                    word |= JOIN(FIND, _decided)(here + b * V, ignored + b * V, table, pitch,
                                                 bits_of(candidates))
                            << b % 2 * V;
            }
            if (b % 2 == 1 || b + 1 == blocks) {
                words[b / 2] = word;
                word = 0;
            }
        }
        words += WORDS_OF(shape);
    }
}
