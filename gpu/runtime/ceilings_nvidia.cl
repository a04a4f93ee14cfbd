// Chains of operations that OpenCL C has no name for, through PTX of NVIDIA devices since sm_80: dot products of bytes,
// and matrix products by a warp of 32 work-items. As in ceilings.cl, only the time that they take is of any use.
//
// NDRange: dimension 0: groups of WG work-items; no local memory.
//   CHAINS      independent chains per work-item (per warp)
// A launch does `rounds` times 8 steps in each chain. `a` are the bits of the operands: small numbers, so that sums of
// floats stay finite.
#ifndef WG
#define WG 256
#endif
#ifndef CHAINS
#define CHAINS 8
#endif
#define GROUPED __attribute__((reqd_work_group_size(WG, 1, 1)))

#define STEPS(STEP)                                                    \
    for (uint r = 0; r < rounds; ++r) {                                \
        _Pragma("unroll") for (uint u = 0; u < 8; ++u) {               \
            _Pragma("unroll") for (uint c = 0; c < CHAINS; ++c) STEP; \
        }                                                              \
    }

// x += the sum of 4 products of bytes of x and a.
kernel GROUPED void dot_bytes(global uint* out, const uint a, const uint rounds) {
    uint x[CHAINS], all = 0;
#pragma unroll
    for (uint c = 0; c < CHAINS; ++c) x[c] = a + c;
    STEPS(asm volatile("dp4a.u32.u32 %0, %0, %1, %0;" : "+r"(x[c]) : "r"(a)))
#pragma unroll
    for (uint c = 0; c < CHAINS; ++c) all += x[c];
    out[get_global_id(0)] = all;
}

// d += A B, with d of 16 x 8 numbers, four per lane; every element of A and B is `a`.
#define MATRIX_UNITS(name, NUMBER, letter, operation, operands)                                           \
    kernel GROUPED void name(global NUMBER* out, const uint a, const uint rounds) {                       \
        NUMBER d[CHAINS][4], all = 0;                                                                     \
        _Pragma("unroll") for (uint c = 0; c < CHAINS; ++c) d[c][0] = d[c][1] = d[c][2] = d[c][3] = c;    \
        STEPS(asm volatile("mma.sync.aligned." operation " {%0, %1, %2, %3}, " operands                   \
                           ", {%0, %1, %2, %3};"                                                          \
                           : "+" letter(d[c][0]), "+" letter(d[c][1]), "+" letter(d[c][2]),               \
                             "+" letter(d[c][3])                                                          \
                           : "r"(a)))                                                                     \
        _Pragma("unroll") for (uint c = 0; c < CHAINS; ++c) all += d[c][0] + d[c][1] + d[c][2] + d[c][3]; \
        out[get_global_id(0)] = all;                                                                      \
    }

MATRIX_UNITS(matrices_tf32, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32", "{%4, %4, %4, %4}, {%4, %4}")
MATRIX_UNITS(matrices_f16, float, "f", "m16n8k16.row.col.f32.f16.f16.f32", "{%4, %4, %4, %4}, {%4, %4}")
MATRIX_UNITS(matrices_u8, uint, "r", "m16n8k32.row.col.s32.u8.u8.s32", "{%4, %4, %4, %4}, {%4, %4}")
