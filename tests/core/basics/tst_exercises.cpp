// The exercises on the host: their definitions against loops of this file, and what their checks find.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/basics/elementwise/elementwise.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/basics/matmul/matmul.h"
#include "core/basics/reduce/reduce.h"
#include "core/basics/scan/scan.h"
#include "core/basics/tasks/tasks.h"
#include "core/data/not_numbers.h"
#include "core/run/registry.h"
#include "tests/core/basics/run_exercise.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

using basics::Elementwise;
using basics::ElementwiseProblem;
using basics::MatmulProblem;
using basics::ReduceProblem;
using basics::Reduction;
using basics::ScanProblem;

const Elementwise added{Elementwise::Kind::sum}, multiplied{Elementwise::Kind::product};
constexpr std::size_t sizes[] = {1, 2, 3, 63, 64, 65, 1000};

Verdict checked_by(const char* analysis, const Problem& problem, const ks::Run& run,
                   CheckMode mode = CheckMode::full) {
    Progress progress;
    return Registry().analysis(analysis).check(problem, run, mode, progress);
}

std::shared_ptr<const Problem> loaded(const char* analysis, const ParameterSet& parameters) {
    Request request;
    request.analysis = analysis;
    request.parameters = parameters;
    Progress progress;
    return Registry().analysis(analysis).load(request, progress, nullptr);
}

TEST(Exercises, EachHasAPlaceOfItsOwnInTheOrderOfLists) {
    const std::vector<basics::Exercise> all = basics::all_exercises();
    for (std::size_t i = 1; i < all.size(); ++i)
        EXPECT_LT(all[i - 1].place, all[i].place)
            << all[i - 1].analysis.info().id << " and " << all[i].analysis.info().id;
}

