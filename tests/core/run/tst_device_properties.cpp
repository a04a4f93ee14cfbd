#include <gtest/gtest.h>

#include "core/devices/device_property.h"

using ks::DeviceProperty;

namespace {

std::string shown(nlohmann::json value, const std::string& unit = "") {
    return ks::value_text({"id", "Label", "Group", unit, std::move(value)});
}

}  // namespace

TEST(DeviceProperties, values_are_told_by_their_kind) {
    EXPECT_EQ(shown(true), "yes");
    EXPECT_EQ(shown(false), "no");
    EXPECT_EQ(shown("PoCL"), "PoCL");
    EXPECT_EQ(shown(2100U, "MHz"), "2100 MHz");
    EXPECT_EQ(shown(std::uint64_t{0}, "B"), "0 B");
    EXPECT_EQ(shown(std::uint64_t{1023}, "B"), "1023 B");
    EXPECT_EQ(shown(std::uint64_t{49152}, "B"), "48 KiB (49152 B)");
    EXPECT_EQ(shown(std::uint64_t{150'121'545'728}, "B"), "139.8 GiB (150121545728 B)");
    EXPECT_EQ(shown({1024, 1024, 64}), "1024 x 1024 x 64");
    EXPECT_EQ(shown({"fma", "denormals"}), "fma, denormals");
    EXPECT_EQ(shown(nlohmann::json::array()), "none");
}

TEST(DeviceProperties, json_has_them_by_their_names_and_text_below_their_groups) {
    ks::DeviceInfo device;
    device.index = 0;
    device.name = "Fast";
    const std::vector<DeviceProperty> said{
        {"platform_name", "Platform", "Platform", "", "Open"},
        {"name", "Name", "Device", "", "Fast"},
        {"available", "Available", "Device", "", true},
        {"max_work_item_sizes", "Largest local sizes", "Compute", "", {8, 8, 8}},
        {"extensions", "Extensions", "Extensions", "", {"cl_khr_fp64", "cl_khr_icd"}}};
    const nlohmann::json json = ks::device_json(device, said);
    EXPECT_EQ(json.at("name"), "Fast");
    EXPECT_EQ(json.at("properties").at("available"), true);
    EXPECT_EQ(json.at("properties").at("max_work_item_sizes"), (nlohmann::json{8, 8, 8}));
    EXPECT_EQ(ks::device_text(device, said),
              "  device 0: Fast\n"
              "    Device\n"
              "      Available                        yes\n"
              "    Compute\n"
              "      Largest local sizes              8 x 8 x 8\n"
              "    Extensions\n"
              "      Extensions                       cl_khr_fp64, cl_khr_icd\n");
}

TEST(DeviceProperties, they_travel) {
    const DeviceProperty one{"max_work_item_sizes", "Largest local sizes", "Compute", "", {8, 8, 8}};
    const auto again = ks::from_json<DeviceProperty>(ks::to_json(one), "a property");
    EXPECT_EQ(again.id, one.id);
    EXPECT_EQ(again.value, one.value);
}
