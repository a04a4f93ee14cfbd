// Copies into local memory that NVIDIA devices of sm_90 and later make by themselves (cp.async.bulk), through inline PTX,
// and barriers in local memory (mbarrier) that count arrivals and the bytes of such copies, in phases of parity 0, 1, 0...

#define LOCAL_ADDRESS(p) ((uint)(size_t)(p))

static inline void start_barrier(local ulong* counter, const uint arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(LOCAL_ADDRESS(counter)), "r"(arrivals) : "memory");
}

// After start_barrier() and before a barrier of the group: copies see the barriers.
static inline void show_barriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
}

// Arrives, and the phase ends only after so many further bytes.
static inline void arrive_with_bytes(local ulong* counter, const uint bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(LOCAL_ADDRESS(counter)), "r"(bytes)
                 : "memory");
}

static inline void copy_bulk(local uint4* to, global const uchar* from, const uint bytes, local ulong* arrived) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     LOCAL_ADDRESS(to)),
                 "l"(from), "r"(bytes), "r"(LOCAL_ADDRESS(arrived))
                 : "memory");
}

// Until the phase of this parity has ended.
static inline void wait_for(local ulong* counter, const uint parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "AGAIN:\n"
        "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
        "@done bra ARRIVED;\n"
        "bra AGAIN;\n"
        "ARRIVED:\n"
        "}" ::"r"(LOCAL_ADDRESS(counter)),
        "r"(parity)
        : "memory");
}
