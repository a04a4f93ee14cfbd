// Tables of a run are on the device for the next one where their content is the same, and never otherwise.

#include <memory>
#include <vector>

#include "gpu/runtime/device_context.h"
#include "tests/gpu/runtime/on_first_device.h"

namespace {

using ks::gpu::Buffer;
using ks::gpu::DeviceMemory;
using ks::gpu::TableCache;

class TablesOfRuns : public ks::tests::OnFirstDevice {
  protected:
    void SetUp() override {
        OnFirstDevice::SetUp();
        if (!IsSkipped()) memory = std::make_shared<DeviceMemory>(context, 0);
    }
    static TableCache::Key key(std::size_t bytes, unsigned char value) {
        const std::vector<std::byte> content(bytes, std::byte{value});
        return TableCache::key_of(content);
    }
    std::shared_ptr<const Buffer> keep(TableCache& tables, unsigned char value, std::uint64_t bytes = 100) {
        return tables.keep(key(100, value), Buffer(memory, bytes));
    }
    std::shared_ptr<DeviceMemory> memory;
};

TEST_F(TablesOfRuns, a_key_is_of_all_bytes_and_their_number) {
    EXPECT_EQ(key(100, 1), key(100, 1));
    EXPECT_NE(key(100, 1), key(100, 2));
    EXPECT_NE(key(100, 0), key(101, 0));
    std::vector<std::byte> last(100, std::byte{1});
    last.back() = std::byte{2};
    EXPECT_NE(TableCache::key_of(last), key(100, 1));
}

TEST_F(TablesOfRuns, are_found_by_content_until_they_were_not_used_for_longest) {
    TableCache tables;
    EXPECT_FALSE(tables.find(key(100, 1)));
    const auto one = keep(tables, 1);
    EXPECT_EQ(tables.find(key(100, 1)), one);
    EXPECT_FALSE(tables.find(key(100, 2)));
    for (unsigned char value = 2; value < 65; ++value) {
        keep(tables, value);
        EXPECT_TRUE(tables.find(key(100, 1))) << "used between";
    }
    EXPECT_TRUE(tables.find(key(100, 1)));
    keep(tables, 65);
    EXPECT_FALSE(tables.find(key(100, 2))) << "64 are kept";
    EXPECT_EQ(tables.find(key(100, 1)), one);
    tables.clear();
    EXPECT_FALSE(tables.find(key(100, 1)));
    EXPECT_EQ(memory->held(), 100U) << "who holds one has it";
}

TEST_F(TablesOfRuns, hold_few_bytes_of_the_device) {
    TableCache tables;
    for (unsigned char value = 0; value < 20; ++value) keep(tables, value, TableCache::largest);
    EXPECT_EQ(memory->held(), std::uint64_t{16} << 20);
    EXPECT_TRUE(tables.find(key(100, 19)));
    EXPECT_FALSE(tables.find(key(100, 3)));
}

}  // namespace
