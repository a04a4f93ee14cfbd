#include "core/devices/device_info.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/devices/device_id.h"

namespace {

using namespace ks;

DeviceInfo device(int index, const std::string& type, const std::string& name) {
    DeviceInfo info;
    info.index = index;
    info.type = type;
    info.name = name;
    info.backend = type == "host" ? "host" : "opencl";
    return info;
}

std::vector<DeviceInfo> all() {
    return {device(0, "CPU", "pthread-Intel Xeon i9"), device(1, "GPU", "NVIDIA RTX 4090"),
            device(2, "GPU", "NVIDIA H200"), device(-1, "host", "Intel Xeon i9, 2 threads")};
}

TEST(ChooseDevice, TheDefaultIsGpuThenCpuThenTheFirst) {
    EXPECT_EQ(choose_device(all(), "").index, 1);
    const std::vector<DeviceInfo> cpu{device(-1, "host", "h"), device(0, "CPU", "c")};
    EXPECT_EQ(choose_device(cpu, "").index, 0);
    const std::vector<DeviceInfo> other{device(0, "accelerator", "a"), device(-1, "host", "h")};
    EXPECT_EQ(choose_device(other, "").index, 0);
}

TEST(ChooseDevice, TakesAnIndexAPartOfANameOrHost) {
    const auto devices = all();
    EXPECT_EQ(choose_device(devices, "2").index, 2);
    EXPECT_EQ(choose_device(devices, "h200").index, 2);
    EXPECT_EQ(choose_device(devices, "4090").index, 1);
    EXPECT_EQ(choose_device(devices, "host").index, -1);
    EXPECT_EQ(choose_device(devices, "HOST").index, -1);
}

TEST(ChooseDevice, TheHostIsNotMeantByTheNameOfItsProcessorWhereADeviceBearsItToo) {
    EXPECT_EQ(choose_device(all(), "xeon").index, 0);
    EXPECT_EQ(choose_device(all(), "threads").index, -1);
}

TEST(DeviceId, NamesADeviceAsRequestsDoAndTheHostWhateverItsIndex) {
    const auto devices = all();
    for (const DeviceInfo& one : devices) {
        EXPECT_EQ(&choose_device(devices, DeviceId(one).text()), &one);
        EXPECT_EQ(DeviceId(one).is_host(), one.name.find("threads") != std::string::npos);
    }
    EXPECT_EQ(DeviceId(device(2, "GPU", "a")).text(), "2");
    EXPECT_EQ(DeviceId(device(-1, "host", "a")).text(), "host");
    EXPECT_EQ(DeviceId(device(3, "host", "a")), DeviceId(device(-1, "host", "b")));
    EXPECT_EQ(DeviceId(device(1, "GPU", "a")), DeviceId(device(1, "GPU", "in another context")));
    EXPECT_NE(DeviceId(device(1, "GPU", "a")), DeviceId(device(0, "GPU", "a")));
    EXPECT_NE(DeviceId(device(0, "CPU", "a")), DeviceId(device(-1, "host", "a")));
}

TEST(ChooseDevice, AnIndexThatDoesNotExistIsNoPartOfAName) {
    EXPECT_THROW(choose_device(all(), "9"), Error);
}

TEST(ChooseDevice, NoneOrSeveralMatchesListTheNames) {
    for (const char* wanted : {"nvidia", "radeon", "7"}) {
        try {
            choose_device(all(), wanted);
            ADD_FAILURE() << wanted;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            EXPECT_NE(std::string(error.what()).find("2 = NVIDIA H200"), std::string::npos) << error.what();
        }
    }
    EXPECT_THROW(choose_device({}, ""), Error);
}

TEST(DeviceInfo, TitleAndExtensions) {
    DeviceInfo info = device(0, "GPU", "NVIDIA H200");
    EXPECT_EQ(info.title(), "NVIDIA H200");
    info.driver = "580.95";
    EXPECT_EQ(info.title(), "NVIDIA H200 (580.95)");
    info.extensions = {"cl_khr_fp64"};
    EXPECT_TRUE(info.has_extension("cl_khr_fp64"));
    EXPECT_FALSE(info.has_extension("cl_khr_fp"));
}

}  // namespace
