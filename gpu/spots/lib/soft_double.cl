// Doubles emulated with integers, for devices without them: positive values m 2^e with 2^52 <= m < 2^53, or 0. Every
// operation rounds once, to nearest, ties to even, as in IEEE 754; exponents are unbounded.

typedef struct {
    ulong m;
    int e;
} soft;

// (high 2^64 + low) 2^e, and slightly more if `more`; more needs at least 54 bits of value.
static inline soft soft_rounded(ulong high, ulong low, const bool more, int e) {
    soft result = {0, 0};
    if ((high | low) == 0) return result;
    const int length = high != 0 ? 128 - (int)clz(high) : 64 - (int)clz(low);
    int drop = length - 53;
    if (drop <= 0) {
        result.m = low << -drop;
        result.e = e + drop;
        return result;
    }
    ulong kept, half_bit;
    bool rest = more;
    if (drop > 64) {
        kept = high >> (drop - 64);
        half_bit = high >> (drop - 65) & 1;
        rest = rest || low != 0 || (high & (((ulong)1 << (drop - 65)) - 1)) != 0;
    } else if (drop == 64) {
        kept = high;
        half_bit = low >> 63;
        rest = rest || low << 1 != 0;
    } else {
        kept = low >> drop | high << (64 - drop);
        half_bit = low >> (drop - 1) & 1;
        rest = rest || (low & (((ulong)1 << (drop - 1)) - 1)) != 0;
    }
    if (half_bit != 0 && (rest || (kept & 1) != 0)) ++kept;
    if (kept >> 53 != 0) {
        kept >>= 1;
        ++drop;
    }
    result.m = kept;
    result.e = e + drop;
    return result;
}

static inline soft soft_of(const ulong value) {
    return soft_rounded(0, value, false, 0);
}

// From the bits of a double; infinity becomes 2^1024 or more, which is larger than everything it is compared with.
static inline soft soft_of_bits(const ulong bits) {
    const ulong fraction = bits & (((ulong)1 << 52) - 1);
    const int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0) return soft_rounded(0, fraction, false, -1074);
    const soft result = {fraction | (ulong)1 << 52, exponent == 0x7ff ? 4000 : exponent - 1075};
    return result;
}

static inline soft soft_product(const soft a, const soft b) {
    return soft_rounded(mul_hi(a.m, b.m), a.m * b.m, false, a.e + b.e);
}

static inline soft soft_root(const soft a) {
    if (a.m == 0) return a;
    // m 2^e = n 2^(e - shift) with e - shift even and n of 109 or 110 bits: a root of 55 bits, digit by digit.
    const int shift = (a.e & 1) == 0 ? 56 : 57;
    const ulong high = a.m >> (64 - shift), low = a.m << shift;
    ulong root = 0;
    for (ulong bit = (ulong)1 << 54; bit != 0; bit >>= 1) {
        const ulong next = root | bit, top = mul_hi(next, next), bottom = next * next;
        if (top < high || (top == high && bottom <= low)) root = next;
    }
    const bool more = mul_hi(root, root) != high || root * root != low;
    return soft_rounded(0, root, more, (a.e - shift) / 2);
}

static inline bool soft_greater(const soft a, const soft b) {
    if (a.m == 0 || b.m == 0) return a.m != 0;
    return a.e != b.e ? a.e > b.e : a.m > b.m;
}
