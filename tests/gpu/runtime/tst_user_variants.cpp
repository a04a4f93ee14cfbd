// Kernels of the user's own on the first device: they run, and what is wrong with one is told.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/run/bench.h"
#include "core/run/engine.h"
#include "core/run/host_backend.h"
#include "gpu/runtime/opencl_backend.h"
#include "tests/core/run/own_cache.h"
#include "tests/core/run/user/own_variants.h"

namespace user_variants_test {

using namespace ks;

const std::string header = "// kernelscope variant\n// base: seed.add\n";
const std::string signature =
    "kernel void add(const ulong n, global const float* a, global const float* b, global float* c)";

class UserVariants : public testing::Test {
  protected:
    void SetUp() override {
        registry = std::make_shared<const Registry>();
        std::vector<std::unique_ptr<Backend>> backends;
        backends.push_back(gpu::make_opencl_backend());
        backends.push_back(std::make_unique<HostBackend>(registry->host_variants()));
        engine = std::make_unique<Engine>(registry, std::move(backends), own.path());
        if (engine->devices().front().type == "host") GTEST_SKIP() << "no OpenCL device";
    }
    void write(const std::string& text) { own.write("vector_add/mine.cl", header + text); }
    ks::Run run(const std::string& variant = "user.mine") {
        Request request;
        request.analysis = "vector_add";
        request.variant = variant;
        request.device = "0";
        request.parameters["size"] = std::int64_t{100};
        request.check = CheckMode::full;
        return engine->run(request, progress);
    }
    Error refusal() {
        try {
            run();
        } catch (const Error& error) {
            return error;
        }
        return {ErrorKind::run, "accepted"};
    }
    void expect_refused(const std::string& part) {
        const Error error = refusal();
        const std::string text = std::string(error.what()) + "\n" + error.details();
        EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_NE(error.where().find((own.path() / "vector_add/mine.cl").string()), std::string::npos)
            << error.where();
    }

