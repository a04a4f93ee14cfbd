// The work of a task: a number of 32 bits goes through so many steps, each of which needs the one before.

uint advanced(uint x, const uint steps) {
    for (uint i = 0; i < steps; ++i) {
        x = x * 1664525u + 1013904223u;
        x ^= x >> 15;
    }
    return x;
}