TEST(Exercises, TheirInputFollowsFromTheSeed) {
    const auto made = [](std::size_t count, std::uint64_t seed, std::uint64_t stream) {
        return basics::exercise_values(count, seed, stream, Progress());
    };
    const auto values = made(200'000, 7, 1);
    EXPECT_EQ(values, made(200'000, 7, 1));
    EXPECT_NE(values, made(200'000, 8, 1));
    EXPECT_NE(values, made(200'000, 7, 2));
    const auto longer = made(200'001, 7, 1);
    EXPECT_TRUE(std::equal(values.begin(), values.end(), longer.begin()));
    double sum = 0;
    for (const float value : values) {
        ASSERT_TRUE(value >= -1 && value < 1);
        ASSERT_EQ(std::ldexp(value, 23), std::nearbyint(std::ldexp(value, 23)));
        sum += value;
    }
    EXPECT_LT(std::abs(sum / 200'000), 0.01);
}

TEST(Expression, ANumberWithADecimalCommaIsRefused) {
    const Registry registry;
    const auto error_of = [&](const char* id, const char* typed) -> std::string {
        Request request;
        request.analysis = "expression";
        request.parameters =
            checked(registry.analysis("expression").info().parameters, {{id, std::string(typed)}});
        Progress progress;
        try {
            registry.analysis("expression").load(request, progress, nullptr);
        } catch (const Error& error) {
            return std::string(error.where()) + ": " + error.message();
        }
        return {};
    };
    EXPECT_EQ(error_of("map_expression", "0,5*x[i]"),
              "map_expression: 0,5 is C's comma operator here; write 0.5");
    EXPECT_EQ(error_of("map_expression", "max(x[i], (1,25))"),
              "map_expression: 1,25 is C's comma operator here; write 1.25");
    EXPECT_EQ(error_of("reduce_expression", "a + 1,000f*b"),
              "reduce_expression: 1,000 is C's comma operator here; write 1.000 or 1000");
    EXPECT_EQ(error_of("neutral", "0,5"), "neutral: 0,5 is C's comma operator here; write 0.5");
    for (const char* valid : {"max(1,2)*x[i]", "fma (x[i],2,(y[i]))", "((float2)(1,2)).x", "x[i]",
                              "(x[i], 5)", "dot((float4)(1,2,3,4), (float4)(0,5,0,5))"})
        EXPECT_EQ(error_of("map_expression", valid), "") << valid;
}

TEST(Exercises, StopWhileTheirInputIsGenerated) {
    for (const char* id : {"vector_add", "multiply", "map", "reduce", "dot", "scan", "matmul", "tasks",
                           "atomics", "buffers", "copy", "images", "memory_spaces", "printf"}) {
        Request request;
        request.analysis = id;
        Progress progress;
        progress.cancel();
        try {
            (void)Registry().analysis(id).load(request, progress, nullptr);
            ADD_FAILURE() << id << " does not stop";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::cancelled) << id << ": " << error.what();
        }
    }
}

/// Largest memory that this process has used, in bytes.
std::size_t most_used() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
    return 0;
}

TEST(Exercises, GetNoMemoryForTheirInputOnceAStopIsRequested) {
    constexpr std::size_t count = std::size_t{1} << 28, mib = std::size_t{1} << 20;
    Progress stopped;
    stopped.cancel();
    const std::size_t before = most_used();
    ASSERT_GT(before, 0);
    EXPECT_THROW(basics::exercise_values(count, 1, 1, stopped), Error);
    // Of 1024. The sanitizer of addresses keeps a byte for every 8 that are allocated: 128 MiB.
    EXPECT_LT(most_used() - before, 192 * mib);
}

TEST(Matmul, AStopIsSeenWithinARowAndACountOfNaN) {
    Progress stopped;
    const MatmulProblem problem(8, 1);
    std::vector<double> sums(8);
    basics::exact_row(problem, 3, sums, stopped);
    stopped.cancel();
    EXPECT_THROW(basics::exact_row(problem, 3, sums, stopped), Error);
    const std::vector<float> values(8, 1.0F);
    EXPECT_THROW(nan_text(std::span<const float>(values), stopped), Error);
}

TEST(Exercises, AreAGroupThatNeedsNoInputAndHasNoGenerator) {
    for (const Analysis& analysis : basics::make_analyses()) {
        EXPECT_EQ(analysis.info().group, "Basics");
        EXPECT_FALSE(analysis.info().needs_input());
        EXPECT_FALSE(analysis.has_generator());
        EXPECT_TRUE(analysis.has_benchmark());
        Progress progress;
        EXPECT_EQ(input_error([&] { analysis.generate({}, "never.h5", false, progress); }),
                  analysis.info().id + ": the analysis has no generator");
    }
}

TEST(Exercises, OverACeilingTheTextSaysWhy) {
    ks::Ceilings ceilings;
    for (const char* id : {ks::ceiling_ids::copy, ks::ceiling_ids::fma_f32}) {
        ks::Ceiling one;
        one.id = id;
        one.samples = {100};
        ceilings.values.push_back(one);
    }
    const auto share = [&](double rate, const char* id) {
        return ks::basics::share_of(rate, ceilings, id, "some thing").value();
    };
    EXPECT_EQ(share(99, ks::ceiling_ids::copy).text, "99 % of the ceiling of some thing");
    EXPECT_FALSE(share(99, ks::ceiling_ids::copy).cached);
    const ks::CeilingShare over = share(398, ks::ceiling_ids::copy);
    EXPECT_EQ(over.text, "3.98 x the ceiling of some thing, because a cache holds the data");
    EXPECT_TRUE(over.cached);
    EXPECT_EQ(
        share(120, ks::ceiling_ids::fma_f32).text,
        "1.2 x the ceiling of some thing; the machine was probably busier when the ceiling was measured");
    EXPECT_FALSE(share(120, ks::ceiling_ids::fma_f32).cached);
}

TEST(VectorAdd, OfTheHostIsTheSumOfTheElements) {
    for (const std::size_t size : sizes) {
        const ElementwiseProblem problem(size, 3, added);
        for (const char* variant : {"host.reference", "host.threads"}) {
            const ks::Run run = run_exercise("vector_add", problem, variant);
            const auto c = run.result.at("c").values.as<float>();
            ASSERT_EQ(c.size(), size);
            for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(c[i], problem.a()[i] + problem.b()[i]);
            EXPECT_EQ(checked_by("vector_add", problem, run).state, Verdict::State::pass);
        }
    }
}

TEST(VectorAdd, OneBitMoreIsFound) {
    const ElementwiseProblem problem(65, 3, added);
    ks::Run run = run_exercise("vector_add", problem, "host.reference");
    float& last = run.result.datasets[0].values.as<float>()[64];
    last = std::nextafter(last, 2.0F);
    const Verdict verdict = checked_by("vector_add", problem, run);
    EXPECT_EQ(verdict.state, Verdict::State::fail);
    EXPECT_EQ(verdict.where, "c, element 64");
    EXPECT_TRUE(contains(verdict.text, {"1 of 65 sums differ"}));
    const float right = problem.a()[64] + problem.b()[64];
    ASSERT_TRUE(verdict.worst_error);
    EXPECT_DOUBLE_EQ(*verdict.worst_error, std::abs((static_cast<double>(last) - right) / right));
    EXPECT_LT(*verdict.worst_error, 1.2e-7);
    EXPECT_EQ(judged_error(verdict), std::nullopt) << "values must be equal: no error is allowed";
    last = std::nanf("");
    EXPECT_EQ(checked_by("vector_add", problem, run).worst_error, std::numeric_limits<double>::infinity());
    run.result.datasets[0].values = Array(ElementType::f32, {64});
    EXPECT_EQ(checked_by("vector_add", problem, run).state, Verdict::State::fail);
    EXPECT_EQ(checked_by("vector_add", problem, run).worst_error, std::nullopt);
}

TEST(Elementwise, OfTheHostIsTheProductOrTheCombination) {
    for (const std::size_t size : sizes) {
        const ElementwiseProblem product(size, 3, multiplied),
            combination(size, 3, {Elementwise::Kind::combination, 2.5F, -3.0F});
        for (const char* variant : {"host.reference", "host.threads"}) {
            const ks::Run products = run_exercise("multiply", product, variant);
            const ks::Run combined = run_exercise("map", combination, variant);
            const auto c = products.result.at("c").values.as<float>();
            const auto m = combined.result.at("c").values.as<float>();
            for (std::size_t i = 0; i < size; ++i) {
                const long double a = product.a()[i], b = product.b()[i];
                ASSERT_EQ(c[i], static_cast<float>(a * b));
                ASSERT_EQ(m[i], static_cast<float>(2.5L * a - 3 * b));
            }
            EXPECT_EQ(checked_by("multiply", product, products).state, Verdict::State::pass);
            EXPECT_EQ(checked_by("map", combination, combined).state, Verdict::State::pass);
        }
    }
}

TEST(Elementwise, AWrongElementIsFound) {
    const ElementwiseProblem product(65, 3, multiplied),
        combination(65, 3, {Elementwise::Kind::combination, 2, 3});
    ks::Run run = run_exercise("multiply", product, "host.reference");
    float& last = run.result.datasets[0].values.as<float>()[64];
    last = std::nextafter(last, 2.0F);
    EXPECT_EQ(checked_by("multiply", product, run).state, Verdict::State::fail);
    ks::Run map = run_exercise("map", combination, "host.reference");
    float& value = map.result.datasets[0].values.as<float>()[64];
    value += 2e-6F;
    const Verdict wrong = checked_by("map", combination, map);
    EXPECT_EQ(wrong.where, "c, element 64");
    const double scale = 2 * std::abs(combination.a()[64]) + 3 * std::abs(combination.b()[64]);
    EXPECT_NEAR(judged_error(wrong).value(), 2e-6 / scale, 2e-7);
    EXPECT_EQ(wrong.tolerance, 1.2e-7);
    value = std::nanf("");
    EXPECT_EQ(checked_by("map", combination, map).state, Verdict::State::fail);
}

TEST(Reduce, OfTheHostIsTheSumTheLeastOrTheGreatest) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{65}, std::size_t{600'001}}) {
        for (const Reduction operation : {Reduction::sum, Reduction::min, Reduction::max})
            for (const bool floats : {true, false}) {
                const ReduceProblem problem(size, 5, operation, floats);
                std::uint32_t whole = operation == Reduction::min ? 0xFFFFFFFF : 0;
                // Sums of the input are multiples of 2^-23, so that those of whole numbers are exact.
                long long sum = 0;
                float least = 2, greatest = -2;
                for (std::size_t i = 0; i < size; ++i) {
                    if (floats) {
                        sum += static_cast<long long>(std::ldexp(problem.x()[i], 23));
                        least = std::min(least, problem.x()[i]);
                        greatest = std::max(greatest, problem.x()[i]);
                    } else if (operation == Reduction::sum) {
                        whole += problem.whole()[i];
                    } else {
                        whole = operation == Reduction::min ? std::min(whole, problem.whole()[i])
                                                            : std::max(whole, problem.whole()[i]);
                    }
                }
                for (const char* variant : {"host.reference", "host.threads"}) {
                    ks::Run run = run_exercise("reduce", problem, variant);
                    Array& value = run.result.datasets[0].values;
                    if (floats) {
                        const double exact = operation == Reduction::sum
                                                 ? std::ldexp(static_cast<double>(sum), -23)
                                             : operation == Reduction::min ? least
                                                                           : greatest;
                        EXPECT_EQ(value.as<float>()[0], static_cast<float>(exact));
                    } else {
                        EXPECT_EQ(value.as<std::uint32_t>()[0], whole);
                        const bool isSum = operation == Reduction::sum;
                        EXPECT_EQ(run.result.datasets[0].title, isSum ? "Sum modulo 2^32" : "Reduced value");
                        EXPECT_EQ(run.result.facts.contains("modulo"), isSum);
                    }
                    EXPECT_EQ(checked_by("reduce", problem, run).state, Verdict::State::pass);
                    if (floats)
                        value.as<float>()[0] -= static_cast<float>(problem.term(size - 1)) + 0.5F;
                    else
                        value.as<std::uint32_t>()[0] -= 1;
                    EXPECT_EQ(checked_by("reduce", problem, run).state, Verdict::State::fail);
                }
            }
    }
}

TEST(Dot, OfTheHostIsTheSumOfProducts) {
    for (const std::size_t size : sizes) {
        const ReduceProblem problem(size, 5);
        long double sum = 0;
        for (std::size_t i = size; i-- > 0;) sum += static_cast<long double>(problem.x()[i]) * problem.y()[i];
        ks::Run run = run_exercise("dot", problem, "host.threads");
        float& value = run.result.datasets[0].values.as<float>()[0];
        EXPECT_NEAR(value, static_cast<double>(sum), 6e-8 * std::abs(static_cast<double>(sum)));
        EXPECT_EQ(checked_by("dot", problem, run).state, Verdict::State::pass);
        value -= static_cast<float>(problem.term(size / 2));
        EXPECT_EQ(checked_by("dot", problem, run).state, Verdict::State::fail);
    }
}

TEST(Scan, OfTheHostIsTheSumUpToEachElement) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{65}, std::size_t{600'001}}) {
        const ScanProblem problem(size, 5);
        for (const char* variant : {"host.reference", "host.threads"}) {
            ks::Run run = run_exercise("scan", problem, variant);
            const auto c = run.result.datasets[0].values.as<std::uint32_t>();
            ASSERT_EQ(c.size(), size);
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < size; ++i) {
                sum += problem.x()[i];
                ASSERT_EQ(c[i], sum % (std::uint64_t{1} << 32));
            }
            EXPECT_EQ(checked_by("scan", problem, run).state, Verdict::State::pass);
            EXPECT_EQ(run.result.datasets[0].title, "Sums modulo 2^32");
            EXPECT_EQ(run.result.facts.at("modulo"), 4294967296U);
            c[size / 2] ^= 1;
            const Verdict verdict = checked_by("scan", problem, run);
            EXPECT_EQ(verdict.state, Verdict::State::fail);
            EXPECT_EQ(verdict.where, "c, element " + std::to_string(size / 2));
        }
    }
}

TEST(Images, TheVerdictOnLinearFilteringIsSaidInWords) {
    const auto problem = [](std::int64_t side) {
        ParameterSet set = defaults(Registry().analysis("images").info().parameters);
        set["width"] = set["height"] = side;
        set["filter"] = std::string("linear");
        set["zoom"] = 0.7;
        return loaded("images", set);
    };
    const auto large = problem(8), one = problem(1);
    ks::Run run = run_exercise("images", *large, "host.reference");
    const Verdict right = checked_by("images", *large, run);
    EXPECT_EQ(right.state, Verdict::State::pass);
    EXPECT_TRUE(right.text.starts_with("pass: 64 result pixels have, apart from rounding, the value"))
        << right.text;
    run.result.datasets.at(0).values.as<float>()[5 * 8 + 3] += 0.03F;
    const Verdict wrong = checked_by("images", *large, run);
    EXPECT_EQ(wrong.state, Verdict::State::fail);
    EXPECT_NE(wrong.text.find("times the range of the surrounding pixels"), std::string::npos) << wrong.text;
    EXPECT_NE(wrong.text.find("row 5, column 3"), std::string::npos) << wrong.text;
    // Around the only pixel of a picture all are equal.
    run = run_exercise("images", *one, "host.reference");
    run.result.datasets.at(0).values.as<float>()[0] += 1;
    const Verdict other = checked_by("images", *one, run);
    EXPECT_EQ(other.state, Verdict::State::fail);
    EXPECT_EQ(other.text.find("inf"), std::string::npos) << other.text;
    EXPECT_NE(other.text.find("all equal: sampled, row 0, column 0"), std::string::npos) << other.text;
}

TEST(Tasks, OfTheHostTakeTheirSteps) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{255}, std::size_t{256}, std::size_t{1000}})
        for (const std::size_t steps : {std::size_t{1}, std::size_t{7}}) {
            const basics::TasksProblem problem(size, steps, 5, false);
            for (const char* variant : {"host.reference", "host.threads"}) {
                ks::Run run = run_exercise("tasks", problem, variant);
                const auto c = run.result.datasets[0].values.as<std::uint32_t>();
                ASSERT_EQ(c.size(), size);
                for (std::size_t task = 0; task < size; ++task) {
                    std::uint64_t x = problem.x()[task];
                    for (std::size_t step = 0; step < steps; ++step) {
                        x = (1664525 * x + 1013904223) % (std::uint64_t{1} << 32);
                        x ^= x / 32768;
                    }
                    ASSERT_EQ(c[task], x);
                }
                EXPECT_EQ(checked_by("tasks", problem, run).state, Verdict::State::pass);
                c[size / 2] ^= 1;
                EXPECT_EQ(checked_by("tasks", problem, run).where, "c, element " + std::to_string(size / 2));
            }
        }
}

TEST(Matmul, OfTheHostIsTheSumOfProducts) {
    for (const std::size_t n : {1U, 2U, 3U, 63U, 64U, 65U}) {
        const MatmulProblem problem(n, 5);
        const ks::Run run = run_exercise("matmul", problem, "host.reference");
        const auto c = run.result.at("c").values.as<float>();
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                long double sum = 0;
                for (std::size_t k = n; k-- > 0;)
                    sum += static_cast<long double>(problem.a()[i * n + k]) * problem.b()[k * n + j];
                ASSERT_NEAR(c[i * n + j], static_cast<double>(sum),
                            6e-8 * (std::abs(static_cast<double>(sum)) + 1e-6));
            }
    }
}

TEST(Matmul, TheTripleLoopPassesAtEverySize) {
    for (const std::size_t n : sizes) {
        const MatmulProblem problem(n, 5);
        const ks::Run run = run_exercise("matmul", problem, "host.sequential");
        const Verdict verdict = checked_by("matmul", problem, run);
        EXPECT_EQ(verdict.state, Verdict::State::pass) << n << ": " << verdict.text;
        EXPECT_EQ(verdict.samples, n * n);
    }
}

/// The nearest number with so many bits behind the point.
double with_bits(float value, int bits) {
    if (value == 0) return 0;
    int exponent = 0;
    const double fraction = std::frexp(static_cast<double>(value), &exponent);
    return std::ldexp(std::round(std::ldexp(fraction, bits + 1)), exponent - bits - 1);
}

/// As if a variant that states a tolerance had rounded elements to so many bits.
Verdict verdict_on_rounded(const MatmulProblem& problem, int bits, std::vector<Tolerance> stated) {
    const std::size_t n = problem.size();
    ks::Run run = run_exercise("matmul", problem, "host.reference");
    run.variant.tolerances = std::move(stated);
    const auto c = run.result.datasets[0].values.as<float>();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k)
                sum += with_bits(problem.a()[i * n + k], bits) * with_bits(problem.b()[k * n + j], bits);
            c[i * n + j] = static_cast<float>(sum);
        }
    return checked_by("matmul", problem, run);
}

