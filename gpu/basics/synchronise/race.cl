// An exhibit: groups raise one counter without asking who else does, and another one by an atomic function.
// Between groups no barrier helps, so what += counts differs from run to run.
// NDRange: dimension 0 is the item, groups of one item; no local memory.

kernel void count(const uint increments, volatile global uint* plain, volatile global uint* atomic) {
    for (uint i = 0; i < increments; ++i) {
        *plain += 1;
        atomic_add(atomic, 1);
    }
}
