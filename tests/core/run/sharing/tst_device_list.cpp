#include "core/devices/device_list.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.h"

namespace ks::tests {
namespace {

DeviceInfo device(int index, const char* name, const char* type) {
    DeviceInfo info;
    info.index = index;
    info.name = name;
    info.type = type;
    info.backend = info.type == "host" ? "host" : "opencl";
    info.global_bytes = 1200;
    return info;
}

const std::vector<DeviceInfo> machine{device(0, "Graphics A", "GPU"), device(1, "Graphics A", "GPU"),
                                      device(2, "Processor, 8 cores", "CPU"),
                                      device(-1, "Processor", "host")};

std::vector<int> chosen(const std::string& wanted) {
    std::vector<int> indices;
    for (const DeviceInfo& one : choose_devices(machine, wanted)) indices.push_back(one.index);
    return indices;
}

std::string refusal(const std::string& wanted, const std::vector<DeviceInfo>& devices = machine) {
    try {
        choose_devices(devices, wanted);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        return error.what();
    }
    return "taken";
}

}  // namespace

TEST(DeviceList, names_one_or_several) {
    EXPECT_EQ(chosen(""), std::vector{0});
    EXPECT_EQ(chosen("1"), std::vector{1});
    EXPECT_EQ(chosen("1,0"), (std::vector{1, 0}));
    EXPECT_EQ(chosen("gpu"), (std::vector{0, 1}));
    EXPECT_EQ(chosen("ALL"), (std::vector{0, 1, 2}));
    EXPECT_EQ(chosen("0,Processor"), (std::vector{0, 2}));
}

TEST(DeviceList, a_comma_in_a_name_makes_no_list) {
    EXPECT_EQ(chosen("Processor, 8"), std::vector{2});
}

TEST(DeviceList, a_device_that_is_named_again_has_contexts_of_its_own_and_parts_of_its_memory) {
    const auto devices = choose_devices(machine, "0,2,0,0");
    EXPECT_EQ(devices[0].context, 0U);
    EXPECT_EQ(devices[1].context, 0U);
    EXPECT_EQ(devices[2].context, 1U);
    EXPECT_EQ(devices[3].context, 2U);
    EXPECT_EQ(devices[3].global_bytes, 400U);
    EXPECT_EQ(devices[1].global_bytes, 1200U);
}

TEST(DeviceList, what_is_wrong_is_said) {
    EXPECT_NE(refusal("0,9").find("index 9"), std::string::npos) << refusal("0,9");
    EXPECT_NE(refusal("0,,1").find("comma"), std::string::npos) << refusal("0,,1");
    EXPECT_NE(refusal("0,").find("comma"), std::string::npos) << refusal("0,");
    EXPECT_NE(refusal("0,host").find("host"), std::string::npos) << refusal("0,host");
    EXPECT_NE(refusal("gpu", {machine[2], machine[3]}).find("no GPU"), std::string::npos);
    EXPECT_EQ(refusal("host,host"), "taken");
}

TEST(DeviceList, without_opencl_all_is_the_host) {
    const auto devices = choose_devices({machine[3]}, "all");
    ASSERT_EQ(devices.size(), 1U);
    EXPECT_EQ(devices[0].type, "host");
}

TEST(DeviceList, labels_tell_devices_of_one_name_apart) {
    EXPECT_EQ(labels_of(choose_devices(machine, "all")),
              (std::vector<std::string>{"Graphics A (1)", "Graphics A (2)", "Processor, 8 cores"}));
}

}  // namespace ks::tests