TEST(Matmul, ElementsMayBeRoundedAsFarAsTheVariantStates) {
    for (const std::size_t n : {1U, 2U, 65U, 300U}) {
        const MatmulProblem problem(n, 5);
        const std::vector<Tolerance> of_tf32 = {{"c", 0x1p-10}};
        EXPECT_EQ(verdict_on_rounded(problem, 10, of_tf32).state, Verdict::State::pass) << n;
        EXPECT_EQ(verdict_on_rounded(problem, 10, {}).state, Verdict::State::fail) << n;
    }
    const MatmulProblem problem(65, 5);
    EXPECT_EQ(verdict_on_rounded(problem, 4, {{"c", 0x1p-10}}).state, Verdict::State::fail);
    ks::Run run = run_exercise("matmul", problem, "host.reference");
    run.variant.tolerances = {{"c", 0x1p-10}};
    run.result.datasets[0].values.as<float>()[0] -= 0.1F;
    EXPECT_EQ(checked_by("matmul", problem, run).state, Verdict::State::fail);
}

TEST(Matmul, AProductThatIsMissingIsFound) {
    for (const std::size_t n : {1U, 65U, 1000U}) {
        const MatmulProblem problem(n, 5);
        ks::Run run = run_exercise("matmul", problem, "host.reference");
        float& last = run.result.datasets[0].values.as<float>()[n * n - 1];
        last -= problem.a()[n * n - 1] * problem.b()[n * n - 1];
        const Verdict verdict = checked_by("matmul", problem, run);
        EXPECT_EQ(verdict.state, Verdict::State::fail) << n << ": " << verdict.text;
        EXPECT_EQ(verdict.where, "c, row " + std::to_string(n - 1) + ", column " + std::to_string(n - 1));
        last = std::nanf("");
        EXPECT_EQ(checked_by("matmul", problem, run).state, Verdict::State::fail);
    }
}

