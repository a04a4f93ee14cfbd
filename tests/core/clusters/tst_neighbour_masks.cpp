// Masks of neighbours, of every kind that this processor has, against comparisons of all pairs.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>

#include "core/clusters/labelling/neighbour_masks.h"

using namespace ks::clusters;

TEST(NeighbourMasks, say_which_digis_touch_and_which_lie_at_the_same_pixel) {
    const auto kinds = find_neighbours_here();
    if (kinds.empty()) GTEST_SKIP() << "this processor has neither AVX2 nor AVX-512BW";
    std::mt19937 random(5);
    for (int trial = 0; trial < 300; ++trial) {
        const std::size_t digis = 1 + random() % 64;
        const int range = trial % 3 == 0 ? 65534 : 3 + static_cast<int>(random() % 20);
        std::uint16_t x[64] = {}, y[64] = {};
        for (std::size_t i = 0; i < digis; ++i) {
            // the borders of the range among them
            x[i] = static_cast<std::uint16_t>(
                random() % 4 == 0 ? 0 : random() % static_cast<unsigned>(range + 1));
            y[i] = static_cast<std::uint16_t>(random() % 4 == 0 ? range : static_cast<int>(random() % 3));
        }
        for (const bool corners : {true, false}) {
            NeighbourMasks expected{};
            for (std::size_t i = 0; i < digis; ++i)
                for (std::size_t j = 0; j < digis; ++j) {
                    const int dx = std::abs(x[i] - x[j]), dy = std::abs(y[i] - y[j]);
                    if (dx <= 1 && dy <= 1 && (corners || dx + dy <= 1))
                        expected.near[i] |= std::uint64_t{1} << j;
                    if (i != j && dx + dy == 0) expected.copies |= std::uint64_t{1} << i;
                }
            for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
                NeighbourMasks found{};
                kinds[kind](x, y, digis, corners, found);
                EXPECT_EQ(found.copies, expected.copies) << "kind " << kind << ", trial " << trial;
                for (std::size_t i = 0; i < digis; ++i)
                    ASSERT_EQ(found.near[i], expected.near[i]) << "kind " << kind << ", trial " << trial;
            }
        }
    }
}
