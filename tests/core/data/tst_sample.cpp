#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/data/sample.h"

namespace ks {
namespace {

std::vector<std::size_t> places_of(const Sample& sample) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < sample.places(); ++i) places.push_back(sample[i]);
    return places;
}

TEST(Sample, has_the_first_and_the_last_and_one_of_each_part) {
    for (const std::size_t size : {2U, 3U, 7U, 100U, 1001U, 65537U})
        for (const std::size_t wanted : {0U, 1U, 2U, 3U, 7U, 64U, 1000U}) {
            const std::vector<std::size_t> places = places_of(Sample(size, wanted));
            EXPECT_EQ(places.size(), std::min(size, std::max<std::size_t>(wanted, 2)));
            EXPECT_EQ(places.front(), 0U);
            EXPECT_EQ(places.back(), size - 1);
            const std::size_t least = size / places.size();
            for (std::size_t i = 1; i < places.size(); ++i) {
                EXPECT_LT(places[i - 1], places[i]) << size << " " << wanted;
                EXPECT_LE(places[i] - places[i - 1], 2 * least + 2) << size << " " << wanted;
            }
        }
}

TEST(Sample, follows_no_stride) {
    const Sample sample(10'000'000, 100'000);
    for (const std::size_t stride : {2U, 3U, 4U, 5U, 8U, 16U, 20U, 32U, 64U, 100U}) {
        std::map<std::size_t, std::size_t> of_remainder;
        for (const std::size_t place : places_of(sample)) ++of_remainder[place % stride];
        ASSERT_EQ(of_remainder.size(), stride);
        for (const auto& [remainder, count] : of_remainder)
            EXPECT_GT(count, sample.places() / stride / 2) << remainder << " of " << stride;
    }
}

TEST(Sample, of_a_few_elements_is_all_of_them) {
    EXPECT_EQ(places_of(Sample(0, 100)), std::vector<std::size_t>());
    EXPECT_EQ(places_of(Sample(1, 100)), std::vector<std::size_t>{0});
    EXPECT_EQ(places_of(Sample(3, 3)), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_TRUE(Sample(3, 100).is_all());
    EXPECT_TRUE(Sample::all(10).is_all());
    EXPECT_FALSE(Sample(10, 9).is_all());
}

}  // namespace
}  // namespace ks