TEST(Matmul, ASampleOfTheRowsIsEnoughForALargeProduct) {
    const MatmulProblem problem(1000, 5);
    const ks::Run run = run_exercise("matmul", problem, "host.reference");
    const Verdict verdict = checked_by("matmul", problem, run, CheckMode::sample);
    EXPECT_EQ(verdict.state, Verdict::State::sampled);
    EXPECT_LT(verdict.samples, 1'000'000U);
    EXPECT_GT(verdict.samples, 10'000U);
}

TEST(Matmul, ASampleFindsWhatIsWrongAtTheEndAndNaNAnywhere) {
    const MatmulProblem problem(1000, 5);
    const ks::Run right = run_exercise("matmul", problem, "host.reference");
    ks::Run run = right;
    run.result.datasets[0].values.as<float>()[999'999] += 1;
    EXPECT_EQ(checked_by("matmul", problem, run, CheckMode::sample).state, Verdict::State::fail);
    for (const std::size_t at : {1234U, 500'501U, 777'777U}) {
        run = right;
        run.result.datasets[0].values.as<float>()[at] = std::nanf("");
        const Verdict verdict = checked_by("matmul", problem, run, CheckMode::sample);
        EXPECT_EQ(verdict.state, Verdict::State::fail);
        EXPECT_EQ(verdict.text,
                  fmt::format("fail: 1 of 1000000 elements is NaN, the first in row {}, column {} of c",
                              at / 1000, at % 1000));
    }
}

TEST(VectorAdd, ASampleFindsWrongLanesTheLastElementAndNaN) {
    const std::size_t size = 1'000'000;
    const auto problem = loaded("vector_add", {{"size", static_cast<std::int64_t>(size)}});
    const ks::Run right = run_exercise("vector_add", *problem, "host.reference");
    const auto found = [&](auto&& change) {
        ks::Run run = right;
        change(run.result.datasets[0].values.as<float>());
        return checked_by("vector_add", *problem, run, CheckMode::sample);
    };
    EXPECT_EQ(found([](auto) {}).state, Verdict::State::sampled);
    EXPECT_EQ(found([&](auto c) { c[size - 1] += 1; }).state, Verdict::State::fail);
    EXPECT_EQ(found([](auto c) { c[0] += 1; }).state, Verdict::State::fail);
    for (const std::size_t lanes : {2U, 4U, 10U, 16U})
        for (std::size_t lane = 0; lane < lanes; ++lane)
            EXPECT_EQ(found([&](auto c) {
                          for (std::size_t i = lane; i < size; i += lanes) c[i] += 1;
                      }).state,
                      Verdict::State::fail)
                << lane << " of " << lanes;
    const Verdict nan = found([](auto c) { c[123'457] = std::nanf(""); });
    EXPECT_EQ(nan.state, Verdict::State::fail);
    EXPECT_EQ(nan.text.find("fail: "), 0U);
    EXPECT_TRUE(contains(nan.text, {"1 of 1000000 values is NaN, the first at element 123457"}));
}

TEST(Matmul, SizesAreParametersOfTheRequest) {
    const auto problem = loaded("matmul", {{"size", std::int64_t{17}}, {"seed", std::int64_t{4}}});
    EXPECT_EQ(dynamic_cast<const MatmulProblem&>(*problem).size(), 17U);
    EXPECT_EQ(dynamic_cast<const MatmulProblem&>(*problem).a(), MatmulProblem(17, 4).a());
    EXPECT_TRUE(contains(input_error([] {
                             loaded("matmul", {{"size", std::int64_t{0}}});
                         }),
                         {"size", "from 1", "found 0"}));
    const auto benchmark = Registry().analysis("vector_add").benchmark_problem({{"size", std::int64_t{9}}});
    EXPECT_EQ(dynamic_cast<const ElementwiseProblem&>(*benchmark).size(), 9U);
    EXPECT_FALSE(dynamic_cast<const ElementwiseProblem&>(*benchmark).what().local_size);
}

TEST(Matmul, OverTheMemoryLimitItNamesItsNeed) {
    const MatmulProblem problem(100, 1);
    for (const HostVariant& row : host_variants_of("matmul")) {
        std::vector<Timing> timings;
        Request request;
        Progress progress;
        HostContext context{request, progress, timings, 1, 50'000};
        EXPECT_TRUE(contains(input_error([&] { row.launch(problem, context); }),
                             {"needs 117.2 KiB", "three matrices of 100 x 100 floats"}));
    }
}

}  // namespace
}  // namespace ks::tests
