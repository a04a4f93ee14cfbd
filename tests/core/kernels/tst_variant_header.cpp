#include <gtest/gtest.h>

#include "core/kernels/variant_header.h"

namespace {

const std::string own_kernel =
    "// kernelscope variant\n// base: tiles\n// define: TILE=16\n\nkernel void f() {}\n// define: TILE=1\n";

TEST(VariantHeader, a_define_is_changed_in_its_line) {
    EXPECT_EQ(ks::with_define(own_kernel, "TILE", "32"),
              "// kernelscope variant\n// base: tiles\n// define: TILE=32\n\nkernel void f() {}\n"
              "// define: TILE=1\n");
}

TEST(VariantHeader, a_new_define_comes_at_the_end_of_the_header) {
    EXPECT_EQ(ks::with_define(own_kernel, "WG", "64"),
              "// kernelscope variant\n// base: tiles\n// define: TILE=16\n// define: WG=64\n\n"
              "kernel void f() {}\n// define: TILE=1\n");
}

TEST(VariantHeader, a_define_without_value_goes) {
    EXPECT_EQ(ks::with_define(own_kernel, "TILE", ""),
              "// kernelscope variant\n// base: tiles\n\nkernel void f() {}\n// define: TILE=1\n");
    EXPECT_EQ(ks::with_define(own_kernel, "WG", ""), own_kernel);
}

TEST(VariantHeader, a_title_is_set_and_a_last_line_without_an_end_stays_so) {
    EXPECT_EQ(ks::with_header("// kernelscope variant\n// base: a", "title", "Mine"),
              "// kernelscope variant\n// base: a\n// title: Mine");
}

}  // namespace
