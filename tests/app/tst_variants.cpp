// Kernels of the user's own on the command line: from the copy of a shipped one to its run, and its repeat.

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace variants_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

class Variants : public testing::Test {
  protected:
    /// The path that `variants new` prints.
    std::string copied(const std::string& name) {
        const Outcome made = run_cli({"variants", "new", "vector_add", "seed.add", name});
        EXPECT_EQ(made.code, 0) << made.err;
        return made.out.substr(0, made.out.find('\n'));
    }
    /// Takes the place of the first `part` in a file.
    static void replace(const std::string& file, const std::string& part, const std::string& by) {
        std::string text = read_file(file);
        ASSERT_NE(text.find(part), std::string::npos) << text;
        text.replace(text.find(part), part.size(), by);
        std::ofstream(file, std::ios::binary) << text;
    }

    ks::tests::OwnCache own{"KERNELSCOPE_VARIANTS"};
    TemporaryFolder folder;
};

TEST_F(Variants, a_copy_is_written_listed_and_run) {
    const std::string file = copied("mine");
    EXPECT_EQ(file, (own.path() / "vector_add" / "mine.cl").string());
    EXPECT_TRUE(read_file(file).starts_with("// kernelscope variant\n// base: seed.add\n"));
    const Outcome listed = run_cli({"variants", "vector_add", "--json"});
    ASSERT_EQ(listed.code, 0) << listed.err;
    bool found = false;
    const nlohmann::json all = nlohmann::json::parse(listed.out);
    for (const auto& row : all.at("vector_add")) {
        EXPECT_EQ(row.at("origin"), row.at("id") == "user.mine" ? "user" : "program");
        if (row.at("id") != "user.mine") continue;
        found = true;
        EXPECT_EQ(row.at("file"), file);
        EXPECT_EQ(row.at("base"), "seed.add");
        EXPECT_TRUE(row.at("why_not").is_null());
    }
    EXPECT_TRUE(found) << listed.out;
    const Outcome run = run_cli({"vector_add", "--size", "100", "--variant", "user.mine", "--check", "full"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(std::regex_search(run.out, std::regex("\nuser\\.mine, text [0-9a-f]{6} on "))) << run.out;
    replace(file, "a[i] + b[i]", "a[i] - b[i]");
    EXPECT_EQ(run_cli({"vector_add", "--size", "100", "--variant", "user.mine", "--check", "full"}).code, 1);
}

TEST_F(Variants, new_writes_over_nothing_unless_told_to) {
    const std::string file = copied("mine");
    std::ofstream(file, std::ios::app) << "// changed\n";
    const std::string changed = read_file(file);
    const Outcome again = run_cli({"variants", "new", "vector_add", "seed.add", "mine"});
    EXPECT_EQ(again.code, 2);
    EXPECT_NE(again.err.find("--overwrite"), std::string::npos) << again.err;
    EXPECT_EQ(read_file(file), changed);
    EXPECT_EQ(run_cli({"variants", "new", "vector_add", "seed.add", "MINE"}).code, 2);
    EXPECT_EQ(run_cli({"variants", "new", "vector_add", "seed.add", "mine", "--overwrite"}).code, 0);
    EXPECT_NE(read_file(file), changed);
    EXPECT_EQ(run_cli({"variants", "new", "vector_add", "host.reference", "x"}).code, 2);
    EXPECT_EQ(run_cli({"variants", "new", "vector_add", "seed.add", "../x"}).code, 2);
}

TEST_F(Variants, bench_times_those_that_are_named_and_all_means_those_of_the_program) {
    copied("mine");
    const Outcome named = run_cli(
        {"bench", "vector_add", "--size", "1000", "--variants", "seed.add,user.mine", "--repeat", "2"});
    EXPECT_EQ(named.code, 0) << named.err;
    EXPECT_NE(named.out.find("\nuser.mine "), std::string::npos) << named.out;
    const Outcome all = run_cli({"bench", "vector_add", "--size", "1000", "--repeat", "2"});
    EXPECT_EQ(all.code, 0) << all.err;
    EXPECT_EQ(all.out.find("user.mine"), std::string::npos) << all.out;
}

TEST_F(Variants, a_run_is_repeated_when_its_file_has_changed_or_is_gone_and_that_is_told) {
    const std::string file = copied("mine"), run = folder / "run.h5";
    ASSERT_EQ(run_cli({"vector_add", "--size", "100", "--variant", "user.mine", "--out", run}).code, 0);
    const Outcome same = run_cli({"repeat", run});
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_EQ(same.out.find("with the text stored in the run"), std::string::npos) << same.out;
    replace(file, "a[i] + b[i]", "a[i] - b[i]");
    const Outcome changed = run_cli({"repeat", run});
    EXPECT_EQ(changed.code, 0) << changed.err;
    EXPECT_NE(changed.out.find(file + " has changed since\n"), std::string::npos) << changed.out;
    EXPECT_TRUE(changed.out.ends_with("the same bytes\n")) << changed.out;
    const std::string before = read_file(file);
    replace(file, "// base: seed.add", "// base: seed.none");
    const Outcome broken = run_cli({"repeat", run});
    EXPECT_NE(broken.out.find("because its file cannot be used now: " + file + ":2: "), std::string::npos)
        << broken.out;
    std::ofstream(file) << before;
    const std::string others = folder / "others";
    setenv("KERNELSCOPE_VARIANTS", others.c_str(), 1);
    const Outcome elsewhere = run_cli({"repeat", run, "--trust"});
    setenv("KERNELSCOPE_VARIANTS", own.path().c_str(), 1);
    EXPECT_EQ(elsewhere.code, 0) << elsewhere.err;
    EXPECT_NE(elsewhere.out.find(file + " is not in your folder of variants, " + others + "\n"),
              std::string::npos)
        << elsewhere.out;
    std::filesystem::remove(file);
    const Outcome gone = run_cli({"repeat", run});
    EXPECT_EQ(gone.code, 0) << gone.err;
    EXPECT_NE(gone.out.find(file + " no longer exists\n"), std::string::npos) << gone.out;
    const Outcome run_again = run_cli({"vector_add", "--size", "100", "--variant", "user.mine"});
    EXPECT_EQ(run_again.code, 2);
    EXPECT_NE(run_again.err.find("the kernel file is missing: mine.cl"), std::string::npos) << run_again.err;
}

TEST_F(Variants, a_kernel_source_does_not_take_the_place_of_a_kernel_of_the_user) {
    const std::string file = copied("mine");
    EXPECT_EQ(run_cli({"vector_add", "--variant", "user.mine", "--kernel-source", file}).code, 2);
    EXPECT_EQ(
        run_cli({"bench", "vector_add", "--variants", "user.mine", "--kernel-source", "user.mine=" + file})
            .code,
        2);
}

}  // namespace variants_test
