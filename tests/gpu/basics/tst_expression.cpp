// Maps and reductions that are typed in: against closed forms and the host's evaluator, and errors of
// compilers.

#include <cmath>
#include <tuple>

#include "core/basics/expression/expression.h"
#include "core/kernels/build_source.h"
#include "gpu/runtime/kernel_files.h"
#include "tests/gpu/basics/exercise_runs.h"

namespace ks::tests::typed_in {
namespace {

using basics::Expression;

ParameterSet with_texts(const std::string& values, const std::string& map, const std::string& reduce,
                        const std::string& neutral, const std::string& preamble = {}) {
    return {{"x", values},           {"y", values},
            {"map_expression", map}, {"reduce_expression", reduce},
            {"neutral", neutral},    {"preamble", preamble}};
}

float reduced(const ks::Run& run) {
    return run.result.at("reduced").values.as<float>()[0];
}

TEST(Expression, of_the_lecture_is_the_scalar_product) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("expression", "map.reduce", device, {});
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        EXPECT_NEAR(reduced(run), 399.0 * 400 * 799 / 6, 20);
    });
}

TEST(Expression, is_right_for_other_texts_and_sizes) {
    on_each_device([](const DeviceInfo& device) {
        for (const char* values : {"range:1", "range:63", "range:65", "range:5000", "-1.5, 2,1e3"})
            for (const auto& [map, reduce, neutral] : {std::tuple{"x[i] + 2*y[i]", "max(a, b)", "-1e30f"},
                                                       {"-x[i]/(y[i] + 1.5f)", "a + b", "0"},
                                                       {"fmin(x[i], 7.0f) - y[i]", "fmin(a,b)", "1000000"},
                                                       {"1/2 + x[i]", "a+b", "0"}}) {
                const ks::Run run =
                    run_with("expression", "map.reduce", device, with_texts(values, map, reduce, neutral));
                EXPECT_EQ(run.verdict.state, Verdict::State::pass) << map << ": " << run.verdict.text;
            }
    });
}

TEST(Expression, what_hardly_means_what_was_typed_is_said) {
    on_each_device([](const DeviceInfo& device) {
        for (const auto& [map, said] : {std::pair{"1/2*x[i]", "\"1/2*x[i]\": 1 / 2 = 0,"},
                                        {"x[i]*(7-2)/5", ""},
                                        {"6/3*x[i]", ""},
                                        {"x[i]*1/2", ""},
                                        {"x[i]+(3+4)/(1-3)", ": 7 / -2 = -3,"},
                                        {"1.0f/2*x[i]", ""},
                                        {"x[i > 0 ? i - 1 : 0]", "an index other than i"},
                                        {"y [ i ] + max(x[i], 3/2.0f)", ""}}) {
            const ks::Run run =
                run_with("expression", "map.reduce", device, with_texts("range:10", map, "a+b", "0"));
            if (*said == '\0')
                EXPECT_TRUE(run.result.warnings.empty()) << map << ": " << run.result.warnings.front();
            else if (run.result.warnings.size() == 1)
                EXPECT_NE(run.result.warnings[0].find(said), std::string::npos) << run.result.warnings[0];
            else
                ADD_FAILURE() << map << ": " << run.result.warnings.size() << " warnings";
        }
    });
}

TEST(Expression, a_reduction_that_depends_on_the_order_fails_with_both_values) {
    on_each_device([](const DeviceInfo& device) {
        for (const auto& [reduce, neutral, in_order] : {std::tuple{"a-b", "0", "-45 in sequence"},
                                                        {"a+b", "1", "46 in sequence"},
                                                        {"2*a+b", "0", "in sequence"}}) {
            const ks::Run run =
                run_with("expression", "map.reduce", device, with_texts("range:10", "x[i]", reduce, neutral));
            EXPECT_EQ(run.verdict.state, Verdict::State::fail) << reduce << ": " << run.verdict.text;
            EXPECT_NE(run.verdict.text.find(in_order), std::string::npos) << run.verdict.text;
        }
    });
}

