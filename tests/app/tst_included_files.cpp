// Files that a kernel of the user's own includes: what the compiler reads decides, however a file is named,
// beside
// --kernel-source as in a variant of the user's.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace included_files_test {

using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;
namespace fs = std::filesystem;

const std::string kernel =
    "kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i < n) c[i] = same(a[i] + b[i]);\n"
    "}\n";
const std::string right = "float same(float v) { return v; }\n",
                  wrong = "float same(float v) { return 2 * v; }\n";

class IncludedFiles : public testing::TestWithParam<bool> {
  protected:
    IncludedFiles() { fs::create_directories(kernels()); }
    bool is_variant() const { return GetParam(); }
    fs::path kernels() const { return own.path() / "vector_add"; }
    std::string at(const std::string& name) const { return (kernels() / name).string(); }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((kernels() / name).parent_path());
        std::ofstream(kernels() / name, std::ios::binary) << text;
    }
    /// A kernel whose first line is behind `lines_before` others.
    void write_kernel(const std::string& text) const {
        write("mine.cl", (is_variant() ? "// kernelscope variant\n// base: seed.add\n" : "\n\n") + text);
    }
    static constexpr int lines_before = 2;
    std::string place(int line) const { return "mine.cl:" + std::to_string(lines_before + line) + ":"; }
    Outcome run(const Arguments& more = {}) const {
        Arguments arguments{"vector_add", "--size", "100", "--check", "full", "--variant"};
        if (is_variant())
            arguments.push_back("user.mine");
        else
            arguments.insert(arguments.end(), {"seed.add", "--kernel-source", at("mine.cl")});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_cli(arguments);
    }

    ks::tests::OwnCache own{"KERNELSCOPE_VARIANTS"};
    TemporaryFolder folder;
};

TEST_P(IncludedFiles, a_change_is_noticed_and_a_run_holds_the_text_however_the_file_is_named) {
    write("guarded.h", "#ifndef GUARDED\n#define GUARDED\n#include <lib/helper.h>\n#endif\n");
    for (const std::string way :
         {"#include \"lib/helper.h\"", "#include <lib/helper.h>", "#define LIB <lib/helper.h>\n#include LIB",
          "#define TEXT_OF(x) #x\n#define TEXT(x) TEXT_OF(x)\n#include TEXT(lib/helper.h)",
          "#ifdef NEVER\n#include \"cuda_only.h\"\n#else\n%:include <guarded.h>\n#endif"}) {
        write("lib/helper.h", right);
        write_kernel(way + "\n" + kernel);
        const std::string saved = folder / "run.h5";
        const Outcome first = run({"--out", saved, "--overwrite"});
        EXPECT_EQ(first.code, 0) << way << first.err;
        write("lib/helper.h", wrong);
        EXPECT_EQ(run().code, 1) << way << ": a program of before the change ran";
        fs::remove(at("lib/helper.h"));
        fs::remove(at("mine.cl"));
        const ks::tests::OwnCache other("KERNELSCOPE_DATA");
        const Outcome unknown = run_cli({"repeat", saved});
        EXPECT_EQ(unknown.code, 2) << way;
        EXPECT_NE(unknown.err.find(right.substr(0, right.size() - 1)), std::string::npos)
            << way << ": all code is shown before it is trusted\n"
            << unknown.err;
        const Outcome again = run_cli({"repeat", saved, "--trust"});
        EXPECT_EQ(again.code, 0) << way << again.err;
        EXPECT_TRUE(again.out.ends_with("the same bytes\n")) << way << again.out;
    }
}

