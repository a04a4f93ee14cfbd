#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/base/memory/kept_memory.h"
#include "core/base/memory/raw_vector.h"

namespace kept_memory_test {

using namespace ks;

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20;

TEST(KeptMemory, lends_again_what_was_given_back) {
    KeptMemory memory(64 * mebi);
    void* const first = memory.take(10 * mebi);
    EXPECT_EQ(memory.bytes(), 0u);
    memory.give_back(first, 10 * mebi);
    EXPECT_GE(memory.bytes(), 10 * mebi);
    // A need of nearly the same size has the same block, one of another size another.
    void* const second = memory.take(10 * mebi - 5);
    EXPECT_EQ(second, first);
    void* const other = memory.take(20 * mebi);
    EXPECT_NE(other, first);
    memory.give_back(second, 10 * mebi - 5);
    memory.give_back(other, 20 * mebi);
}

TEST(KeptMemory, lets_go_first_what_was_given_back_first) {
    KeptMemory memory(16 * mebi);
    std::vector<void*> blocks;
    for (int i = 0; i < 3; ++i) blocks.push_back(memory.take(8 * mebi));
    for (void* const block : blocks) memory.give_back(block, 8 * mebi);
    EXPECT_EQ(memory.bytes(), 16 * mebi);
    void *const last = memory.take(8 * mebi), *const before = memory.take(8 * mebi);
    EXPECT_EQ(last, blocks[2]);
    EXPECT_EQ(before, blocks[1]);
    EXPECT_EQ(memory.bytes(), 0u);
    memory.give_back(last, 8 * mebi);
    memory.give_back(before, 8 * mebi);
    void* const too_large = memory.take(32 * mebi);
    memory.give_back(too_large, 32 * mebi);
    EXPECT_LE(memory.bytes(), 16 * mebi);
    memory.give_back(memory.take(mebi), mebi);
    EXPECT_GT(memory.bytes(), 0u);
    memory.clear();
    EXPECT_EQ(memory.bytes(), 0u);
}

TEST(KeptMemory, vectors_of_several_threads_do_not_share_any) {
    std::vector<std::thread> threads;
    std::vector<std::size_t> wrong(4);
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([t, &wrong] {
            for (std::size_t turn = 0; turn < 50; ++turn) {
                RawVector<std::uint64_t> values(50'000 + 1000 * turn);
                const std::uint64_t own = 100 * t + turn;
                std::ranges::fill(values, own);
                std::this_thread::yield();
                wrong[t] += static_cast<std::size_t>(
                    std::ranges::count_if(values, [own](std::uint64_t value) { return value != own; }));
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::size_t of_thread : wrong) EXPECT_EQ(of_thread, 0u);
}

TEST(KeptMemory, a_vector_that_grows_keeps_its_values) {
    RawVector<std::uint32_t> values;
    for (std::uint32_t i = 0; i < 300'000; ++i) values.push_back(i);
    const RawVector<std::uint32_t> copy = values;
    for (std::uint32_t i = 0; i < 300'000; ++i) ASSERT_EQ(copy[i], i);
}

}  // namespace
}  // namespace kept_memory_test
