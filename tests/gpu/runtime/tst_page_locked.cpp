// Blocks of page-locked memory are lent to one at a time, and come back on whatever thread lets them go.

#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>

#include "core/base/array.h"
#include "gpu/runtime/page_locked.h"
#include "tests/gpu/runtime/on_first_device.h"

namespace {

using ks::gpu::PageLockedMemory;

class PageLocked : public ks::tests::OnFirstDevice {
  protected:
    void SetUp() override {
        OnFirstDevice::SetUp();
        if (IsSkipped()) return;
        memory = std::make_shared<PageLockedMemory>(context, cl::CommandQueue(context, found[0].device),
                                                    std::size_t{1} << 20);
    }
    std::shared_ptr<PageLockedMemory> memory;
};

TEST_F(PageLocked, a_block_is_lent_again_once_it_came_back) {
    auto first = memory->lend(300'000), second = memory->lend(300'000);
    ASSERT_TRUE(first && second);
    EXPECT_NE(first.get(), second.get());
    std::memset(first.get(), 1, 300'000);
    std::memset(second.get(), 2, 300'000);
    EXPECT_EQ(std::to_integer<int>(first[299'999]), 1);
    const std::size_t held = memory->bytes();
    const std::byte* const where = first.get();
    std::thread([one = std::move(first)]() mutable { one.reset(); }).join();
    const auto again = memory->lend(299'000);
    EXPECT_EQ(again.get(), where) << "a result of nearly the same size";
    EXPECT_EQ(memory->bytes(), held);
}

TEST_F(PageLocked, half_a_block_is_lent_and_less_than_that_is_not) {
    const std::byte* const where = memory->lend(400'000).get();
    EXPECT_EQ(memory->lend(250'000).get(), where);
    const std::size_t held = memory->bytes();
    EXPECT_NE(memory->lend(150'000).get(), where);
    EXPECT_GT(memory->bytes(), held) << "a small result holds no large block";
}

TEST_F(PageLocked, what_many_runs_did_not_use_goes_back_to_the_system) {
    memory->lend(400'000).reset();
    const auto held = memory->lend(100'000);
    for (std::uint64_t run = 0; run < PageLockedMemory::kept_for; ++run) memory->begin_run();
    EXPECT_GT(memory->bytes(), 500'000U);
    memory->begin_run();
    EXPECT_LT(memory->bytes(), 150'000U) << "only what is lent stays";
}

TEST_F(PageLocked, there_is_an_end_to_it) {
    auto held = memory->lend(700'000);
    ASSERT_TRUE(held);
    EXPECT_EQ(memory->lend(700'000), nullptr);
    EXPECT_EQ(memory->lend(std::size_t{1} << 40), nullptr);
    held.reset();
    EXPECT_TRUE(memory->lend(1'000'000)) << "a free block of another size makes room";
}

TEST_F(PageLocked, an_array_outlives_who_lent_its_memory) {
    ks::Array array = ks::Array::in(memory->lend(80'000), ks::ElementType::f64, {10'000});
    memory.reset();
    array.as<double>()[9'999] = 1.5;
    const ks::Array slice = array.slice(9'999, {1});
    array = ks::Array();
    EXPECT_EQ(slice.as<double>()[0], 1.5);
}

}  // namespace
