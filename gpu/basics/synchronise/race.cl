// A demonstration: groups increment one counter without synchronisation, and another one by an atomic
// function. No barrier works between groups, so the count of += differs from run to run.
// NDRange: dimension 0 is the item, groups of one item; no local memory.

kernel void count(const uint increments, volatile global uint* plain, volatile global uint* atomic) {
    for (uint i = 0; i < increments; ++i) {
        *plain += 1;
        atomic_add(atomic, 1);
    }
}
