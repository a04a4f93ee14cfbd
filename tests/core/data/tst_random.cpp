#include "core/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>

using ks::Random;

namespace {

TEST(Random, PoissonNumbersHaveTheirMeanAndVariance) {
    for (const double mean : {0.02, 0.7, 5.0, 29.9, 30.0, 31.0, 200.0, 5000.0}) {
        Random random(1, static_cast<std::uint64_t>(mean * 100));
        constexpr int n = 400'000;
        double sum = 0, squares = 0;
        for (int i = 0; i < n; ++i) {
            const double off = static_cast<double>(random.poisson(mean)) - mean;
            sum += off;
            squares += off * off;
        }
        EXPECT_NEAR(sum / n, 0, 5 * std::sqrt(mean / n)) << mean;
        // The variance of (k - mean)^2 is mean + 2 mean^2.
        EXPECT_NEAR(squares / n, mean, 5 * std::sqrt((mean + 2 * mean * mean) / n)) << mean;
    }
    EXPECT_EQ(Random(1, 1).poisson(0), 0U);
}

TEST(Random, StreamsAreReproducibleAndDifferent) {
    std::set<std::uint64_t> first;
    for (std::uint64_t seed = 0; seed < 30; ++seed)
        for (std::uint64_t stream = 0; stream < 30; ++stream) {
            EXPECT_EQ(Random(seed, stream).next(), Random(seed, stream).next());
            first.insert(Random(seed, stream).next());
        }
    EXPECT_EQ(first.size(), 900U);
}

}  // namespace
