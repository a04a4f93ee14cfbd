// Operations of vector types against the values of the lecture, and a cast that must not build.

#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::vector_types {
namespace {

std::string text_at(const ks::Run& run, const char* name) {
    return text_of(run.result.at(name));
}

TEST(Vectors, of_the_lecture_are_as_it_says) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("vectors", "vector.types", device, {});
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        const std::string output = text_at(run, "output");
        for (const char* line :
             {"a + b                      = (8, -1, 1, 9)\n", "a < b                      = (0, -1, -1, 0)\n",
              "all(a < b)                 = (0)\n", "any(a < b)                 = (1)\n",
              "f.wzyx                     = (1, 2, 3, 4)\n", "f.xxyy                     = (4, 4, 3, 3)\n",
              "f.even                     = (4, 2)\n", "f.hi                       = (2, 1)\n",
              "convert_uchar4_sat_rte(c)  = (0, 254, 255, 255)\n"})
            EXPECT_NE(output.find(line), std::string::npos) << line << output;
    });
}

TEST(Vectors, of_the_user_are_right_too) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("vectors", "vector.types", device,
                                     {{"a", std::string("2147483647, -2147483648,65536,0")},
                                      {"b", std::string("2147483647,1,65536,1")},
                                      {"f", std::string("-0.0,1e-30,3.5,1e30")},
                                      {"c", std::string("0.5,1.5,2.5,255.5")}});
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        EXPECT_NE(text_at(run, "output").find("sat_rte(c)  = (0, 2, 2, 255)"), std::string::npos);
        for (const char* wrong : {"1,2,3", "1,2,3,4,5", "1,2,3,", "1,2,3,x", "", "1,2,3,2147483648"})
            EXPECT_NE(refusal_of("vectors", "vector.types", device, {{"a", std::string(wrong)}})
                          .find("four comma-separated 32-bit integers"),
                      std::string::npos)
                << wrong;
        refusal_of("vectors", "vector.types", device, {{"c", std::string("1,2,3,nan")}});
    });
}

TEST(Vectors, an_illegal_cast_is_refused_by_the_compiler_and_its_message_shown) {
    on_each_device([](const DeviceInfo& device) {
        ks::Run run = run_with("vectors", "vector.types", device, {});
        EXPECT_EQ(run.result.facts.at("illegal_cast"), "refused");
        EXPECT_NE(text_at(run, "illegal_cast").find("error"), std::string::npos)
            << text_at(run, "illegal_cast");
        run.result.facts["illegal_cast"] = "taken";
        Progress progress;
        const Analysis& analysis = engine().registry().analysis("vectors");
        EXPECT_EQ(analysis.check(*problem_with("vectors", {}), run, CheckMode::full, progress).state,
                  Verdict::State::fail);
        run = run_with("vectors", "vector.types", device, {});
        run.result.datasets.at(0).values.as<double>()[0] = 9;
        EXPECT_EQ(analysis.check(*problem_with("vectors", {}), run, CheckMode::full, progress).state,
                  Verdict::State::fail);
    });
}

}  // namespace
}  // namespace ks::tests::vector_types
