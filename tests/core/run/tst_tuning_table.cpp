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
    const TuningTable rows{{"H200", "", {{"TILE", "128"}}},
                           {"", "", {{"TILE", "16"}, {"WIDE", "1"}, {"ROWS", "2"}}},
                           {"GPU", "", {{"TILE", "64"}, {"WIDE", "4"}}},
                           {"GPU", "u8", {{"TILE", "96"}, {"WIDE", "8"}}},
                           {"", "u16", {{"ROWS", "3"}}}};
    EXPECT_EQ(tuned(rows, device("GPU", "NVIDIA H200"), ElementType::u8),
              (Defines{{"TILE", "128"}, {"WIDE", "8"}, {"ROWS", "2"}}));
    EXPECT_EQ(tuned(rows, device("GPU", "Radeon"), ElementType::u16),
              (Defines{{"TILE", "64"}, {"WIDE", "4"}, {"ROWS", "3"}}));
    EXPECT_EQ(tuned(rows, device("CPU", "pthread"), ElementType::u8),
              (Defines{{"TILE", "16"}, {"WIDE", "1"}, {"ROWS", "2"}}));
}

TEST(TuningTable, ARowOfOneKindOfWorkHoldsForThatAlone) {
    const TuningTable rows{{"NVIDIA", "f32", {{"TILE", "128"}, {"ITEMS", "4"}}},
                           {"NVIDIA", "f32", {{"TILE", "512"}}, "one sum"}};
    const DeviceInfo gpu = device("GPU", "NVIDIA H200");
    EXPECT_EQ(tuned(rows, gpu, ElementType::f32, "one sum"), (Defines{{"TILE", "512"}, {"ITEMS", "4"}}));
    EXPECT_EQ(tuned(rows, gpu, ElementType::f32, "gradients"), (Defines{{"TILE", "128"}, {"ITEMS", "4"}}));
    EXPECT_EQ(tuned(rows, gpu, ElementType::f32), (Defines{{"TILE", "128"}, {"ITEMS", "4"}}));
}

TEST(TuningTable, CpuIsATypeAndNoPartOfAName) {
    const TuningTable rows{{"CPU", "", {{"TILE", "8"}}}};
    EXPECT_TRUE(tuned(rows, device("GPU", "GPU next to a CPU"), ElementType::u8).empty());
    EXPECT_EQ(tuned(rows, device("CPU", "Xeon"), ElementType::u8), (Defines{{"TILE", "8"}}));
}

}  // namespace
