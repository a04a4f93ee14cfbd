// The product m16n8k32 of the tensor cores of NVIDIA devices (sm_80 and later) through inline PTX: u8, 32-bit sums.

static inline void mma(uint c[4], const uint a0, const uint a1, const uint a2, const uint a3, const uint b0,
                       const uint b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