TEST(Expression, a_reduction_that_is_no_number_is_said_and_not_compared) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run =
            run_with("expression", "map.reduce", device, with_texts("range:10", "x[i]/y[i]", "a+b", "0"));
        EXPECT_EQ(run.verdict.state, Verdict::State::pass) << run.verdict.text;
        EXPECT_NE(run.verdict.text.find("9 of 10 values"), std::string::npos) << run.verdict.text;
        EXPECT_NE(run.verdict.text.find("was not compared"), std::string::npos) << run.verdict.text;
        ASSERT_EQ(run.result.warnings.size(), 1U);
        EXPECT_EQ(run.result.warnings[0],
                  "the reduction of all values is NaN, and 1 of 10 values is not finite");
        EXPECT_EQ(run.result.facts.at("reduced"), "NaN");
        const ks::Run beyond =
            run_with("expression", "map.reduce", device, with_texts("1, 2", "x[i]*1e38f*-3", "a+b", "0"));
        EXPECT_EQ(beyond.result.facts.at("reduced"), "-inf");
        EXPECT_TRUE(beyond.verdict.text.ends_with(
            "; the reduction of the values is -inf, which is not finite, and was not compared"))
            << beyond.verdict.text;
    });
}

TEST(Expression, a_neutral_value_that_changes_the_reduction_is_named) {
    on_each_device([](const DeviceInfo& device) {
        const auto of = [&](const std::string& values, const std::string& reduce,
                            const std::string& neutral) {
            return run_with("expression", "map.reduce", device, with_texts(values, "x[i]", reduce, neutral))
                .verdict;
        };
        const Verdict wrong = of("-3, -5, -4", "max(a,b)", "0");
        EXPECT_EQ(wrong.state, Verdict::State::fail);
        EXPECT_EQ(wrong.text,
                  "fail: the reduction gives 0 with the neutral value 0, but -3 without it; a neutral value "
                  "changes nothing");
        EXPECT_EQ(of("3, -5, 4", "max(a,b)", "0").state, Verdict::State::pass) << "4 in any case";
        EXPECT_EQ(of("3, 5", "min(a,b)", "0").state, Verdict::State::fail);
        EXPECT_EQ(of("0.1, 0.2, 0.3", "a+b", "0").state, Verdict::State::pass);
    });
}

TEST(Expression, the_rounding_of_a_value_that_loses_hides_nothing) {
    on_each_device([](const DeviceInfo& device) {
        // max(a,b) - 1 is no reduction: a tree of 400 values takes 1 away less often than a sequence does
        for (const auto& [map, reduce, neutral] : {std::tuple{"-x[i]", "max(a,b)-1", "-1e30f"},
                                                   {"x[i]", "min(a,b)+1", "3.4e38f"},
                                                   {"-fmax(x[i], -1e30f)", "fmax(a,b)-1", "-1e9f"}}) {
            const ks::Run run =
                run_with("expression", "map.reduce", device, with_texts("range:400", map, reduce, neutral));
            EXPECT_EQ(run.verdict.state, Verdict::State::fail) << reduce << ": " << run.verdict.text;
        }
        // the text starts with 0 instead of the neutral value
        std::string text = gpu::kernel_text("gpu/basics/expression/map_reduce.cl");
        const std::string neutral = "neutral_of()";
        std::size_t at = text.rfind(neutral);
        ASSERT_NE(at, std::string::npos);
        text.replace(at, neutral.size(), "0");
        Request request = request_of("expression", "map.reduce", device);
        request.parameters = with_texts("1,2,3", "-x[i]", "max(a,b)", "-1e30f");
        request.check = CheckMode::full;
        request.kernel_source = text;
        Progress progress;
        const ks::Run run = engine().run(request, problem_with("expression", request.parameters), progress);
        EXPECT_EQ(reduced(run), 0);
        EXPECT_EQ(run.verdict.state, Verdict::State::fail) << run.verdict.text;
    });
}

TEST(Expression, minima_of_whole_numbers_are_whole) {
    on_each_device([](const DeviceInfo& device) {
        for (const auto& [map, sum] : {std::tuple{"max(3,2)/2*x[i]", 6.0F},  // 3 / 2 is 1
                                       {"min(7,4)/3*x[i]", 6.0F},            // 4 / 3 is 1
                                       {"max(3.0f,2.0f)/2*x[i]", 9.0F},      // 1.5
                                       {"fmax(x[i], 5.0f)/2", 7.5F},         // 2.5 each
                                       {"max(min(9,5),4)/2*x[i]", 12.0F}})   // 5 / 2 is 2
            for (const char* variant : {"map.reduce", "host.reference"}) {
                const ks::Run run =
                    run_with("expression", variant, device, with_texts("1,2,3", map, "a+b", "0"));
                EXPECT_EQ(run.verdict.state, Verdict::State::pass) << map << ": " << run.verdict.text;
                EXPECT_EQ(reduced(run), sum) << map << " by " << variant;
            }
    });
}

