#include <fmt/format.h>

#include <span>
#include <sstream>
#include <string>

#include "core/base/error.h"
#include "core/basics/expression/expression.h"
#include "gpu/basics/expression/expression_rows.h"
#include "gpu/basics/require_room.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::ExpressionProblem;

constexpr const char* typed[] = {"map_expression", "reduce_expression", "neutral", "preamble"};

/// Functions of what the user typed; a compiler names its lines by the parameter that they come from.
std::string functions_of(const ExpressionProblem& problem) {
    const auto function = [](const char* head, const char* name, const std::string& body) {
        return fmt::format("{} {{ return\n#line 1 \"{}\"\n{}\n; }}\n", head, name, body);
    };
    return fmt::format("#define EXPRESSIONS\n#line 1 \"preamble\"\n{}\n", problem.preamble) +
           function("float map_of(const size_t i, global const float* x, global const float* y)", typed[0],
                    problem.map) +
           function("float reduce_of(const float a, const float b)", typed[1], problem.reduce) +
           function("float neutral_of(void)", typed[2], problem.neutral) + "#line 1 \"map_reduce.cl\"\n";
}

/// Throws the error of the build with the first line of the log that names a parameter of the user.
[[noreturn]] void throw_named(const Error& error) {
    std::istringstream log(error.details());
    for (std::string line; std::getline(log, line);)
        for (const char* const name : typed)
            if (line.find(std::string(name) + ":") != std::string::npos &&
                line.find("error") != std::string::npos)
                throw Error(ErrorKind::build, "it does not compile: " + line, name, {}, error.details());
    throw error;
}

Result launch_map_reduce(const Problem& any, LaunchContext& context) {
    const auto& problem = dynamic_cast<const ExpressionProblem&>(any);
    const std::size_t n = problem.x.size(), groups = ks::basics::groups_for(n);
    const std::uint64_t bytes = n * sizeof(float);
    require_room(context, 3 * bytes + (groups + 1) * sizeof(float), bytes,
                 fmt::format("three arrays of {}", n), "give fewer elements");
    cl::Kernel map, reduce;
    try {
        const std::string text = functions_of(problem);
        map = context.kernel_behind(text, "map_values");
        reduce = context.kernel_behind(text, "reduce");
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::build && context.request().kernel_source.empty()) throw_named(error);
        throw;
    }
    const Buffer x = context.uploaded("upload input", std::span(problem.x));
    const Buffer y = context.uploaded("upload input", std::span(problem.y));
    const Buffer mapped = context.buffer(bytes), of_groups = context.buffer(groups * sizeof(float)),
                 reduced = context.buffer(sizeof(float));
    set_arguments(map, static_cast<cl_uint>(n), x, y, mapped, of_groups);
    set_arguments(reduce, static_cast<cl_uint>(groups), of_groups, reduced);
    const cl::NDRange group(ks::basics::group_items);
    context.launch("map", map, cl::NDRange(groups * ks::basics::group_items), group, {3 * bytes, n});
    context.launch("reduce", reduce, group, group, {});
    const auto values = context.downloaded<float>("download values", mapped, n);
    const auto result = context.downloaded<float>("download values", reduced, 1);
    return expression_result(problem, values, result.front());
}

}  // namespace

std::vector<ClVariant> expression_rows() {
    return {{{.analysis = "expression",
              .id = "map.reduce",
              .title = "Map and reduction",
              .description =
                  "Kernels made of the expressions: a map, a tree in each group, and one of the groups.",
              .source_file = "gpu/basics/expression/map_reduce.cl",
              .source = {},
              .entry_points = {"map_values", "reduce"},
              .defines = {},
              .constraints = {.extensions = {}, .work_group = ks::basics::group_items},
              .baseline = true,
              .rank = 20},
             launch_map_reduce}};
}

}  // namespace ks::gpu::basics
