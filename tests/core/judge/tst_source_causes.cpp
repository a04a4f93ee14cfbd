// What the text of a kernel says of its causes of failure: recursion, and arrays in private memory; and which
// of the included files it uses.

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/judge/source_causes.h"

namespace source_causes_test {

using namespace ks;

TEST(Recursion, is_found_with_the_line_of_the_call_that_closes_it) {
    const auto direct = recursion_in(
        "int f(int n) {\n    return n == 0 ? 1 : n * f(n - 1);\n}\nkernel void k(global int* c) { c[0] = "
        "f(3); }\n");
    ASSERT_TRUE(direct);
    EXPECT_EQ(direct->function, "f");
    EXPECT_EQ(direct->line, 2U);
    const auto by_others = recursion_in(
        "int even(int n);\nint odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
        "int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n");
    ASSERT_TRUE(by_others);
}

TEST(Recursion, is_none_where_nothing_calls_itself) {
    for (const char* text : {"int f(int n) { return n; }\nint g(int n) { return f(f(n)); }\nkernel void "
                             "k(global int* c) { c[0] = g(1); }",
                             "// int f(int n) { return f(n); }\nint f(int n) { return n; /* f(n) */ }",
                             "#define TWICE(f) f(f(1))\nint f(int n) { return n; }",
                             "int f(int n) { const char* s = \"f(1)\"; return n; }",
                             // of two definitions nobody knows which one is called
                             "float __attribute__((overloadable)) f(float a) { return a; }\n"
                             "float __attribute__((overloadable)) f(int a) { return f((float)a); }",
                             "kernel __attribute__((reqd_work_group_size(16, 16, 1))) void f(global int* c) "
                             "{ c[0] = min(c[1], 2); }"})
        EXPECT_FALSE(recursion_in(text)) << text;
}

TEST(PrivateArrays, are_added_up_with_the_largest_named) {
    const auto arrays = private_arrays_in(
        "#define SIDE (1 << 3)\nkernel void k(global float* c) {\n    float small[4], large[SIDE * 2][WG];\n"
        "    volatile double4 other[2] = {0};\n    local float shared[4096];\n}\n",
        {{"WG", "32"}});
    ASSERT_TRUE(arrays);
    EXPECT_EQ(arrays->bytes, 16U + 4 * 16 * 32 + 64);
    EXPECT_EQ(arrays->largest, "large");
    EXPECT_EQ(arrays->line, 3U);
}

TEST(PrivateArrays, of_unknown_length_or_in_other_memory_count_nothing) {
    for (const char* text : {"kernel void k(global float* c) { float a[UNKNOWN]; c[3] = a[2]; }",
                             "kernel void k(global float* c) { local float a[99]; float b = c[7]; }",
                             "constant float table[3] = {1, 2, 3};", "", "int f(", "kernel void k( {[("})
        EXPECT_FALSE(private_arrays_in(text, {})) << text;
}

TEST(WideVectors, are_seen_in_types_conversions_loads_and_macros) {
    for (const char* text :
         {"float8 a;", "kernel void k(global uchar16* c) {}", "y = convert_ushort16_sat(x);", "as_int8(x)",
          "vload16(0, c)", "vstore8(a, 0, c)", "#define SUMS uint8\n", "typedef ushort8 ushort8_at;",
          "#define VECTOR(n) float##n\n", "#define JOIN(a, b) a ## b\nJOIN(VALUE, WIDTH) v;"})
        EXPECT_TRUE(uses_wide_vectors(text)) << text;
    for (const char* text :
         {"float4 a; uint2 b; double3 c;", "vload4(0, c)", "uint8_t a;", "int16_t b;", "// float8\nfloat a;",
          "/* uchar16 */", "print16(a); float80(b); x8 = y16;", "#define TEXT(a) #a\n", ""})
        EXPECT_FALSE(uses_wide_vectors(text)) << text;
}

TEST(DeclaredNames, are_those_of_macros_functions_types_and_variables) {
    using Names = std::set<std::string>;
    EXPECT_EQ(declared_names(
                  "#ifndef CALL\n # define CALL(a) other(a)\n#endif\n#define GROUP 64  // of 32\n"
                  "// #define OLD\nstatic inline float twice(const float a) { return a + local_name; }\n"
                  "typedef struct { int m; } sums_t;\nstruct pair { int a, b; };\n"
                  "constant float table[3] = {1, 2, 3};\nenum { FIRST, LAST = 9 };\n"
                  "kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void add(global float* c) {}\n"),
              (Names{"CALL", "GROUP", "twice", "sums_t", "pair", "table", "FIRST", "LAST", "add"}));
    EXPECT_EQ(declared_names("float a;"), Names{"a"});
    EXPECT_EQ(declared_names(""), Names());
    for (const char* text : {"(", "{[(", "#define", "# 1", "int f(", "'"})
        EXPECT_NO_THROW(declared_names(text)) << text;
}

TEST(UsedText, is_without_included_files_of_which_nothing_is_used) {
    const std::map<std::string, std::string> files{
        {"a.cl", "#include \"b.cl\"\n#define SUM(a, b) twice(a) + b\n"},
        {"b.cl", "float twice(float a) { return FACTOR * a; }\n"},
        {"c.cl", "#define FACTOR 2\n"},
        {"d.cl", "#define CALL OPERATION\n"},
        {"e.cl", "#pragma OPENCL FP_CONTRACT OFF\n"}};
    const std::string includes =
        "#include \"a.cl\"\n#include \"c.cl\"\n#include \"d.cl\"\n#include \"e.cl\"\n";
    const auto used_of = [&](const std::string& text) {
        return used_text(resolve_source("mine.cl", includes + text, files));
    };
    const std::string all = used_of("kernel void k(global float* c) { c[0] = SUM(1, 2); }  // and CALL\n");
    for (const char* part : {"c[0] = SUM(1, 2)", "#define SUM", "float twice", "#define FACTOR", "#pragma"})
        EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
    EXPECT_EQ(all.find("OPERATION"), std::string::npos) << all;
    const std::string one = used_of("kernel void k(global float* c) { /* SUM */ c[0] = CALL; }\n");
    EXPECT_NE(one.find("OPERATION"), std::string::npos) << one;
    EXPECT_EQ(one.find("twice"), std::string::npos) << one;
    // a condition or another macro uses it as well
    const std::string kernel = "kernel void k(global float* c) { c[0] = 0; }\n";
    EXPECT_NE(used_of(kernel + "#if CALL == 2\n#endif\n").find("OPERATION"), std::string::npos);
    EXPECT_NE(used_of(kernel + "#define MINE CALL\n").find("OPERATION"), std::string::npos);
    EXPECT_EQ(used_of(kernel + "#define CALLS \"CALL\"\n").find("OPERATION"), std::string::npos);
    // The kernel may be in an included file, and names that are put together may be any.
    EXPECT_NE(used_of("#define MINE 1\n").find("OPERATION"), std::string::npos);
    EXPECT_NE(used_of(kernel + "#define MINE(a) CA##a\n").find("OPERATION"), std::string::npos);
}

}  // namespace source_causes_test
