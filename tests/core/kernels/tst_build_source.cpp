#include <gtest/gtest.h>

#include "core/base/hash.h"
#include "core/kernels/build_source.h"

namespace {

ks::BuildLog built_from(const std::string& file, const std::string& text) {
    ks::BuildLog build;
    build.source_file = file;
    build.text_hash = ks::hash_text(ks::hash_of(text));
    return build;
}

const std::map<std::string, std::string> all_kernel_files{{"gpu/a.cl", "a\n"}, {"gpu/shared.cl", "s\n"}};

TEST(BuildSource, is_that_of_the_variant_of_a_shared_file_or_of_the_request) {
    ks::Run run;
    run.variant.source_file = "gpu/a.cl";
    run.variant.source = "before\n";  // of the version that made the run
    EXPECT_EQ(ks::source_of_build(run, built_from("gpu/a.cl", "before\n"), all_kernel_files)->text(),
              "before\n");
    EXPECT_EQ(ks::source_of_build(run, built_from("gpu/shared.cl", "s\n"), all_kernel_files)->text(), "s\n");
    run.request.kernel_source = "#include \"gpu/shared.cl\"\nmine\n";
    run.request.kernel_file = "/home/mine.cl";
    EXPECT_EQ(ks::source_of_build(run, built_from("/home/mine.cl", "s\nmine\n"), all_kernel_files)->text(),
              "s\nmine\n");
    EXPECT_EQ(ks::source_of_build(run, built_from("the given source", "s\nmine\n"), all_kernel_files)->text(),
              "s\nmine\n");
}

TEST(BuildSource, is_not_known_where_the_program_was_built_from_another_text) {
    ks::Run run;
    run.variant.source_file = "gpu/a.cl";
    run.variant.source = "a\n";
    EXPECT_FALSE(ks::source_of_build(run, built_from("gpu/a.cl", "typed\na\n"), all_kernel_files));
    EXPECT_FALSE(ks::source_of_build(run, built_from("gpu/none.cl", "a\n"), all_kernel_files));
}

}  // namespace
