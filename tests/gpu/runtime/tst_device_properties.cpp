#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gpu/runtime/device_query.h"

namespace {

const ks::DeviceProperty* find(const std::vector<ks::DeviceProperty>& all, const std::string& id) {
    const auto found = std::ranges::find(all, id, &ks::DeviceProperty::id);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

TEST(DeviceProperties, every_device_answers_what_both_documents_ask) {
    const std::vector<ks::gpu::FoundDevice> devices = ks::gpu::find_devices();
    if (devices.empty()) GTEST_SKIP() << "no OpenCL device";
    for (const ks::gpu::FoundDevice& device : devices) {
        const auto all = ks::gpu::device_properties(device.platform, device.device);
        for (const char* id : {"platform_name",
                               "platform_vendor",
                               "platform_version",
                               "platform_profile",
                               "platform_extensions",
                               "name",
                               "type",
                               "vendor",
                               "driver_version",
                               "version",
                               "extensions",
                               "max_clock_frequency",
                               "max_compute_units",
                               "local_mem_size",
                               "max_constant_buffer_size",
                               "global_mem_size",
                               "max_mem_alloc_size",
                               "max_work_group_size",
                               "max_work_item_dimensions",
                               "max_work_item_sizes",
                               "available",
                               "image_support",
                               "image2d_max_width",
                               "preferred_vector_width_float",
                               "native_vector_width_float",
                               "global_mem_cacheline_size",
                               "global_mem_cache_size",
                               "endian_little",
                               "host_unified_memory",
                               "profiling_timer_resolution",
                               "single_fp_config"})
            EXPECT_NE(find(all, id), nullptr) << id << " of " << device.info.name;
        EXPECT_EQ(find(all, "name")->value, device.info.name);
        EXPECT_EQ(find(all, "driver_version")->value, device.info.driver);
        EXPECT_EQ(find(all, "global_mem_size")->value, device.info.global_bytes);
        EXPECT_EQ(find(all, "max_work_item_sizes")->value.size(),
                  find(all, "max_work_item_dimensions")->value.get<std::size_t>());
        EXPECT_EQ(find(all, "extensions")->value.get<std::vector<std::string>>(), device.info.extensions);
        EXPECT_TRUE(find(all, "available")->value.get<bool>());
        std::set<std::string> ids;
        for (const ks::DeviceProperty& one : all) EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    }
}