TEST(Expression, a_wrong_reduction_is_named_even_if_the_right_result_is_beyond_float) {
    on_each_device([](const DeviceInfo& device) {
        // 40! is 8.2e47, and the sum of these values overflows as well
        const auto of = [&](const char* map, const char* reduce, const char* neutral) {
            return run_with("expression", "map.reduce", device, with_texts("range:40", map, reduce, neutral))
                .verdict;
        };
        EXPECT_EQ(
            of("x[i]+1", "a*b", "0").text,
            "fail: the reduction of the neutral value 0 and 1 gives 0; a neutral value changes nothing");
        EXPECT_EQ(of("(x[i]+1)*1e38f", "a-b", "0").state, Verdict::State::fail);
        EXPECT_EQ(of("x[i]+1", "a*b", "1").state, Verdict::State::pass) << "of the values alone";
        EXPECT_EQ(of("(x[i]+1)*1e38f", "a+b", "0").state, Verdict::State::pass);
    });
}

TEST(Expression, that_the_host_does_not_know_runs_unchecked) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with(
            "expression", "map.reduce", device,
            with_texts("range:3", "square(x[i])", "a+b", "0", "float square(float v) { return v * v; }"));
        EXPECT_EQ(run.verdict.state, Verdict::State::unchecked);
        EXPECT_TRUE(run.verdict.text.starts_with("the host can only evaluate")) << run.verdict.text;
        EXPECT_EQ(reduced(run), 5);
    });
}

TEST(Expression, the_text_that_ran_is_kept_with_the_run) {
    on_each_device([](const DeviceInfo& device) {
        const ks::Run run = run_with("expression", "map.reduce", device,
                                     with_texts("range:9", "x[i] - 2*y[i]", "max(a, b)", "-5",
                                                "float square(float v) { return v * v; }"));
        ASSERT_EQ(run.builds.size(), 1U);
        const auto source = source_of_build(run, run.builds[0], engine().kernel_files());
        ASSERT_TRUE(source);
        for (const char* part :
             {"x[i] - 2*y[i]", "max(a, b)", "-5", "float square", "kernel void map_values"})
            EXPECT_NE(source->text().find(part), std::string::npos) << part;
        EXPECT_EQ(source->text().find("x[i] * y[i]"), std::string::npos) << "of other expressions";
    });
}

TEST(Expression, functions_of_an_edited_text_take_the_place_of_those_of_the_fields) {
    on_each_device([](const DeviceInfo& device) {
        Request request = request_of("expression", "map.reduce", device);
        request.parameters = with_texts("range:10", "x[i]", "a+b", "0");
        request.check = CheckMode::full;
        const std::string shipped = gpu::kernel_text("gpu/basics/expression/map_reduce.cl");
        const auto run = [&](const std::string& before) {
            request.kernel_source = before + shipped;
            Progress progress;
            return engine().run(request, problem_with("expression", request.parameters), progress);
        };
        const ks::Run same = run("");
        EXPECT_EQ(same.verdict.state, Verdict::State::pass) << same.verdict.text;
        EXPECT_TRUE(same.result.warnings.empty());
        const ks::Run other =
            run("float map_of(const size_t i, global const float* x, global const float* y) { return 777.0f; "
                "}\n");
        EXPECT_EQ(other.verdict.state, Verdict::State::fail) << other.verdict.text;
        EXPECT_EQ(reduced(other), 7770);
        ASSERT_EQ(other.result.warnings.size(), 1U);
        EXPECT_NE(other.result.warnings[0].find("map_of"), std::string::npos) << other.result.warnings[0];
        ASSERT_EQ(other.builds.size(), 1U);
        EXPECT_EQ(other.builds[0].inserted.find("map_of"), std::string::npos) << other.builds[0].inserted;
        EXPECT_NE(other.builds[0].inserted.find("reduce_of"), std::string::npos);
        EXPECT_THROW(run("float map_of(void) { this does not compile at all; }\n"), Error);
    });
}

