// Copies past the caches: every byte, and none beside, wherever both begin.

#include "core/base/streamed_copy.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace ks::tests {
namespace {

std::vector<std::byte> random_bytes(std::size_t count) {
    std::mt19937_64 random(7);
    std::vector<std::byte> bytes(count);
    for (std::byte& one : bytes) one = static_cast<std::byte>(random());
    return bytes;
}

}  // namespace

TEST(StreamedCopy, every_byte_and_none_beside) {
    constexpr std::size_t most = (std::size_t{1} << 20) + 777;  // two blocks and a part of one
    const std::vector<std::byte> from = random_bytes(most + 200);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64},
                                    std::size_t{65}, std::size_t{1000}, most})
        for (const std::size_t at : {0U, 1U, 16U, 63U, 64U, 100U})
            for (const unsigned threads : {1U, 2U}) {
                std::vector<std::byte> to(most + 200, std::byte{0xA5}), expected = to;
                const std::size_t read_at = (at * 7) % 100;
                for (std::size_t i = 0; i < count; ++i) expected[at + i] = from[read_at + i];
                streamed_copy(std::span(from).subspan(read_at, count), std::span(to).subspan(at, count),
                              threads);
                ASSERT_EQ(to, expected) << count << " bytes to " << at << " on " << threads << " threads";
            }
}

}  // namespace ks::tests
