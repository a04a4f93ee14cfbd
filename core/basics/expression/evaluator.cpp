#include "core/basics/expression/evaluator.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace ks::basics {
namespace {

constexpr double largest_int = 0x7fffffff, largest_exact = 0x1p53;

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
        const auto end =
            std::ranges::find_if_not(rest_, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
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
        if (!take('(') || !sum() || !take(',') || !sum() || !take(')')) return std::nullopt;
        put(name.ends_with("min") ? Step::min : Step::max, Type::real);
        return Type::real;
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
                left = {std::min(l, r), std::max(el, er)};
                break;
            default:
                left = {std::max(l, r), std::max(el, er)};
                break;
        }
    }
    return as_float(stack.back());
}

}  // namespace ks::basics