TEST(Expression, that_does_not_compile_is_named_with_its_line) {
    on_each_device([](const DeviceInfo& device) {
        for (const auto& [name, line, set] :
             {std::tuple{"map_expression",
                         "line 1 does not compile: ", with_texts("range:3", "x[i] *", "a+b", "0")},
              std::tuple{"reduce_expression",
                         "line 1 does not compile: ", with_texts("range:3", "x[i]", "a+unknown", "0")},
              std::tuple{"neutral",
                         "line 2 does not compile: ", with_texts("range:3", "x[i]", "a+b", "\nunknown")},
              std::tuple{"neutral",
                         "line 1 does not compile: ", with_texts("range:3", "x[i]", "a+b", "/* nothing */")},
              std::tuple{"preamble", "line 3 does not compile: ",
                         with_texts("range:3", "x[i]", "a+b", "0",
                                    "// one\nfloat two(void);\nfloat three(nothing v);")}}) {
            try {
                run_with("expression", "map.reduce", device, set);
                ADD_FAILURE() << "it compiled";
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::build);
                EXPECT_EQ(error.where(), name) << error.what() << error.details();
                EXPECT_NE(std::string(error.what()).find(line), std::string::npos) << error.what();
                EXPECT_FALSE(error.details().empty());
            }
        }
        for (const char* id : {"map_expression", "reduce_expression", "neutral"})
            for (const char* nothing : {"", " \n\t"}) {
                const std::string said =
                    refusal_of("expression", "map.reduce", device, {{id, std::string(nothing)}});
                EXPECT_NE(said.find("expected an expression, found nothing"), std::string::npos) << said;
            }
        EXPECT_NE(refusal_of("expression", "map.reduce", device, {{"x", std::string("1,2")}})
                      .find("expected 2 numbers"),
                  std::string::npos);
        for (const char* wrong : {"", "1,,2", "range:0", "range:x", "1 2", "nan"})
            refusal_of("expression", "map.reduce", device, {{"x", std::string(wrong)}});
        for (const char* beyond : {"1e-50", "1e39", "-1e400"}) {
            const std::string why =
                refusal_of("expression", "map.reduce", device, {{"x", std::string("2,") + beyond + ",3"}});
            EXPECT_NE(
                why.find(std::string("that a float can hold (0, or 1.4e-45 to 3.4e38 in magnitude), found "
                                     "\"") +
                         beyond + "\""),
                std::string::npos)
                << why;
        }
    });
}

TEST(Expression, a_wrong_value_fails_the_check) {
    on_each_device([](const DeviceInfo& device) {
        for (const auto& [name, text] : {std::pair{"mapped", "fail: element 0 of \"mapped\" is "},
                                         std::pair{"reduced", "fail: the reduction gives "}}) {
            ks::Run run = run_with("expression", "map.reduce", device, {});
            for (Dataset& dataset : run.result.datasets)
                if (dataset.name == name)
                    dataset.values.as<float>()[0] *= 1.01F, dataset.values.as<float>()[0] += 1;
            Progress progress;
            const Verdict verdict =
                engine()
                    .registry()
                    .analysis("expression")
                    .check(*problem_with("expression", {}), run, CheckMode::full, progress);
            EXPECT_TRUE(verdict.text.starts_with(text)) << verdict.text;
        }
    });
}

TEST(Evaluator, takes_expressions_as_a_compiler_does) {
    const auto value = [](const std::string& text) {
        const auto parsed = Expression::parsed(text, "xy");
        return parsed ? parsed->at({3, 0}, {4, 0}, {}, {}).value : -999;
    };
    EXPECT_EQ(value("1+2*3"), 7);
    EXPECT_EQ(value("(1+2)*3-4"), 5);
    EXPECT_EQ(value("8-2-1"), 5);
    EXPECT_EQ(value("x[i]*y[ i ]"), 12);
    EXPECT_EQ(value("7/2"), 3) << "whole numbers";
    EXPECT_EQ(value("7/2.0f"), 3.5);
    EXPECT_EQ(value("-x[i]*2"), -6);
    EXPECT_EQ(value("max(x[i], min(y[i], 2.5f))"), 3);
    for (const char* unknown :
         {"", "1+", "sin(x[i])", "x[0]", "a+b", "010", "0x10", "1 2", "(1", "x[i]y[i]", "--1"})
        EXPECT_EQ(value(unknown), -999) << unknown;
    EXPECT_TRUE(std::isinf(Expression::parsed("1/0", "")->at({}, {}, {}, {}).error));
    EXPECT_EQ(value("+x[i]"), 3);
    EXPECT_EQ(value("2*+x[i] + -1"), 5);
    EXPECT_EQ(value("++x[i]"), -999);
}

TEST(Evaluator, a_number_beyond_int_is_a_long) {
    const auto of = [](const std::string& text) {
        return Expression::parsed(text, "xy")->at({3, 0}, {}, {}, {});
    };
    EXPECT_EQ(of("3000000000*x[i]").value, 9e9);
    EXPECT_LT(of("3000000000*x[i]").error, 1e4);
    EXPECT_LT(of("3000000000 + 1").error, 256) << "half the distance of floats there";
    EXPECT_EQ(of("3000000000/1000000000*x[i]").value, 9) << "whole numbers";
    for (const char* overflows : {"2147483647 + 1", "2000000000*2", "9007199254740993"})
        EXPECT_TRUE(std::isinf(of(overflows).error)) << overflows;
}

}  // namespace
}  // namespace ks::tests::typed_in
