#include "core/io/files/distinct_name.h"

#include <gtest/gtest.h>

namespace ks::distinct_name_test {
namespace {

using io::distinct_name;

TEST(DistinctName, IsWithoutFoldersIfNoOtherFileHasIt) {
    EXPECT_EQ(distinct_name("/data/a/scan.h5", {}), "scan.h5");
    EXPECT_EQ(distinct_name("/data/a/scan.h5", {"/data/a/scan.h5", "/data/b/other.h5"}), "scan.h5");
    EXPECT_EQ(distinct_name("/data/a/scan.h5", {"/data/./a//scan.h5", "/data/b/long_scan.h5"}), "scan.h5");
    EXPECT_EQ(distinct_name("scan.h5", {}), "scan.h5");
}

TEST(DistinctName, HasAsManyFoldersAsDistinguishIt) {
    EXPECT_EQ(distinct_name("/data/a/scan.h5", {"/data/b/scan.h5"}), "a/scan.h5");
    EXPECT_EQ(distinct_name("/data/b/i_##.tif", {"/data/b/i_##.tif", "/data/a/i_##.tif"}), "b/i_##.tif");
    EXPECT_EQ(distinct_name("/x/1/d/scan.h5", {"/x/2/d/scan.h5", "/x/1/e/scan.h5"}), "1/d/scan.h5");
}

TEST(DistinctName, IsTheWholePathIfTheOtherEndsWithIt) {
    EXPECT_EQ(distinct_name("/a/scan.h5", {"/data/a/scan.h5"}), "/a/scan.h5");
    EXPECT_EQ(distinct_name("/data/a/scan.h5", {"/a/scan.h5"}), "data/a/scan.h5");
}

}  // namespace
}  // namespace ks::distinct_name_test
