// Text that the host inserts before a kernel's source.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/kernels/build_source.h"
#include "core/kernels/inserted_text.h"
#include "core/kernels/resolved_source.h"

namespace {

TEST(InsertedText, a_function_of_the_source_is_found_by_its_body) {
    for (const char* text :
         {"float f(int i) { return i; }", "float f (void)\n{ return 1; }", "float\nf(int (*g)(int)) {}",
          "// f\nfloat f(const float a, /* ) */ const float b) /* x */ {", "#define X\nfloat f(void) {}"})
        EXPECT_TRUE(ks::defines_function(text, "f")) << text;
    for (const char* text :
         {"", "float f(int i);", "// float f(void) {}", "/* float f(void) {} */ float g;",
          "float of(void) {}", "float f2(void) {}", "float g = f(1);", "printf(\"f() {\");",
          "#define f(x) {x}\n", "float f", "f(", "/* float f(void) {}"})
        EXPECT_FALSE(ks::defines_function(text, "f")) << text;
}

TEST(InsertedText, leaves_out_the_functions_that_the_source_defines) {
    ks::InsertedText inserted;
    inserted.add("#define ONE 1");
    inserted.add_function("f", "float f(void) { return ONE; }\n");
    inserted.add_function("g", "float g(void) { return 2; }\n");
    EXPECT_EQ(inserted.before("kernel void k() {}"),
              "#define ONE 1\nfloat f(void) { return ONE; }\nfloat g(void) { return 2; }\n");
    EXPECT_EQ(inserted.before("float f(void) { return 3; }"), "#define ONE 1\nfloat g(void) { return 2; }\n");
    EXPECT_EQ(inserted.defined_by("float f(void) { return 3; }"), std::vector<std::string>{"f"});
    EXPECT_TRUE(inserted.defined_by("").empty());
}

TEST(InsertedText, is_part_of_the_source_of_a_build_that_keeps_it) {
    ks::Run run;
    run.variant.source_file = "gpu/a.cl";
    run.variant.source = "kernel\n";
    ks::BuildLog build;
    build.source_file = "gpu/a.cl";
    build.text_hash = ks::hash_text(ks::hash_of(std::string_view("typed\nkernel\n")));
    EXPECT_FALSE(ks::source_of_build(run, build, {}));
    build.inserted = "typed\n";
    const auto source = ks::source_of_build(run, build, {});
    ASSERT_TRUE(source);
    EXPECT_EQ(source->text(), "typed\nkernel\n");
    EXPECT_EQ(source->lines[0].place, (ks::SourcePlace{"text before gpu/a.cl", 1}));
    EXPECT_EQ(source->lines[1].place, (ks::SourcePlace{"gpu/a.cl", 1}));
    run.builds = {build};
    EXPECT_EQ(ks::inserted_before("gpu/a.cl", run), "typed\n");
    EXPECT_EQ(ks::inserted_before("gpu/b.cl", run), "");
}

}  // namespace
