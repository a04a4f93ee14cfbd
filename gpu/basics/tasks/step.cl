// The work of a task: a 32-bit number goes through a number of steps, each of which depends on the previous one.

uint advanced(uint x, const uint steps) {
    for (uint i = 0; i < steps; ++i) {
        x = x * 1664525u + 1013904223u;
        x ^= x >> 15;
    }
    return x;
}
