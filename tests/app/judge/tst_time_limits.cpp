// `judge` ends kernels that take longer than they may, and only those.

#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/judge/judged_copy.h"

namespace judge_test {

TEST_F(Judge, a_kernel_that_does_not_end_is_named) {
    expect_wrong(judge(planted("while (g2[at] < 1e30) g2[at] *= -1.0;"),
                       on_one_problem({"--no-simulation", "--time-limit", "1"})),
                 "ends", "the kernel correlate did not finish within 1 s");
    EXPECT_EQ(found_["survives"], "unknown ");
    EXPECT_EQ(judge(original_, on_one_problem({"--no-simulation"})).code, 0);
}

TEST_F(Judge, a_tail_loop_whose_index_wraps_is_named) {
    std::string text = ks::gpu::kernel_text("gpu/basics/vector_add/wide_add.cl");
    const std::string loop = "for (size_t i = first";
    const std::size_t at = text.find(loop);
    ASSERT_NE(at, std::string::npos);
    std::ofstream(folder_ / "mine.cl") << text.replace(at, loop.size(), "for (ushort i = first");
    const Outcome outcome =
        run_cli({"judge", "vector_add", "--variant", "wide.add", "--kernel-source", folder_ / "mine.cl",
                 "--no-simulation", "--time-limit", "1", "--json", folder_ / "found.json"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const nlohmann::json ends = finding("ends");
    EXPECT_EQ(ends.at("state"), "no") << outcome.out;
    EXPECT_EQ(ends.at("at"), nlohmann::json({"size 1048595"})) << outcome.out;
    EXPECT_NE(outcome.out.find("the kernel add did not finish within 1 s"), std::string::npos) << outcome.out;
}

TEST_F(Judge, the_time_limit_of_a_kernel_is_not_that_of_its_compiler) {
    // PoCL compiles a kernel when it is launched, and needs seconds for so many barriers.
    std::ofstream file(folder_ / "mine.cl");
    file
        << "kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {\n"
           "    local float other[4096];\n"
           "    const size_t i = get_global_id(0), l = get_local_id(0);\n"
           "    float sum = i < n ? a[i] + b[i] : 0, unused = 0;\n";
    for (int k = 0; k < 100; ++k)
        file << "    other[l] = sum;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    unused += sin(other[0] * " << k
             << ");\n    barrier(CLK_LOCAL_MEM_FENCE);\n";
    file << "    if (i < n) c[i] = unused > 1e30f ? unused : sum;\n}\n";
    file.close();
    run_cli({"judge", "vector_add", "--variant", "seed.add", "--kernel-source", folder_ / "mine.cl", "--size",
             "99", "--no-simulation", "--time-limit", "0.3", "--json", folder_ / "found.json"});
    std::map<std::string, std::string> states;
    const nlohmann::json found = nlohmann::json::parse(read_file(folder_ / "found.json"));
    for (const nlohmann::json& one : found.at("findings")) states[one.at("id")] = one.at("state");
    EXPECT_EQ(states["ends"], "yes");
    EXPECT_EQ(states["values"], "yes");
}

}  // namespace judge_test
