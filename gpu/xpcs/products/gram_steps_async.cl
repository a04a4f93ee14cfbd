// Products of counts of two bytes, in steps (gram_tensor_stepped.cl), by the asynchronous products of the tensor cores of sm_90a
// (wgmma m64nNk32), which read both operands from local memory: WG = 128 SPAN work-items; each four warps have 64 frames of
// a and all of b.
//
// A count is 256 H + L, and G = LL + 256 (LH + HL) + 65536 HH, where LH is the sum of the products of L and H. A step of 32 pixels
// consists of four pieces, the low bytes of a and b and their high bytes, and each is copied once for all products. In a piece,
// the halves of a row of 32 bytes are exchanged for every second group of four frames (regroup.cl), as the tensor cores want it
// ("32-byte swizzle"), so that they read eight rows without conflicts between banks.
//
// The sums LL, LH + HL and HH have 32 bits in registers. At the end, and each `flush` steps, before they could exceed 32 bits,
// they are added, times their factors, to G with 64 bits in global memory.
//
// No barrier of the group while steps are multiplied: pieces are counted when they have arrived, and steps when the warps have
// read them. One work-item asks for copies, while a step is being multiplied.

#if PLANES != 2 || STEP != 32 || WG != 128 * SPAN
#error "written for PLANES 2, STEP 32 and WG 128 SPAN"
#endif

#define WARPS (WG / 32)
#define PIECE_BYTES (FRAMES * STEP)
#define PIECE_WORDS (PIECE_BYTES / 16)
#define PIECES 11  // in local memory
#define READS 3    // steps whose reading is counted
#define STEP_WORDS (PIECES * PIECE_WORDS)
#define BARRIERS (PIECES + READS)
#define OF_ROW (FRAMES / 2)  // sums of each kind of a work-item
#define SUMS uint c[3][OF_ROW]

#define FOR_90A ".target sm_90a\n"  // the compiler writes PTX for sm_90, but it is assembled for the device
#define FOUR(c, n) "+r"((c)[n]), "+r"((c)[(n) + 1]), "+r"((c)[(n) + 2]), "+r"((c)[(n) + 3])
#define SIXTEEN(c, n) FOUR(c, n), FOUR(c, (n) + 4), FOUR(c, (n) + 8), FOUR(c, (n) + 12)
#if SPAN == 1
#define SHAPE "m64n64k32"
#define OPERANDS "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define DESCRIPTORS "%32, %33"
#define REGISTERS(c) SIXTEEN(c, 0), SIXTEEN(c, 16)
#else
#define SHAPE "m64n128k32"
#define OPERANDS "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define DESCRIPTORS "%64, %65"
#define REGISTERS(c) SIXTEEN(c, 0), SIXTEEN(c, 16), SIXTEEN(c, 32), SIXTEEN(c, 48)
#endif

static inline void multiply(uint c[OF_ROW], const ulong a, const ulong b) {
    asm volatile(FOR_90A "wgmma.mma_async.sync.aligned." SHAPE ".s32.u8.u8 {" OPERANDS "}, " DESCRIPTORS ", 1;"
                 : REGISTERS(c)
                 : "l"(a), "l"(b));
}