TEST_P(IncludedFiles, what_the_compiler_leaves_out_stops_nothing) {
    write_kernel(
        "#ifdef NEVER\n#include \"cuda_only.h\"\n#include </etc/passwd>\n#endif\n/*\n#include "
        "\"none.h\"\n*/\n"
        "#if 0\n#include UNKNOWN\n#import \"none.h\"\n#endif\n#define same(v) v\n" +
        kernel);
    const Outcome outcome = run();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_P(IncludedFiles, files_elsewhere_and_what_is_no_file_are_refused) {
    std::ofstream(folder / "outside.h") << right;
    ASSERT_EQ(mkfifo(at("pipe.h").c_str(), 0600), 0);
    for (const std::string& named : {"<" + folder / "outside.h" + ">", "\"" + folder / "outside.h" + "\"",
                                     std::string("<pipe.h>"), std::string("<math.h>")})
        for (const std::string& way : {"#include " + named, "#define LIB " + named + "\n#include LIB"}) {
            write_kernel(way + "\n" + kernel);
            const Outcome outcome = run();
            EXPECT_EQ(outcome.code, 2) << way << outcome.err;
            EXPECT_NE(outcome.err.find(named == "<pipe.h>" ? "pipe.h" : "mine.cl:"), std::string::npos)
                << outcome.err;
        }
}

TEST_P(IncludedFiles, dots_lead_up_to_the_folder_of_all_variants_and_no_further) {
    const std::string helper = (own.path() / "lib/helper.h").string();
    fs::create_directories(own.path() / "lib");
    std::ofstream(helper) << "#include \"../vector_add/near.h\"\n" << right;
    write("near.h", "#define NEAR 1\n");
    write_kernel("#include \"../lib/helper.h\"\n#if __has_include(\"../none.h\") || !NEAR\n#error\n#endif\n" +
                 kernel);
    const Outcome within = run();
    EXPECT_EQ(within.code, 0) << within.err;
    std::ofstream(own.path().parent_path() / "above.h") << right;
    for (const char* name : {"../../above.h", "../lib/../../above.h"}) {
        write_kernel("#include \"" + std::string(name) + "\"\n" + kernel);
        const Outcome above = run();
        EXPECT_EQ(above.code, 2) << above.err;
        EXPECT_NE(above.err.find(place(1)), std::string::npos) << above.err;
        EXPECT_NE(above.err.find("included files must be in " + own.path().string()), std::string::npos)
            << above.err;
    }
    write_kernel("#include \"../lib/none.h\"\n" + kernel);
    const Outcome missing = run();
    EXPECT_EQ(missing.code, 2) << missing.err;
    EXPECT_NE(missing.err.find("included file not found: \"../lib/none.h\""), std::string::npos)
        << missing.err;
}

TEST_P(IncludedFiles, the_compiler_finds_no_file_in_the_folder_that_it_runs_in) {
    std::ofstream(folder / "cwd_only.h") << right;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    write_kernel("#ifndef NEVER\n#include <cwd_only.h>\n#endif\n" + kernel);
    const Outcome outcome = run();
    fs::current_path(before);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(place(2)), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("included file not found: 'cwd_only.h'"), std::string::npos) << outcome.err;
}

TEST_P(IncludedFiles, a_message_of_the_compiler_names_the_file_and_its_line) {
    write("helper.h", "#pragma once\n\nfloat same(float v) { return unknown_in_helper; }\n");
    write_kernel("#define LIB <helper.h>\n#include LIB\n#include \"helper.h\"\n" + kernel);
    const Outcome in_helper = run();
    EXPECT_EQ(in_helper.code, 2);
    EXPECT_NE(in_helper.err.find("helper.h:3:"), std::string::npos) << in_helper.err;
    write("helper.h", "#pragma once\n\n" + right);
    write_kernel(
        "#define LIB <helper.h>\n#include LIB\n#include \"helper.h\"\nfloat f() { return unknown; }\n" +
        kernel);
    const Outcome in_kernel = run();
    EXPECT_EQ(in_kernel.code, 2);
    EXPECT_NE(in_kernel.err.find(place(4)), std::string::npos) << in_kernel.err;
}

TEST(KernelDefinitions, a_definition_adds_no_option_of_the_compiler) {
    const TemporaryFolder folder;
    const std::string file = folder / "mine.cl";
    std::ofstream(file) << "#define same(v) v\n" << kernel;
    const Outcome outcome = run_cli({"vector_add", "--size", "100", "--variant", "seed.add",
                                     "--kernel-source", file, "--define", "A=1 -include /etc/passwd"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("define A: expected a value without spaces"), std::string::npos)
        << outcome.err;
}

TEST_P(IncludedFiles, no_output_replaces_one) {
    write("helper.h", right);
    write_kernel("#include <helper.h>\n" + kernel);
    for (const char* name : {"helper.h", "mine.cl"}) {
        const Outcome outcome = run({"--csv", at(name), "--overwrite"});
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_NE(outcome.err.find("--csv would replace a file"), std::string::npos) << outcome.err;
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, IncludedFiles, testing::Bool(),
                         [](const auto& of) { return of.param ? "of_a_variant" : "beside_kernel_source"; });

}  // namespace included_files_test
