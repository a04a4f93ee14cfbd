#include "core/basics/vectors/vectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/basics/check_elements.h"
#include "core/basics/exercise_analysis.h"
#include "core/basics/float_range.h"
#include "core/run/parameter_rows.h"
#include "core/run/parameters/whole_number.h"

namespace ks::basics {
namespace {

struct Operation {
    const char* text;
    std::size_t elements;  ///< of its result
};

constexpr Operation of_whole[] = {{"a + b", 4},
                                  {"a - b", 4},
                                  {"a * b", 4},
                                  {"a < b", 4},
                                  {"all(a < b)", 1},
                                  {"any(a < b)", 1},
                                  {"convert_uchar4_sat_rte(c)", 4}};
constexpr Operation of_real[] = {{"f.wzyx", 4}, {"f.xxyy", 4}, {"f.even", 2},       {"f.odd", 2},
                                 {"f.lo", 2},   {"f.hi", 2},   {"(float4)(f.x)", 4}};

AnalysisInfo vectors_info() {
    using parameter::words;
    return {
        .id = "vectors",
        .title = "Vectors",
        .description = "Arithmetic, swizzles, comparisons and conversions of the vector types of OpenCL C",
        .parameters = {words("a", "a", "", "7,-3,-2,5", "Four integers"),
                       words("b", "b", "", "1,2,3,4", "Four integers"),
                       words("f", "f", "", "4,3,2,1", "Four numbers to be swizzled"),
                       words("c", "c", "", "-5,254.5,254.6,1.2e9", "Four numbers to be converted to bytes")}};
}

template <class T>
std::array<T, 4> four(const ParameterSet& set, const char* id) {
    const std::string& typed = text(set, id);
    const auto fail = [&](const char* expected) {
        throw Error(ErrorKind::input, fmt::format("expected {}, found \"{}\"", expected, typed), id);
    };
    constexpr const char* expected =
        std::is_integral_v<T> ? "four comma-separated 32-bit integers" : "four comma-separated numbers";
    std::array<T, 4> values = {};
    std::string_view rest = typed;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t comma = rest.find(',');
        if ((comma == std::string_view::npos) != (i == 3)) fail(expected);
        std::string_view part = rest.substr(0, comma);
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        if constexpr (std::is_integral_v<T>) {
            const auto whole = whole_number(part);
            if (!whole || !std::in_range<T>(*whole)) fail(expected);
            values[i] = static_cast<T>(*whole);
        } else {
            const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), values[i]);
            if (failed == std::errc::result_out_of_range) throw beyond_float(part, id);
            if (failed != std::errc() || end != part.data() + part.size()) fail(expected);
            if (!std::isfinite(values[i])) fail("four finite numbers");
        }
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return values;
}

std::shared_ptr<const Problem> load_vectors(const Request& request, const Progress&) {
    auto problem = std::make_shared<VectorsProblem>();
    problem->a = four<std::int32_t>(request.parameters, "a");
    problem->b = four<std::int32_t>(request.parameters, "b");
    problem->f = four<float>(request.parameters, "f");
    problem->to_bytes = four<float>(request.parameters, "c");
    return problem;
}

Verdict check_vectors(const VectorsProblem& problem, const Run& run, CheckMode, Progress&) {
    Verdict verdict = same_values(run.result, vectors_result(problem, vector_rows(problem), std::nullopt));
    if (verdict.state == Verdict::State::pass && !run.variant.on_host() &&
        run.result.facts.value("illegal_cast", "") != "refused") {
        verdict.state = Verdict::State::fail;
        verdict.where = "illegal_cast";
        verdict.text = "fail: the compiler accepted the cast of an int4 to a uint4";
    }
    return verdict;
}

Result vectors_in_cpp(const VectorsProblem& problem, HostContext& context) {
    Stopwatch watch;
    const VectorRows rows = vector_rows(problem);
    add(context.timings, {.stage = "operations", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return vectors_result(problem, rows, std::nullopt);
}

template <class T>
std::string line_of(const char* name, std::span<const T> values) {
    return fmt::format("{:<26} = ({})\n", name, fmt::join(values, ", "));
}

}  // namespace

VectorRows vector_rows(const VectorsProblem& problem) {
    VectorRows rows;
    bool all = true, any = false;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto a = static_cast<std::uint32_t>(problem.a[i]), b = static_cast<std::uint32_t>(problem.b[i]);
        const bool below = problem.a[i] < problem.b[i];
        all = all && below;
        any = any || below;
        rows.whole[0][i] = static_cast<std::int32_t>(a + b);
        rows.whole[1][i] = static_cast<std::int32_t>(a - b);
        rows.whole[2][i] = static_cast<std::int32_t>(a * b);
        rows.whole[3][i] = below ? -1 : 0;
        rows.whole[6][i] =
            static_cast<std::int32_t>(std::clamp(std::nearbyint(problem.to_bytes[i]), 0.0F, 255.0F));
    }
    rows.whole[4][0] = all ? 1 : 0;
    rows.whole[5][0] = any ? 1 : 0;
    const auto& [x, y, z, w] = problem.f;
    rows.real = {Float4{w, z, y, x}, Float4{x, x, y, y}, Float4{x, z},      Float4{y, w},
                 Float4{x, y},       Float4{z, w},       Float4{x, x, x, x}};
    return rows;
}

Result vectors_result(const VectorsProblem& problem, const VectorRows& rows,
                      const std::optional<IllegalCast>& cast) {
    constexpr std::size_t count = std::size(of_whole) + std::size(of_real);
    std::string input = line_of<std::int32_t>("int4 a", problem.a) +
                        line_of<std::int32_t>("int4 b", problem.b) + line_of<float>("float4 f", problem.f) +
                        line_of<float>("float4 c", problem.to_bytes);
    std::string output, names;
    std::vector<std::vector<double>> columns(
        4, std::vector<double>(count, std::numeric_limits<double>::quiet_NaN()));
    std::size_t row = 0;
    const auto take = [&](const auto& operations, const auto& values) {
        for (std::size_t i = 0; i < std::size(operations); ++i, ++row) {
            output += line_of(operations[i].text, std::span(values[i]).first(operations[i].elements));
            names += std::string(operations[i].text) + '\n';
            for (std::size_t k = 0; k < operations[i].elements; ++k)
                columns[k][row] = static_cast<double>(values[i][k]);
        }
    };
    take(of_whole, rows.whole);
    take(of_real, rows.real);
    Result result;
    const char* const letters[] = {"x", "y", "z", "w"};
    for (std::size_t k = 0; k < 4; ++k)
        add_values(result, letters[k], letters[k], "", DataKind::table, columns[k], "operation");
    result.datasets.push_back(text_dataset("operation", "Operation", names));
    result.datasets.push_back(text_dataset("input", "Input", input));
    result.datasets.push_back(text_dataset("output", "Output", output));
    if (cast) {
        result.facts["illegal_cast"] = cast->refused ? "refused" : "taken";
        result.datasets.push_back(
            text_dataset("illegal_cast", "Compiler messages for (uint4)i with an int4 i", cast->log));
    }
    return result;
}

std::vector<Exercise> vectors_exercises() {
    return {exercise(9, "core/basics/vectors/vectors.cpp",
                     {
                         .info = vectors_info(),
                         .load = made_by(load_vectors),
                         .check = check_vectors,
                     },
                     {
                         {"host.reference", 10, "Element by element in C++",
                          "Every operation is a loop over four elements.", vectors_in_cpp},
                     })};
}

}  // namespace ks::basics
