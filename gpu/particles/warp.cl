// Offers exchange within a warp on NVIDIA devices since sm_80, through PTX. A warp is 32 work-items, its
// lanes, that run together; all of them must call functions that return values of other lanes.

static inline float of_lane(const float v, const uint lane) {
    float other;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(other) : "f"(v), "r"(lane));
    return other;
}

// The sum over the 4 lanes that differ in the lowest bits of their numbers.
static inline float sum_of_quad(float v) {
    float other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=f"(other) : "f"(v));
    v += other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 2, 0x1f, 0xffffffff;" : "=f"(other) : "f"(v));
    return v + other;
}

static inline bool any_lane(const bool v) {
    uint any;
    asm volatile(
        "{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.any.pred p, p, 0xffffffff; selp.u32 %0, 1, 0, p;}"
        : "=r"(any)
        : "r"((uint)v));
    return any != 0;
}

// Two numbers as halves in a word, the first in its low bits.
static inline uint halves(const float first, const float second) {
    uint both;
    asm("cvt.rn.f16x2.f32 %0, %2, %1;" : "=r"(both) : "f"(first), "f"(second));
    return both;
}
static inline float first_half(const uint both) {
    float first;
    asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, low;}" : "=f"(first) : "r"(both));
    return first;
}

// d = A B of halves, 16 x 16 and 16 x 8, by the tensor cores. Lane 4 g + q has, with two numbers in a word:
//   a0, a1: A[g], A[g + 8] in columns 2 q and 2 q + 1; a2, a3: the same in columns 2 q + 8 and 2 q + 9
//   b0, b1: B[2 q .. 2 q + 1][g], B[2 q + 8 .. 2 q + 9][g]
//   d:      d[g][2 q .. 2 q + 1], d[g + 8][2 q .. 2 q + 1]
static inline void product(float d[4], const uint a0, const uint a1, const uint a2, const uint a3,
                           const uint b0, const uint b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %10, %10, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(0.0f));
}