// Before the first product, and after a change of the sums.
static inline void open_products() { asm volatile(FOR_90A "wgmma.fence.sync.aligned;" ::: "memory"); }
static inline void close_products() { asm volatile(FOR_90A "wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Until at most `left` of those that were closed are under way.
#define WAIT_FOR_PRODUCTS(left) asm volatile(FOR_90A "wgmma.wait_group.sync.aligned " #left ";" ::: "memory")

// Of a piece from the row at `word` on: address, rows of eight 256 bytes apart, 32-byte swizzle.
static inline ulong descriptor(local const uint4* word) {
    return (LOCAL_ADDRESS(word) & 0x3ffff) >> 4 | 1UL << 16 | (256UL >> 4) << 32 | 3UL << 62;
}

// The same value for all work-items of a warp, and the compiler knows it.
static inline uint uniform(const uint value) {
    uint same;
    asm volatile("shfl.sync.idx.b32 %0, %1, 0, 31, -1;" : "=r"(same) : "r"(value));
    return same;
}

// No branches between products, which the compiler would let wait for each other: one work-item of a warp arrives.
static inline void arrive_if(const bool wanted, local ulong* counter) {
    asm volatile(
        "{\n"
        ".reg .pred wanted;\n"
        "setp.ne.u32 wanted, %1, 0;\n"
        "@wanted mbarrier.arrive.shared.b64 _, [%0];\n"
        "}" ::"r"(LOCAL_ADDRESS(counter)),
        "r"((uint)wanted)
        : "memory");
}

static inline void ask_if(const bool wanted, local uint4* to, global const uchar* from, local ulong* arrived) {
    asm volatile(
        "{\n"
        ".reg .pred wanted;\n"
        "setp.ne.u32 wanted, %4, 0;\n"
        "@wanted mbarrier.arrive.expect_tx.shared.b64 _, [%3], %2;\n"
        "@wanted cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n"
        "}" ::"r"(LOCAL_ADDRESS(to)),
        "l"(from), "r"(PIECE_BYTES), "r"(LOCAL_ADDRESS(arrived)), "r"((uint)wanted)
        : "memory");
}

static inline uint next_place(const uint place) { return place == PIECES - 1 ? 0 : place + 1; }

// Adds the sums of a work-item to G, or writes the first ones, and starts anew.
static inline void add_to_gram(SUMS, const bool first, global ulong* to) {
#pragma unroll
    for (uint n = 0; n < OF_ROW; n += 4)
#pragma unroll
        for (uint below = 0; below < 2; ++below) {
            global ulong* const at = to + 8 * below * FRAMES + 2 * n;
            const uint e = n + 2 * below;
            const ulong2 more = (ulong2)(c[0][e] + 256UL * c[1][e] + 65536UL * c[2][e],
                                         c[0][e + 1] + 256UL * c[1][e + 1] + 65536UL * c[2][e + 1]);
            vstore2(first ? more : vload2(0, at) + more, 0, at);
#pragma unroll
            for (uint p = 0; p < 3; ++p) c[p][e] = c[p][e + 1] = 0;
        }
}

// The products of all steps, in to_gram at the end. a, b: the first rows; words, barriers: of the group.
static inline void multiply_rows(SUMS, const Tile* tile, global const uchar* a, global const uchar* b, const bool diagonal,
                                 local uint4* words, local ulong* barriers, global ulong* to_gram) {
    const uint lid = get_local_id(0), warp = uniform(lid / 32), lane = lid % 32;
    const uint steps = uniform(tile->row / STEP), flush = uniform(tile->flush);  // exact: rows are multiples of 64
    const ulong of_plane = tile->step;
    local ulong *const arrived = barriers, *const read = barriers + PIECES;
    if (lid == 0) {
        for (uint n = 0; n < PIECES; ++n) start_barrier(arrived + n, 1);
        for (uint n = 0; n < READS; ++n) start_barrier(read + n, WARPS);
        show_barriers();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Pieces 0 to 3 of a step: low bytes of a and of b, high bytes of a and of b.
    uint asked = 0, asked_place = 0;
#define ASK_FOR_PIECE(n)                                                                       \
    ask_if(lid == 0 && asked < 4 * steps, words + asked_place * PIECE_WORDS,                   \
           ((n) % 2 == 0 ? a : b) + ((n) % 4 / 2 == 0 ? 0 : of_plane), arrived + asked_place); \
    ++asked, asked_place = next_place(asked_place);                                            \
    if ((n) % 4 == 3) a += 2 * of_plane, b += 2 * of_plane
#pragma unroll
    for (uint n = 0; n < PIECES; ++n) {
        ASK_FOR_PIECE(n);
    }

    to_gram += (warp * 16 + lane / 4) * FRAMES + 2 * (lane % 4);
    const uint of_a = warp / 4 * 64 * STEP / 16;  // the first row of these four warps
    uint place = 0, phase = 0;
    uint reading = 0, read_phase = 0;  // barrier of the step before
    for (uint begin = 0; begin < steps; begin += flush) {
        const uint end = min(begin + flush, steps);
        for (uint step = begin; step < end; ++step) {
            ulong of_piece[4];
#pragma unroll
            for (uint n = 0; n < 4; ++n) {
                wait_for(arrived + place, phase);
                of_piece[n] = descriptor(words + place * PIECE_WORDS + (n % 2 == 0 ? of_a : 0));
                place = next_place(place);
                phase ^= place == 0;
            }
            open_products();
            multiply(c[0], of_piece[0], of_piece[1]);
            multiply(c[1], of_piece[0], of_piece[3]);
            multiply(c[1], of_piece[2], of_piece[1]);
            multiply(c[2], of_piece[2], of_piece[3]);
            close_products();
            WAIT_FOR_PRODUCTS(1);
            if (step == 0) continue;
            arrive_if(lane == 0, read + reading);
            wait_for(read + reading, read_phase);
#pragma unroll
            for (uint n = PIECES; n < PIECES + 4; ++n) {
                ASK_FOR_PIECE(n);
            }
            reading = reading == READS - 1 ? 0 : reading + 1;
            read_phase ^= reading == 0;
        }
        WAIT_FOR_PRODUCTS(0);
        add_to_gram(c, begin == 0, to_gram);
    }
}