    tests::OwnCache cache;
    tests::OwnVariants own;
    std::shared_ptr<const Registry> registry;
    std::unique_ptr<Engine> engine;
    Progress progress;
};

TEST_F(UserVariants, a_right_kernel_passes_and_a_wrong_one_fails_the_check) {
    write("\n" + signature + " { size_t i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }\n");
    const ks::Run right = run();
    EXPECT_EQ(right.variant.id, "user.mine");
    EXPECT_EQ(right.verdict.state, Verdict::State::pass) << right.verdict.text;
    ASSERT_EQ(right.builds.size(), 1U);
    EXPECT_EQ(right.builds[0].source_file, (own.path() / "vector_add/mine.cl").string());
    write("\n" + signature + " { size_t i = get_global_id(0); if (i < n) c[i] = a[i] + 2 * b[i]; }\n");
    EXPECT_EQ(run().verdict.state, Verdict::State::fail) << "the changed text has to run";
}

TEST_F(UserVariants, a_run_holds_the_text_and_runs_again_without_the_file) {
    write("\n" + signature + " { size_t i = get_global_id(0); if (i < n) c[i] = a[i] + b[i] + 1; }\n");
    const ks::Run first = run();
    std::filesystem::remove(own.path() / "vector_add/mine.cl");
    EXPECT_NE(std::string(refusal().what()).find("the kernel file is missing"), std::string::npos);
    const ks::Run again = engine->run(first.request, progress);
    EXPECT_EQ(again.variant.base, "seed.add");
    EXPECT_EQ(again.verdict.state, Verdict::State::fail);
    EXPECT_EQ(again.result.datasets.at(0).values, first.result.datasets.at(0).values);
}

TEST_F(UserVariants, a_benchmark_takes_the_text_that_it_is_given_and_not_that_of_the_file) {
    write("\n" + signature + " { size_t i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }\n");
    const ks::Run checked = run();
    write("\n" + signature + " { size_t i = get_global_id(0); if (i < n) c[i] = a[i] - b[i]; }\n");
    BenchPlan plan;
    plan.analysis = "vector_add";
    plan.sizes["size"] = {std::int64_t{100}};
    plan.variants = {"seed.add", "user.mine"};
    plan.device = "0";
    plan.repeats = 1;
    plan.kernel_sources["user.mine"] = {checked.request.kernel_file, checked.request.kernel_source};
    const BenchReport given = run_bench(*engine, plan, progress);
    plan.kernel_sources.clear();
    const BenchReport of_file = run_bench(*engine, plan, progress);
    EXPECT_EQ(given.points[0].rows.back().verdict.state, Verdict::State::pass)
        << given.points[0].rows.back().not_run;
    EXPECT_EQ(of_file.points[0].rows.back().verdict.state, Verdict::State::fail);
}

TEST_F(UserVariants, it_is_offered_behind_the_shipped_ones_and_is_never_the_default) {
    write("\n" + signature + " {}\n");
    own.write("vector_add/bad.cl", "// kernelscope variant\n// base: none\n");
    std::vector<std::string> ids;
    for (const Offer& offer : engine->offers("vector_add", engine->devices().front())) {
        ids.push_back(offer.variant.id);
        EXPECT_EQ(offer.why_not.find("unknown base \"none\"") != std::string::npos,
                  offer.variant.id == "user.bad");
    }
    ASSERT_GE(ids.size(), 2U);
    EXPECT_TRUE(ids[ids.size() - 1].starts_with("user.") && ids[ids.size() - 2].starts_with("user."));
    EXPECT_FALSE(run("").variant.from_user());
}

TEST_F(UserVariants, a_missing_entry_point_is_told_with_those_that_are_there) {
    write("\nkernel void sum(global float* c) { c[0] = 1; }\n");
    expect_refused("there is no kernel add in it; its kernels are sum");
}

TEST_F(UserVariants, other_arguments_are_told) {
    write("\nkernel void add(const ulong n, global const float* a, global const float* b) {}\n");
    expect_refused("the kernel add takes 3 arguments, but its launch passes 4");
    write(
        "\nkernel void add(const ulong n, global const int* a, global const float* b, global float* c) {}\n");
    expect_refused("argument 2 of the kernel add: expected \"global float* a\", found \"global int* a\"");
    write("\nkernel void add(const ulong n, constant float* a, global const float* b, global float* c) {}\n");
    expect_refused("argument 2 of the kernel add: expected \"global float* a\", found \"constant float* a\"");
    write(
        "\nkernel void add(const uint n, global const float* a, global const float* b, global float* c) "
        "{}\n");
    expect_refused("argument 1 of the kernel add: expected \"ulong n\", found \"uint n\"");
}

TEST_F(UserVariants, a_refusal_is_the_same_where_the_program_comes_from_the_disk) {
    write(
        "\nkernel void add(const ulong n, global const int* a, global const float* b, global float* c) {}\n");
    expect_refused("argument 2");
    SetUp();
    expect_refused("argument 2");
}

TEST_F(UserVariants, other_names_and_qualifiers_of_arguments_are_taken) {
    write(
        "\ntypedef float real;\nkernel void add(ulong count, const global real* restrict x, global const "
        "float* y, "
        "global real* sums) { size_t i = get_global_id(0); if (i < count) sums[i] = x[i] + y[i]; }\n");
    EXPECT_EQ(run().verdict.state, Verdict::State::pass);
}

TEST_F(UserVariants, a_mistake_is_told_with_the_line_of_the_file_it_is_in) {
    const std::string mine = (own.path() / "vector_add/mine.cl").string();
    own.write("vector_add/lib.cl", "int three(void) {\n    return missing_in_lib;\n}\n");
    write("\n#include \"lib.cl\"\n" + signature + " {}\n");
    expect_refused((own.path() / "vector_add/lib.cl").string() + ":2:");
    own.write("vector_add/lib.cl", "int three(void) {\n    return 3;\n}\n");
    write("\n#include \"lib.cl\"\n" + signature + " {\n    missing_in_mine = 1;\n}\n");
    expect_refused(mine + ":6:");
}

}  // namespace user_variants_test
