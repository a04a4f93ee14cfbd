// Kernels that no device of this machine builds are never read by other tests: what they include must be
// there.

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "core/base/error.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/opencl_backend.h"

namespace {

TEST(KernelFiles, every_file_finds_what_it_includes) {
    ASSERT_FALSE(ks::gpu::kernel_files().empty());
    for (const ks::gpu::KernelFile& file : ks::gpu::kernel_files())
        EXPECT_NO_THROW(ks::gpu::resolve_includes(ks::gpu::kernel_text(file.path))) << file.path;
}

TEST(KernelFiles, every_variant_s_kernels_are_in_some_file) {
    std::string all;
    for (const ks::gpu::KernelFile& file : ks::gpu::kernel_files()) all += ks::gpu::kernel_text(file.path);
    const auto backend = ks::gpu::make_opencl_backend();
    ASSERT_FALSE(backend->variants().empty());
    for (const ks::Variant& variant : backend->variants()) {
        EXPECT_FALSE(ks::gpu::kernel_text(variant.source_file).empty()) << variant.id;
        for (const std::string& kernel : variant.entry_points)
            EXPECT_NE(all.find(kernel + "("), std::string::npos) << variant.id << ": " << kernel;
    }
}

TEST(KernelFiles, shapes_of_images_are_read_by_the_names_of_their_parts) {
    for (const ks::gpu::KernelFile& file : ks::gpu::kernel_files()) {
        if (!std::string_view(file.path).starts_with("gpu/spots/")) continue;
        const std::string text = ks::gpu::kernel_text(file.path);
        EXPECT_FALSE(std::regex_search(text, std::regex(R"(\b(shape|modules|frames)\.s[0-9]\b)")))
            << file.path;
    }
}

TEST(KernelFiles, a_file_that_is_not_there_is_named_with_the_line_that_wants_it) {
    try {
        ks::gpu::program_text("int x;\n#include \"gpu/no/such.cl\"\n", "mine.cl");
        FAIL() << "resolved";
    } catch (const ks::Error& error) {
        EXPECT_EQ(error.where(), "mine.cl:2");
        EXPECT_NE(error.message().find("gpu/no/such.cl"), std::string::npos);
    }
}

TEST(KernelFiles, a_directive_that_would_read_another_file_is_named_or_an_error_for_the_compiler) {
    for (const std::string directive : {"#include <helper.h>", "#include NAME", "#import \"a\""}) try {
            ks::gpu::program_text("int x;\n" + directive + "\n", "mine.cl");
            FAIL() << directive;
        } catch (const ks::Error& error) {
            EXPECT_EQ(error.where(), "mine.cl:2");
        }
    const std::string text = ks::gpu::program_text("#ifdef A\n#include <helper.h>\n#endif\n", "mine.cl").text;
    EXPECT_EQ(text, "#ifdef A\n#error \"there is no kernel file 'helper.h' in this program\"\n#endif\n");
}

TEST(KernelFiles, lines_behind_an_included_file_and_behind_a_directive_are_known) {
    const auto included = ks::gpu::kernel_text("gpu/runtime/parent_reads.cl");
    const auto lines = static_cast<std::size_t>(std::ranges::count(included, '\n'));
    const ks::gpu::ProgramText program = ks::gpu::program_text(
        "first\n#include \"gpu/runtime/parent_reads.cl\"\nthird\n#line 7 \"other.cl\"\nseventh\n", "mine.cl");
    EXPECT_EQ(program.text, "first\n" + included + "third\nseventh\n");
    EXPECT_EQ(program.lines.place_of(1), (ks::FileLine{"mine.cl", 1}));
    EXPECT_EQ(program.lines.place_of(2), (ks::FileLine{"gpu/runtime/parent_reads.cl", 1}));
    EXPECT_EQ(program.lines.place_of(lines + 2), (ks::FileLine{"mine.cl", 3}));
    EXPECT_EQ(program.lines.place_of(lines + 3), (ks::FileLine{"other.cl", 7}));
}

}  // namespace
