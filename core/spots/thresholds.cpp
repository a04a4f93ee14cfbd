#include "core/spots/thresholds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ks::spots {
namespace {

__extension__ typedef __int128 SignedWide;

/// y <= q x for counts of at most q, so m y - x^2 > g x (m - 1 + noise) needs m q > x + g (m - 1 + noise) and
/// x >= 1: the largest q that fails for every m.
std::uint32_t harmless_count(const std::vector<double>& noise, double gain) {
    double minimum = std::numeric_limits<double>::infinity();
    for (std::size_t m = 2; m < noise.size(); ++m) {
        const auto n = static_cast<double>(m);
        minimum = std::min(minimum, (1 + gain * (n - 1 + noise[m])) / n);
    }
    // Slightly less, to allow for rounding in the test itself.
    const double q = std::floor(minimum * (1 - 1e-9));
    return q < 0 ? 0 : static_cast<std::uint32_t>(std::min(q, 4294967295.0));
}

}  // namespace

DispersionTest::DispersionTest(const Thresholds& thresholds)
    : sigma_s_(thresholds.sigma_s), gain_(thresholds.gain) {
    noise_.push_back(0);
    for (int m = 1; m <= thresholds.window(); ++m)
        noise_.push_back(thresholds.sigma_b * std::sqrt(2.0 * (m - 1)));
    never_ = harmless_count(noise_, gain_);
}

bool DispersionTest::beyond(double excess, double spread, std::uint32_t m, double x) const {
    if (gain_ == 1) return excess > x * noise_[m];
    return spread > gain_ * x * (static_cast<double>(m - 1) + noise_[m]);
}

bool DispersionTest::dispersed(std::uint32_t m, std::uint64_t x, Wide y) const {
    const auto spread = static_cast<SignedWide>(m * y) - static_cast<SignedWide>(Wide{x} * x);
    const SignedWide excess = spread - static_cast<SignedWide>(Wide{x} * (m - 1));
    return beyond(static_cast<double>(excess), static_cast<double>(spread), m, static_cast<double>(x));
}

bool DispersionTest::dispersed(std::uint32_t m, double x, double y) const {
    const double spread = m * y - x * x;
    return x >= 0 && beyond(spread - x * (m - 1), spread, m, x);
}

bool DispersionTest::strong(std::uint32_t m, std::uint64_t x, std::uint32_t p) const {
    const std::int64_t excess =
        static_cast<std::int64_t>(std::uint64_t{m} * p) - static_cast<std::int64_t>(x);
    return static_cast<double>(excess) > sigma_s_ * std::sqrt(gain_ * static_cast<double>(x) * m);
}

bool DispersionTest::strong(std::uint32_t m, double x, double p) const {
    return m * p - x > sigma_s_ * std::sqrt(gain_ * x * m);
}

}  // namespace ks::spots
