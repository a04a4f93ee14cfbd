#include "core/basics/expression/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <regex>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/base/trimmed.h"
#include "core/basics/exercise_analysis.h"
#include "core/basics/float_range.h"
#include "core/data/count_text.h"
#include "core/run/errors/not_compared.h"
#include "core/run/parameter_rows.h"
#include "core/run/parameters/whole_number.h"
#include "core/run/user/user_variant.h"

namespace ks::basics {
namespace {

// 2^53 itself may be a rounded 2^53 + 1.
constexpr double largest_int = 0x7fffffff, largest_exact = 0x1p53 - 1;

}  // namespace

/// Recursive descent; each function returns the type of what it parsed, or nothing on failure.
class ExpressionParser {
  public:
    ExpressionParser(std::string_view text, std::string_view names) : rest_(text), names_(names) {}

    std::optional<Expression> whole_text() {
        if (!sum() || !peek_end()) return std::nullopt;
        return std::move(made_);
    }

  private:
    using Step = Expression::Step;
    using Type = Expression::Type;

    void skip() {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
            rest_.remove_prefix(1);
    }
    bool peek_end() {
        skip();
        return rest_.empty();
    }
    bool take(char wanted) {
        skip();
        if (!rest_.starts_with(wanted)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void put(Step step, Type type, double number = 0) { made_.operations_.push_back({step, number, type}); }

    std::optional<Type> sum() {
        auto left = product();
        while (left) {
            const bool adds = take('+');
            if (!adds && !take('-')) break;
            const auto right = product();
            if (!right) return std::nullopt;
            left = std::max(*left, *right);
            put(adds ? Step::add : Step::subtract, *left);
        }
        return left;
    }
    std::optional<Type> product() {
        auto left = factor();
        while (left) {
            const bool multiplies = take('*');
            if (!multiplies && !take('/')) break;
            const auto right = factor();
            if (!right) return std::nullopt;
            left = std::max(*left, *right);
            put(multiplies ? Step::multiply : *left != Type::real ? Step::divide_whole : Step::divide, *left);
        }
        return left;
    }
    std::optional<Type> factor() {
        if (++depth_ > 200) return std::nullopt;
        const auto found = factor_inside();
        --depth_;
        return found;
    }
    std::optional<Type> factor_inside() {
        if (take('-')) {
            if (rest_.starts_with('-')) return std::nullopt;
            const auto of = factor();
            if (of) put(Step::negate, *of);
            return of;
        }
        if (take('+')) return rest_.starts_with('+') ? std::nullopt : factor();
        if (take('(')) {
            const auto inside = sum();
            return inside && take(')') ? inside : std::nullopt;
        }
        skip();
        if (rest_.empty()) return std::nullopt;
        return std::isalpha(static_cast<unsigned char>(rest_.front())) != 0 ? named() : number();
    }
    std::optional<Type> named() {
        const auto end = std::ranges::find_if_not(rest_, is_name_letter);
        const std::string name(rest_.begin(), end);
        rest_.remove_prefix(name.size());
        if (name.size() == 1 && names_.find(name) == std::string_view::npos) return std::nullopt;
        if (name == "a" || name == "b") {
            put(name == "a" ? Step::a : Step::b, Type::real);
            return Type::real;
        }
        if (name == "x" || name == "y") {
            if (!take('[') || !take('i') || !take(']')) return std::nullopt;
            put(name == "x" ? Step::x : Step::y, Type::real);
            return Type::real;
        }
        if (name != "min" && name != "max" && name != "fmin" && name != "fmax") return std::nullopt;
        if (!take('(')) return std::nullopt;
        const auto left = sum();
        if (!left || !take(',')) return std::nullopt;
        const auto right = sum();
        if (!right || !take(')')) return std::nullopt;
        // min and max of whole numbers are whole; fmin and fmax take reals only.
        const Type type = name.starts_with('f') ? Type::real : std::max(*left, *right);
        put(name.ends_with("min") ? Step::min : Step::max, type);
        return type;
    }
    /// 0x10 and 010 mean something else to a compiler.
    std::optional<Type> number() {
        double value = 0;
        const auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (failed != std::errc()) return std::nullopt;
        const std::string_view digits = rest_.substr(0, static_cast<std::size_t>(end - rest_.data()));
        if (digits.size() > 1 && digits[0] == '0' && std::isdigit(static_cast<unsigned char>(digits[1])) != 0)
            return std::nullopt;
        const bool whole = digits.find_first_not_of("0123456789") == std::string_view::npos;
        rest_.remove_prefix(digits.size());
        if (!whole && !rest_.empty() && (rest_[0] == 'f' || rest_[0] == 'F')) rest_.remove_prefix(1);
        if (!rest_.empty() && (std::isalnum(static_cast<unsigned char>(rest_[0])) != 0 || rest_[0] == '.'))
            return std::nullopt;
        const Type type = !whole ? Type::real : value <= largest_int ? Type::whole : Type::large;
        put(Step::number, type, value);
        return type;
    }

    std::string_view rest_, names_;
    Expression made_;
    int depth_ = 0;
};

std::optional<Expression> Expression::parsed(const std::string& text, std::string_view names) {
    return ExpressionParser(text, names).whole_text();
}

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Adds the rounding error of a float in units in the last place; also for subnormal results.
Bounded rounded(double value, double error, double units) {
    error += units * 0x1p-23 * (std::abs(value) + error) + 0x1p-126;
    if (!(std::abs(value) + error < std::numeric_limits<float>::max())) error = infinite;
    return {value, error};
}

/// A value that lies between these bounds: the error of an operand that cannot be the result does not count.
Bounded of_bounds(double value, double low, double high) {
    return {value, std::max(value - low, high - value)};
}

/// An exact value converted to float.
Bounded as_float(Bounded value) {
    if (value.error == 0)
        value.error = std::abs(static_cast<double>(static_cast<float>(value.value)) - value.value);
    return value;
}

}  // namespace

Bounded Expression::at(Bounded x, Bounded y, Bounded a, Bounded b) const {
    std::vector<Bounded> stack;
    for (const Operation& operation : operations_) {
        const auto exact_or = [&](double value, double error, double units) {
            if (operation.type == Type::real) return rounded(value, error, units);
            const double largest = operation.type == Type::whole ? largest_int : largest_exact;
            return Bounded{value, error == 0 && std::abs(value) <= largest ? 0 : infinite};
        };
        switch (operation.step) {
            case Step::number:
                stack.push_back(exact_or(operation.number, 0, 0.5));
                continue;
            case Step::x:
                stack.push_back(x);
                continue;
            case Step::y:
                stack.push_back(y);
                continue;
            case Step::a:
                stack.push_back(a);
                continue;
            case Step::b:
                stack.push_back(b);
                continue;
            case Step::negate:
                stack.back().value = -stack.back().value;
                continue;
            default:
                break;
        }
        Bounded right = stack.back();
        stack.pop_back();
        Bounded& left = stack.back();
        if (operation.type == Type::real) {
            left = as_float(left);
            right = as_float(right);
        }
        const double l = left.value, r = right.value, el = left.error, er = right.error;
        switch (operation.step) {
            case Step::add:
                left = exact_or(l + r, el + er, 1);
                break;
            case Step::subtract:
                left = exact_or(l - r, el + er, 1);
                break;
            case Step::multiply:
                left = exact_or(l * r, std::abs(l) * er + std::abs(r) * el + el * er, 1);
                break;
            case Step::divide:
                left = std::abs(r) > er
                           ? rounded(l / r, (el + std::abs(l / r) * er) / (std::abs(r) - er), 2.5)
                           : Bounded{0, infinite};
                break;
            case Step::divide_whole:
                left = r != 0 && el == 0 && er == 0 ? Bounded{std::trunc(l / r), 0} : Bounded{0, infinite};
                break;
            case Step::min:
                left = of_bounds(std::min(l, r), std::min(l - el, r - er), std::min(l + el, r + er));
                break;
            default:
                left = of_bounds(std::max(l, r), std::max(l - el, r - er), std::max(l + el, r + er));
                break;
        }
    }
    return as_float(stack.back());
}

std::string Expression::dropped_remainder() const {
    std::vector<double> stack;  // only numbers are whole, so whole values do not depend on x, y, a and b
    for (const Operation& operation : operations_) {
        const Step step = operation.step;
        if (step == Step::number || step == Step::x || step == Step::y || step == Step::a ||
            step == Step::b) {
            stack.push_back(operation.number);
            continue;
        }
        if (step == Step::negate) {
            stack.back() = -stack.back();
            continue;
        }
        const double right = stack.back();
        stack.pop_back();
        double& left = stack.back();
        if (step == Step::divide_whole && right != 0 && std::fmod(left, right) != 0)
            return fmt::format("{} / {} = {}", left, right, std::trunc(left / right));
        left = step == Step::add            ? left + right
               : step == Step::subtract     ? left - right
               : step == Step::multiply     ? left * right
               : step == Step::min          ? std::min(left, right)
               : step == Step::max          ? std::max(left, right)
               : step == Step::divide_whole ? std::trunc(left / right)
                                            : left / right;
    }
    return {};
}

namespace {

constexpr std::size_t most_elements = std::size_t{1} << 20;
constexpr const char* what_host_evaluates =
    "the host can only evaluate expressions without a preamble, made of numbers, x[i], y[i], a, b, "
    "+ - * / ( ), min, max, fmin and fmax";

AnalysisInfo expression_info() {
    using parameter::words;
    return {.id = "expression",
            .title = "Your own map and reduction",
            .description =
                "Builds kernels from a map and a reduction that you type; the default is a scalar product",
            .parameters = {
                words("x", "x", "", "range:400", "Comma-separated numbers, or range:N for 0 to N - 1"),
                words("y", "y", "", "range:400", "Second vector, with as many values as x"),
                words("map_expression", "Map", "", "x[i]*y[i]", "Value of element i, in OpenCL C"),
                words("reduce_expression", "Reduction", "", "a+b",
                      "Combination of two values a and b, in OpenCL C"),
                words("neutral", "Neutral", "", "0", "Initial value of the reduction"),
                words("preamble", "Preamble", "", "", "Functions and definitions for the expressions")}};
}

std::vector<float> numbers(const ParameterSet& set, const char* id) {
    const std::string& typed = text(set, id);
    const auto fail = [&]() -> Error {
        return {ErrorKind::input,
                fmt::format("expected 1 to {} comma-separated numbers, or range:N with N up to {}, found "
                            "\"{}\"",
                            most_elements, most_elements, typed.substr(0, 40)),
                id};
    };
    std::vector<float> values;
    std::string_view rest = typed;
    if (rest.starts_with("range:")) {
        rest.remove_prefix(6);
        const std::int64_t count = whole_number(rest).value_or(0);
        if (count < 1 || std::cmp_greater(count, most_elements)) throw fail();
        for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
        return values;
    }
    while (true) {
        while (rest.starts_with(' ')) rest.remove_prefix(1);
        const auto [end, failed] =
            std::from_chars(rest.data(), rest.data() + rest.size(), values.emplace_back());
        if (failed == std::errc::result_out_of_range)
            throw beyond_float(rest.substr(0, static_cast<std::size_t>(end - rest.data())), id);
        if (failed != std::errc() || !std::isfinite(values.back()) || values.size() > most_elements)
            throw fail();
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        while (rest.starts_with(' ')) rest.remove_prefix(1);
        if (rest.empty()) return values;
        if (!rest.starts_with(',')) throw fail();
        rest.remove_prefix(1);
    }
}

/// Throws ks::Error(input) for a comma between digits outside the parentheses of a call, of a cast of
/// several values or of an initialiser: there C evaluates only what follows it.
void require_no_decimal_comma(const std::string& expression, const char* id) {
    const auto digit = [&](std::size_t at) {
        return at < expression.size() && std::isdigit(static_cast<unsigned char>(expression[at])) != 0;
    };
    std::vector<bool> separates;  // per open parenthesis
    char before = ' ';            // other than a space
    for (std::size_t at = 0; at < expression.size(); ++at) {
        const char c = expression[at];
        if (c == '(' || c == '[' || c == '{')
            separates.push_back(c == '{' || (c == '(' && (is_name_letter(before) || before == ')')));
        if ((c == ')' || c == ']' || c == '}') && !separates.empty()) separates.pop_back();
        if (c == ',' && at > 0 && digit(at - 1) && digit(at + 1) &&
            (separates.empty() || !separates.back())) {
            std::size_t from = at, to = at + 1;
            while (from > 0 && (is_name_letter(expression[from - 1]) || expression[from - 1] == '.')) --from;
            while (digit(to)) ++to;
            const std::string whole = expression.substr(from, at - from),
                              rest = expression.substr(at + 1, to - at - 1);
            if (whole.find_first_not_of("0123456789") == std::string::npos)
                throw Error(ErrorKind::input,
                            fmt::format("{0},{1} is C's comma operator here; write {0}.{1}{2}", whole, rest,
                                        rest.size() == 3 && whole != "0" ? " or " + whole + rest : ""),
                            id);
        }
        if (std::isspace(static_cast<unsigned char>(c)) == 0) before = c;
    }
}

std::shared_ptr<const Problem> load_expression(const Request& request, const Progress&) {
    auto problem = std::make_shared<ExpressionProblem>();
    problem->x = numbers(request.parameters, "x");
    problem->y = numbers(request.parameters, "y");
    if (problem->x.size() != problem->y.size())
        throw Error(ErrorKind::input,
                    fmt::format("expected {} numbers, as many as for \"x\", found {}", problem->x.size(),
                                problem->y.size()),
                    "y");
    // The text of a kernel may define the functions that are made of the expressions itself.
    if (request.kernel_source.empty() && !is_user_variant(request.variant))
        for (const char* id : {"map_expression", "reduce_expression", "neutral"}) {
            const std::string& typed = text(request.parameters, id);
            if (std::ranges::all_of(typed, [](unsigned char c) { return std::isspace(c) != 0; }))
                throw Error(ErrorKind::input, "expected an expression, found nothing", id);
            require_no_decimal_comma(typed, id);
        }
    problem->map = text(request.parameters, "map_expression");
    problem->reduce = text(request.parameters, "reduce_expression");
    problem->neutral = text(request.parameters, "neutral");
    problem->preamble = text(request.parameters, "preamble");
    return problem;
}

/// The host evaluates plain arithmetic; anything else may be any code.
std::string code_of_expression(const ParameterSet& set) {
    const std::string &map = text(set, "map_expression"), &reduce = text(set, "reduce_expression"),
                      &neutral = text(set, "neutral"), &preamble = text(set, "preamble");
    if (Expression::parsed(map, "xy") && Expression::parsed(reduce, "ab") &&
        Expression::parsed(neutral, "") && preamble.empty())
        return {};
    return fmt::format("// preamble\n{}\n// map\n{}\n// reduction\n{}\n// neutral\n{}\n", preamble, map,
                       reduce, neutral);
}

/// Reduces the items of one group in a tree.
Bounded tree(std::vector<Bounded> items, const Expression& reduce) {
    for (std::size_t half = group_items / 2; half > 0; half /= 2)
        for (std::size_t i = 0; i < half; ++i) items[i] = reduce.at({}, {}, items[i], items[i + half]);
    return items[0];
}

/// Item i takes values i, i + step and so on.
Bounded of_item(const std::vector<Bounded>& values, std::size_t first, std::size_t step, Bounded neutral,
                const Expression& reduce) {
    for (std::size_t i = first; i < values.size(); i += step) neutral = reduce.at({}, {}, neutral, values[i]);
    return neutral;
}

/// Whether the host knows a value: not if the float result is undefined, as after a division by a value that
/// may be 0.
bool is_known(const Bounded& right) {
    return right.error < std::numeric_limits<double>::infinity();
}

bool off(double found, const Bounded& right) {
    return is_known(right) && !(std::abs(found - right.value) <= right.error);
}

/// By more than rounding explains.
bool differ(const Bounded& one, const Bounded& other) {
    return is_known(one) && is_known(other) &&
           !(std::abs(one.value - other.value) <= one.error + other.error);
}

/// Of a reduction whose result the host does not know, such as one beyond the range of float: what is wrong
/// with the operation or with the neutral value, as single values show; empty: nothing.
std::string fault_in_pairs(const ExpressionProblem& problem, const std::vector<Bounded>& values) {
    constexpr std::size_t most = 1000;
    const auto reduce = Expression::parsed(problem.reduce, "ab"),
               start = Expression::parsed(problem.neutral, "");
    if (!reduce || !start) return {};
    const auto of = [&](const Bounded& a, const Bounded& b) { return reduce->at({}, {}, a, b); };
    const Bounded neutral = start->at({}, {}, {}, {});
    for (std::size_t i = 0; i < std::min(values.size(), most); ++i) {
        const Bounded& one = values[i];
        if (const Bounded with = of(neutral, one); differ(with, one))
            return fmt::format(
                "the reduction of the neutral value {} and {} gives {}; a neutral value changes nothing",
                problem.neutral, one.value, with.value);
        if (i + 2 >= values.size()) continue;
        const Bounded &next = values[i + 1], &last = values[i + 2];
        const Bounded forwards = of(one, next), backwards = of(next, one);
        const Bounded left = of(forwards, last), right = of(one, of(next, last));
        if (differ(forwards, backwards) || differ(left, right))
            return fmt::format(
                "the reduction of {}, {} and {} depends on their order; a parallel reduction "
                "needs an operation whose result does not",
                one.value, next.value, last.value);
    }
    return {};
}

/// "inf", "-inf" or "NaN", whose sign means nothing.
std::string text_of_not_finite(float value) {
    return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

Verdict check_expression(const ExpressionProblem& problem, const Run& run, CheckMode, Progress&) {
    Verdict verdict;
    const auto right = expected(problem);
    if (!right) {
        verdict.text = what_host_evaluates;
        return verdict;
    }
    const Dataset *const mapped = run.result.find("mapped"), *const reduced = run.result.find("reduced");
    const std::size_t n = problem.x.size();
    std::string wrong;
    if (mapped == nullptr || mapped->values.type() != ElementType::f32 || mapped->values.size() != n ||
        reduced == nullptr || reduced->values.type() != ElementType::f32 || reduced->values.size() != 1) {
        wrong = fmt::format("the result does not have {} mapped values and one reduced value", n);
    } else {
        const auto values = mapped->values.as<float>();
        for (std::size_t i = 0; i < n && wrong.empty(); ++i)
            if (off(values[i], right->mapped[i]))
                wrong = fmt::format("element {} of \"mapped\" is {}, expected {}", i, values[i],
                                    right->mapped[i].value);
        const float found = reduced->values.as<float>()[0];
        if (wrong.empty() && differ(right->reduced, right->reduced_in_order))
            wrong = fmt::format(
                "the reduction gives {} when evaluated as a tree, but {} in sequence; a parallel reduction "
                "needs an "
                "operation whose result does not depend on the order of its operands, and a neutral value "
                "that changes nothing",
                right->reduced.value, right->reduced_in_order.value);
        if (wrong.empty() && differ(right->reduced_in_order, right->reduced_alone))
            wrong = fmt::format(
                "the reduction gives {} with the neutral value {}, but {} without it; a neutral value "
                "changes nothing",
                right->reduced_in_order.value, problem.neutral, right->reduced_alone.value);
        if (wrong.empty() && !(is_known(right->reduced_in_order) && is_known(right->reduced_alone)))
            wrong = fault_in_pairs(problem, right->mapped);
        if (wrong.empty() && off(found, right->reduced))
            wrong = fmt::format("the reduction gives {}, expected {}", found, right->reduced.value);
    }
    const auto known = static_cast<std::size_t>(std::ranges::count_if(right->mapped, is_known));
    verdict.samples = known + (is_known(right->reduced) ? 1 : 0);
    if (wrong.empty() && verdict.samples == 0) {
        verdict.text =
            "none of the values is defined: they divide by 0 or leave the range of their type, so there is "
            "nothing to compare with";
        return verdict;
    }
    verdict.state = wrong.empty() ? Verdict::State::pass : Verdict::State::fail;
    const std::string values = known == n ? count_text(n, "value")
                                          : fmt::format("the {} of {} that {} defined in double", known,
                                                        count_text(n, "value"), known == 1 ? "is" : "are");
    if (!wrong.empty()) {
        verdict.text = "fail: " + wrong;
    } else {
        const bool all = is_known(right->reduced);
        const float found = reduced->values.as<float>()[0];
        const std::string what = std::isfinite(found) ? "undefined in double"
                                                      : text_of_not_finite(found) + ", which is not finite,";
        verdict.text = fmt::format(
            "pass: {}{} {} with the reference in double within float rounding{}", values,
            !all         ? ""
            : known == 1 ? " and its reduction"
                         : " and their reduction",
            known == 1 && !all ? "agrees" : "agree",
            all ? "" : fmt::format("; the reduction of the values is {}{}", what, was_not_compared));
    }
    return verdict;
}

Result evaluate_on_host(const ExpressionProblem& problem, HostContext& context) {
    Stopwatch watch;
    const auto values = expected(problem);
    if (!values) throw Error(ErrorKind::input, what_host_evaluates, "expression", "choose an OpenCL device");
    std::vector<float> mapped;
    for (const Bounded& value : values->mapped) mapped.push_back(static_cast<float>(value.value));
    add(context.timings, {.stage = "evaluate", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return expression_result(problem, mapped, static_cast<float>(values->reduced_in_order.value));
}

}  // namespace

std::size_t groups_for(std::size_t elements) {
    return std::clamp<std::size_t>((elements + group_items - 1) / group_items, 1, most_groups);
}

std::optional<Expected> expected(const ExpressionProblem& problem) {
    const auto map = Expression::parsed(problem.map, "xy"), reduce = Expression::parsed(problem.reduce, "ab"),
               start = Expression::parsed(problem.neutral, "");
    if (!map || !reduce || !start || !problem.preamble.empty()) return std::nullopt;
    Expected all;
    for (std::size_t i = 0; i < problem.x.size(); ++i)
        all.mapped.push_back(map->at({problem.x[i], 0}, {problem.y[i], 0}, {}, {}));
    const Bounded neutral = start->at({}, {}, {}, {});
    const std::size_t groups = groups_for(problem.x.size());
    std::vector<Bounded> of_groups, items(group_items);
    for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t i = 0; i < group_items; ++i)
            items[i] = of_item(all.mapped, g * group_items + i, groups * group_items, neutral, *reduce);
        of_groups.push_back(tree(items, *reduce));
    }
    for (std::size_t i = 0; i < group_items; ++i)
        items[i] = of_item(of_groups, i, group_items, neutral, *reduce);
    all.reduced = tree(items, *reduce);
    all.reduced_in_order = of_item(all.mapped, 0, 1, neutral, *reduce);
    if (!all.mapped.empty()) all.reduced_alone = of_item(all.mapped, 1, 1, all.mapped.front(), *reduce);
    return all;
}

namespace {

/// What in an expression hardly means what was typed.
void add_hints(const ExpressionProblem& problem, std::vector<std::string>& to) {
    const std::pair<const std::string*, const char*> typed[] = {
        {&problem.map, "xy"}, {&problem.reduce, "ab"}, {&problem.neutral, ""}};
    for (const auto& [expression, names] : typed)
        if (const auto parsed = Expression::parsed(*expression, names))
            if (const std::string dropped = parsed->dropped_remainder(); !dropped.empty())
                to.push_back(
                    fmt::format("\"{}\": {}, because a division of whole numbers drops the remainder; with a "
                                "decimal point, "
                                "as in 1.0f, they are real",
                                *expression, dropped));
    static const std::regex other_element(R"((^|\W)[xy]\s*\[(?!\s*i\s*\]))");
    if (std::regex_search(problem.map, other_element))
        to.push_back(fmt::format(
            "\"{}\": an index other than i is not compared with the number of elements; beyond it, the "
            "kernel reads other memory",
            problem.map));
}

}  // namespace

Result expression_result(const ExpressionProblem& problem, const std::vector<float>& mapped, float reduced) {
    Result result;
    add_values(result, "mapped", problem.map, "", DataKind::curves, mapped);
    add_values(result, "x", "x", "", DataKind::curves, problem.x);
    add_values(result, "y", "y", "", DataKind::curves, problem.y);
    add_values(result, "reduced", problem.reduce, "", DataKind::overlay, std::vector<float>{reduced});
    result.facts = {{"elements", problem.x.size()}};
    add_hints(problem, result.warnings);
    const auto not_finite = std::ranges::count_if(mapped, [](float one) { return !std::isfinite(one); });
    if (std::isfinite(reduced)) {
        result.facts["reduced"] = reduced;
    } else {
        result.facts["reduced"] = text_of_not_finite(reduced);  // JSON has no such numbers
        result.warnings.push_back(fmt::format(
            "the reduction of all values is {}, and {} of {} {} not finite", text_of_not_finite(reduced),
            not_finite, count_text(mapped.size(), "value"), not_finite == 1 ? "is" : "are"));
    }
    return result;
}

std::vector<Exercise> expression_exercises() {
    return {exercise(
        18, "core/basics/expression/expression.cpp",
        {
            .info = expression_info(),
            .load = made_by(load_expression),
            .check = check_expression,
            .code_of = code_of_expression,
        },
        {
            {"host.reference", 10, "Expressions in double precision",
             "Built-in evaluator for + - * / ( ) min max, numbers, x[i], y[i], a and b.", evaluate_on_host},
        })};
}

}  // namespace ks::basics
