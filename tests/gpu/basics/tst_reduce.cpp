// Kernels of the user that sum floats: one that leaves out an element is called wrong at any size, and one
// that is right is called right in whatever order it adds.

#include <string>
#include <utility>
#include <vector>

#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::reduce {
namespace {

std::string shipped(const std::string& name) {
    return engine().kernel_files().at("gpu/basics/reduce/" + name);
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t found = text.find(from);
    EXPECT_NE(found, std::string::npos) << from;
    return text.replace(found, from.size(), to);
}

Request request_of_text(const std::string& analysis, const std::string& variant, const DeviceInfo& device,
                        const std::string& text) {
    Request request = request_of(analysis, variant, device);
    request.check = CheckMode::full;
    request.kernel_source = text;
    request.kernel_file = "mine.cl";
    return request;
}

ParameterSet of_size(std::int64_t size, std::int64_t seed = 1) {
    return {{"size", size}, {"seed", seed}};
}

constexpr std::int64_t some = 10'000'003;

TEST(OwnReduction, an_element_that_is_left_out_of_ten_million_is_noticed) {
    const std::string two_stages = shipped("two_stages.cl"), tree = shipped("tree.cl"),
                      last = "for (ulong k = last * WIDTH + get_local_id(0); k < n; k += WG)";
    const std::pair<const char*, std::string> wrong[] = {
        {"two_stages", with(two_stages, "group + 1 == groups)", "group + 1 == groups && n < 1000)")},
        {"two_stages", with(two_stages, last, with(last, "k < n", "k + 1 < n"))},
        {"sequential", with(shipped("sequential.cl"), "i = first; i < last", "i = first; i + 1 < last")},
        {"atomics", with(shipped("atomics.cl"), "if (i < n) {", "if (i < n && i != 4711) {")}};
    on_each_device([&](const DeviceInfo& device) {
        for (const auto& [variant, text] : wrong)
            for (const std::string analysis : {"reduce", "dot"})
                for (const std::int64_t size : {some, std::int64_t{20'000'003}}) {
                    if (size > some && variant == std::string("atomics")) continue;  // it is in the middle
                    const auto problem = problem_with(analysis, of_size(size, 3));
                    Progress progress;
                    const ks::Run run =
                        engine().run(request_of_text(analysis, variant, device, text), problem, progress);
                    EXPECT_EQ(run.verdict.state, Verdict::State::fail)
                        << analysis << " " << variant << " " << size << ": " << run.verdict.text;
                }
    });
}

TEST(OwnReduction, a_right_sum_is_right_in_any_order) {
    const std::string kahan =
        "kernel void reduce(const ulong first, const ulong last, global const float* x, global const float* "
        "y,\n"
        "                   global float* out) {\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "    volatile float sum = 0, lost = 0;\n"
        "    for (ulong i = first; i < last; ++i) {\n"
        "        const float term = (DOT ? x[i] * y[i] : x[i]) - lost, next = sum + term;\n"
        "        lost = (next - sum) - term;\n"
        "        sum = next;\n"
        "    }\n"
        "    out[0] = sum;\n"
        "}\n";
    std::vector<std::pair<const char*, std::string>> right{{"sequential", kahan}};
    for (const char* variant : {"sequential", "tree", "two_stages", "atomics"})
        right.emplace_back(variant, shipped(std::string(variant) + ".cl"));
    on_each_device([&](const DeviceInfo& device) {
        for (const std::string analysis : {"reduce", "dot"})
            for (const std::int64_t seed : {1, 2, 3}) {
                const auto problem = problem_with(analysis, of_size(some, seed));
                for (const auto& [variant, text] : right) {
                    // A change of the text makes it another one, as an edit does.
                    Progress progress;
                    const ks::Run run = engine().run(
                        request_of_text(analysis, variant, device, text + "// " + std::to_string(seed)),
                        problem, progress);
                    EXPECT_EQ(run.verdict.state, Verdict::State::pass)
                        << analysis << " " << variant << ": " << run.verdict.text;
                    EXPECT_NE(run.verdict.text.find("of 10000003 ones is right"), std::string::npos)
                        << run.verdict.text;
                }
            }
    });
}

TEST(OwnReduction, ones_are_summed_once_and_outside_the_kernels_times) {
    on_each_device([](const DeviceInfo& device) {
        const auto problem = problem_with("reduce", of_size(777));
        const auto stage = [](const ks::Run& run, const std::string& name) -> const Timing* {
            for (const Timing& row : run.timings)
                if (row.stage == name) return &row;
            return nullptr;
        };
        const std::string text = shipped("two_stages.cl") + "// of this test\n";
        Request request = request_of_text("reduce", "two_stages", device, text);
        Progress progress;
        const ks::Run first = engine().run(request, problem, progress);
        ASSERT_NE(stage(first, "sum ones"), nullptr);
        EXPECT_EQ(stage(first, "sum ones")->kind, StageKind::overhead);
        EXPECT_EQ(stage(first, "reduce")->launches, 1U);
        EXPECT_EQ(first.result.facts.at("sum_of_ones"), 777);
        const ks::Run second = engine().run(request, problem, progress);
        EXPECT_EQ(stage(second, "sum ones"), nullptr) << "the repeats of a benchmark are as those of others";
        EXPECT_EQ(second.result.facts.at("sum_of_ones"), 777);
        request.kernel_source += "// no printf\n";
        EXPECT_FALSE(engine().run(request, problem, progress).result.facts.contains("ones"));
        EXPECT_FALSE(run_with("reduce", "two_stages", device, of_size(777)).result.facts.contains("ones"));
    });
}

}  // namespace
}  // namespace ks::tests::reduce
