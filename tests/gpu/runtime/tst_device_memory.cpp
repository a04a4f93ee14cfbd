// Buffers that a run gave back are taken again by later ones, and by nobody while commands may still use
// them.

#include <memory>
#include <utility>

#include "gpu/runtime/device_memory.h"
#include "tests/gpu/runtime/on_first_device.h"

namespace {

using ks::gpu::Buffer;
using ks::gpu::DeviceMemory;

class DeviceMemoryOfARun : public ks::tests::OnFirstDevice {
  protected:
    void SetUp() override {
        OnFirstDevice::SetUp();
        if (!IsSkipped()) memory = std::make_shared<DeviceMemory>(context, 1000);
    }
    /// A buffer that is given back at once. Who holds it sees to it that no other one gets its address.
    cl::Buffer passing(std::uint64_t bytes) const { return Buffer(memory, bytes).cl(); }
    std::shared_ptr<DeviceMemory> memory;
};

TEST_F(DeviceMemoryOfARun, a_buffer_is_taken_again_by_the_next_run_alone) {
    memory->begin_run(true);
    const Buffer held(memory, 300);
    const cl::Buffer first = passing(400);
    EXPECT_NE(passing(400)(), first()) << "commands of this run may still use it";
    EXPECT_EQ(memory->held(), 300U);
    EXPECT_EQ(memory->peak(), 700U);
    memory->end_run();
    memory->begin_run(true);
    EXPECT_EQ(memory->peak(), 300U);
    const Buffer again(memory, 400), other(memory, 400);
    EXPECT_NE(again.cl()(), other.cl()());
    EXPECT_TRUE(again.cl()() == first() || other.cl()() == first());
    EXPECT_EQ(memory->held(), 1100U);
}

TEST_F(DeviceMemoryOfARun, what_is_no_buffer_counts_while_it_lives) {
    memory->begin_run(true);
    const Buffer buffer(memory, 300);
    {
        ks::gpu::HeldBytes image(memory, 5000);
        const ks::gpu::HeldBytes moved(std::move(image));
        EXPECT_EQ(memory->held(), 5300U);
    }
    EXPECT_EQ(memory->held(), 300U);
    EXPECT_EQ(memory->peak(), 5300U);
}

TEST_F(DeviceMemoryOfARun, a_large_buffer_is_taken_again_for_nearly_as_many_bytes) {
    constexpr std::uint64_t large = 3'000'000;
    memory = std::make_shared<DeviceMemory>(context, std::uint64_t{1} << 30);
    memory->begin_run(true);
    const cl::Buffer first = passing(large);
    memory->end_run();
    memory->begin_run(true);
    const Buffer again(memory, large - 10'000), smaller(memory, large / 2);
    EXPECT_EQ(again.cl()(), first());
    EXPECT_EQ(again.bytes(), large - 10'000);
    EXPECT_NE(smaller.cl()(), first());
    EXPECT_EQ(memory->held(), large - 10'000 + large / 2) << "what was asked for counts";
}

TEST_F(DeviceMemoryOfARun, what_a_run_with_a_limit_took_is_of_its_size) {
    constexpr std::uint64_t large = 3'000'001;
    memory = std::make_shared<DeviceMemory>(context, std::uint64_t{1} << 30);
    memory->begin_run(false);
    EXPECT_EQ(Buffer(memory, large).cl().getInfo<CL_MEM_SIZE>(), large);
}

TEST_F(DeviceMemoryOfARun, nothing_is_kept_over_the_limit_or_where_the_run_has_one) {
    const auto kept = [this](bool keeps, std::uint64_t bytes) {
        memory->begin_run(keeps);
        const cl::Buffer given = passing(bytes);
        memory->end_run();
        memory->begin_run(true);
        return Buffer(memory, bytes).cl()() == given();
    };
    EXPECT_TRUE(kept(true, 1000));
    EXPECT_FALSE(kept(true, 1001));
    EXPECT_FALSE(kept(false, 1000));
}

TEST_F(DeviceMemoryOfARun, what_an_abandoned_run_gave_back_is_freed) {
    memory->begin_run(true);
    const cl::Buffer given = passing(400);
    memory->abandon_run();
    memory->end_run();
    memory->begin_run(true);
    EXPECT_NE(Buffer(memory, 400).cl()(), given());
    EXPECT_EQ(memory->held(), 0U);
}

}  // namespace
