#include <gtest/gtest.h>

#include "core/kernels/assembly.h"

namespace {

TEST(Assembly, lines_of_ptx_belong_to_the_line_of_the_directive_before_them) {
    const std::string ptx =
        ".version 9.0\n"
        ".entry add(\n"
        ")\n"
        "{\n"
        "\t.reg .pred \t%p<6>;\n"
        "\t.loc\t1 3 0\n"
        "\tld.param.u64 \t%rd7, [add_param_0];\n"
        "\t.loc\t1 12 7\n"
        "\tmov.b32 \t%r1, %envreg3;\n"
        "$L__BB0_2:\n"
        "\tret;\n"
        "}\n"
        "\t.file\t1 \"<kernel>\"\n";
    const std::vector<std::optional<std::size_t>> wanted{{}, {}, {}, {}, {}, 3, 3, 12, 12, 12, 12, {}, {}};
    EXPECT_EQ(ks::source_lines_of_ptx(ptx), wanted);
    EXPECT_TRUE(ks::source_lines_of_ptx("").empty());
    EXPECT_EQ(ks::source_lines_of_ptx(".loc\n.loc 1\n.loc 1 x\n.loc 1 0 0").size(), 4U);
}

}  // namespace
