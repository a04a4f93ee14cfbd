#include "core/run/tuning_table.h"

#include <gtest/gtest.h>

namespace {

using namespace ks;
using Defines = std::map<std::string, std::string>;

DeviceInfo device(const std::string& type, const std::string& name) {
    DeviceInfo info;
    info.type = type;
    info.name = name;
    return info;
}

TEST(TuningTable, TheMostSpecificRowWinsPerDefine) {
    const TuningTable table({{"gram", "H200", "", {{"TILE", "128"}}},
                             {"gram", "", "", {{"TILE", "16"}, {"WIDE", "1"}, {"ROWS", "2"}}},
                             {"gram", "GPU", "", {{"TILE", "64"}, {"WIDE", "4"}}},
                             {"gram", "GPU", "u8", {{"TILE", "96"}, {"WIDE", "8"}}},
                             {"other", "H200", "u8", {{"TILE", "1"}}},
                             {"gram", "", "u16", {{"ROWS", "3"}}}});
    EXPECT_EQ(table.lookup("gram", device("GPU", "NVIDIA H200"), ElementType::u8),
              (Defines{{"TILE", "128"}, {"WIDE", "8"}, {"ROWS", "2"}}));
    EXPECT_EQ(table.lookup("gram", device("GPU", "Radeon"), ElementType::u16),
              (Defines{{"TILE", "64"}, {"WIDE", "4"}, {"ROWS", "3"}}));
    EXPECT_EQ(table.lookup("gram", device("CPU", "pthread"), ElementType::u8),
              (Defines{{"TILE", "16"}, {"WIDE", "1"}, {"ROWS", "2"}}));
    EXPECT_TRUE(table.lookup("absent", device("GPU", "NVIDIA H200"), ElementType::u8).empty());
}

TEST(TuningTable, CpuIsATypeAndNoPartOfAName) {
    const TuningTable table({{"gram", "CPU", "", {{"TILE", "8"}}}});
    EXPECT_TRUE(table.lookup("gram", device("GPU", "GPU next to a CPU"), ElementType::u8).empty());
    EXPECT_EQ(table.lookup("gram", device("CPU", "Xeon"), ElementType::u8), (Defines{{"TILE", "8"}}));
}

}  // namespace
