// Offers an addition that keeps the part a float addition loses (Kahan): sum + lost is the sum.
static inline void compensate(REAL* sum, REAL* lost, const REAL term) {
    const REAL corrected = term + *lost;
    const REAL next = *sum + corrected;
    *lost = corrected - (next - *sum);
    *sum = next;
}
