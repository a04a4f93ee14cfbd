// Unpacks digis as transferred over the bus into the columns that the labellers read. Rows are those of a chunk.
//
// words: one per digi, from the lowest bit: slot of the chunk (`slots`: none), x, y, adc, of bits.x, bits.y, bits.z
//        bits and the rest. ADC 0: there is none; 2: it has its own word of 32 bits.
//
// NDRange: 1 dimension, one item per digi of the part.

#ifndef ADC
#define ADC 1
#endif
#define NO_SLOT 0xffffffffu

static inline uint bits_of(const ulong word, const uint first, const uint count) {
    return (uint)(word >> first & (((ulong)1 << count) - 1));
}

kernel void unpack_digis(global const ulong* words, global const uint* adc_apart, global uint* slot,
                         global ushort* x, global ushort* y, global uint* adc, const uint part_rows,
                         const uint part_first, const uint first_slot, const uint slots,
                         const uint4 bits) {
    const uint i = get_global_id(0);
    if (i >= part_rows) return;
    const ulong word = words[i];
    const uint row = part_first + i, s = bits_of(word, 0, bits.x);
    slot[row] = s == slots ? NO_SLOT : s + first_slot;
    x[row] = (ushort)bits_of(word, bits.x, bits.y);
    y[row] = (ushort)bits_of(word, bits.x + bits.y, bits.z);
#if ADC == 1
    adc[row] = (uint)(word >> (bits.x + bits.y + bits.z));
#elif ADC == 2
    adc[row] = adc_apart[i];
#endif
}
