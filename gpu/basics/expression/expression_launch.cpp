#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/basics/expression/expression.h"
#include "core/kernels/inserted_text.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::ExpressionProblem;

/// A text of the user in the program, by its lines there, counted from 1. What follows its last line ends the
/// text for a compiler, which may report an error there.
struct Typed {
    const char* name;
    std::size_t first, last;
    /// The line before the text is the head of its function, where a compiler reports that a value is
    /// missing.
    bool has_head = false;
};

struct Message {
    std::string file;
    std::size_t line;
    std::string text;
};

/// An error of a compiler: "FILE:5:1: error: text" of clang, "error: FILE:5:1: text" by
/// quirk kind_before_place. Empty if the line of the log is not an error.
std::optional<Message> message_of(const std::string& line) {
    const std::string word = "error: ";
    const std::size_t found = line.find(word);
    if (found == std::string::npos) return std::nullopt;
    // "FILE:5:1: " precedes or follows the word, with the text at the end.
    const bool before = found > 0 && line[found - 1] == ' ' && line.rfind(": ", found) != std::string::npos;
    const std::string place = before ? line.substr(0, line.rfind(": ", found))
                                     : line.substr(word.size(), line.find(": ", word.size()) - word.size());
    const std::size_t column = place.rfind(':'), row = place.rfind(':', column - 1);
    if (column == std::string::npos || column == 0 || row == std::string::npos) return std::nullopt;
    std::size_t number = 0;
    const auto [end, failed] = std::from_chars(place.data() + row + 1, place.data() + column, number);
    if (failed != std::errc() || end != place.data() + column) return std::nullopt;
    const std::size_t text = before ? found + word.size() : word.size() + place.size() + 2;
    return Message{place.substr(0, row), number, text < line.size() ? line.substr(text) : std::string()};
}

/// Functions from the user's texts, before the kernels.
class Functions {
  public:
    explicit Functions(const ExpressionProblem& problem) {
        inserted_.add("// Inserted by the host.\n");
        lines_ = 1;
        if (!problem.preamble.empty()) {
            typed("preamble", problem.preamble);
            inserted_.add(problem.preamble);
        }
        function("map_of", "const size_t i, global const float* x, global const float* y", "map_expression",
                 problem.map);
        function("reduce_of", "const float a, const float b", "reduce_expression", problem.reduce);
        function("neutral_of", "void", "neutral", problem.neutral);
    }

    const InsertedText& text() const { return inserted_; }
    /// Throws the build error with the first message of the log about a text of the user.
    /// @param file of the kernel behind the texts
    [[noreturn]] void throw_named(const Error& error, const std::string& file) const {
        std::istringstream log(error.details());
        for (std::string line; std::getline(log, line);) {
            const std::optional<Message> message = message_of(line);
            if (!message || message->file != name_of_text_before(file)) continue;
            for (const Typed& typed : typed_)
                if (message->line + (typed.has_head ? 1 : 0) >= typed.first &&
                    message->line <= typed.last + 1)
                    throw Error(
                        ErrorKind::build,
                        fmt::format("line {} does not compile: {}",
                                    std::clamp(message->line, typed.first, typed.last) - typed.first + 1,
                                    message->text),
                        typed.name, {}, error.details());
        }
        throw error;
    }

  private:
    void typed(const char* name, const std::string& body) {
        const bool is_open = !body.ends_with('\n');
        const std::size_t first = lines_ + 1;
        lines_ += static_cast<std::size_t>(std::ranges::count(body, '\n')) + (is_open ? 1 : 0);
        typed_.push_back({name, first, lines_});
    }
    /// The text of the user has lines for itself, between the head and the end of the function.
    void function(const char* name, const char* arguments, const char* parameter, const std::string& body) {
        ++lines_;
        typed(parameter, body + "\n");
        typed_.back().has_head = true;
        ++lines_;
        inserted_.add_function(name,
                               fmt::format("float {}({}) {{ return\n{}\n; }}\n", name, arguments, body));
    }

    InsertedText inserted_;
    std::size_t lines_ = 0;  ///< of inserted_
    std::vector<Typed> typed_;
};

Result launch_map_reduce(const ExpressionProblem& problem, LaunchContext& context) {
    const std::size_t n = problem.x.size(), groups = ks::basics::groups_for(n);
    const std::uint64_t bytes = n * sizeof(float);
    require_room(context, 3 * bytes + (groups + 1) * sizeof(float), bytes,
                 fmt::format("three arrays of {}", n), "choose fewer elements");
    cl::Kernel map, reduce;
    const Functions functions(problem);
    try {
        map = context.kernel_behind(functions.text(), "map_values");
        reduce = context.kernel_behind(functions.text(), "reduce");
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::build && context.request().kernel_source.empty())
            functions.throw_named(error, context.variant().source_file);
        throw;
    }
    const Buffer x = context.uploaded("upload input", std::span(problem.x));
    const Buffer y = context.uploaded("upload input", std::span(problem.y));
    const Buffer mapped = touched_output(context, bytes),
                 of_groups = touched_output(context, groups * sizeof(float)),
                 reduced = touched_output(context, sizeof(float));
    set_arguments(map, static_cast<cl_uint>(n), x, y, mapped, of_groups);
    set_arguments(reduce, static_cast<cl_uint>(groups), of_groups, reduced);
    const cl::NDRange group(ks::basics::group_items);
    context.launch("map", map, cl::NDRange(groups * ks::basics::group_items), group, {3 * bytes, n});
    context.launch("reduce", reduce, group, group, {});
    const auto values = context.downloaded<float>("download values", mapped, n);
    const auto result = context.downloaded<float>("download values", reduced, 1);
    Result found = expression_result(problem, values, result.front());
    for (const std::string& name : functions.text().defined_by(context.request().kernel_source))
        found.warnings.push_back(fmt::format(
            "the kernel's text defines {} itself, so the expression is used only by the check", name));
    return found;
}

}  // namespace

std::vector<ClVariant> expression_rows() {
    return {{{.id = "map.reduce",
              .title = "Map and reduction",
              .description = "Kernels are built from the expressions: a map, a tree per group, and a tree "
                             "that combines the groups.",
              .source_file = "gpu/basics/expression/map_reduce.cl",
              .entry_points = {"map_values", "reduce"},
              .constraints = {.work_group = ks::basics::group_items},
              .baseline = true,
              .rank = 20},
             launch_map_reduce}};
}

}  // namespace ks::gpu::basics
