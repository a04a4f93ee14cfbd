#include <gtest/gtest.h>

#include "core/run/user/variant_header.h"

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

TEST(VariantHeader, a_last_line_without_an_end_stays_so) {
    EXPECT_EQ(ks::with_define("// kernelscope variant\n// base: a", "TILE", "8"),
              "// kernelscope variant\n// base: a\n// define: TILE=8");
    EXPECT_EQ(ks::with_define("// kernelscope variant\n// define: TILE=8", "TILE", ""),
              "// kernelscope variant");
}

TEST(VariantHeader, what_is_written_is_read_and_taken_off_again) {
    const std::string text =
        "// kernelscope variant\n// base: tiles\n// title: Wide: twice\n// define: TILE=a=b\n\nkernel\n";
    const ks::VariantHeader header = ks::read_variant_header(text, "/v/mine.cl");
    EXPECT_EQ(header.title, "Wide: twice");
    EXPECT_EQ(header.defines.at("TILE"), "a=b");
    EXPECT_EQ(header.define_lines.at("TILE"), 4U);
    EXPECT_EQ(ks::text_of(header) + std::string(ks::without_header(text)), text);
}

}  // namespace
