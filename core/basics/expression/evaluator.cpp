#include "core/basics/expression/evaluator.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace ks::basics {

/// Recursive descent; each function returns whether what it parsed is an integer, or nothing on failure.
class ExpressionParser {
  public:
    ExpressionParser(std::string_view text, std::string_view names) : rest_(text), names_(names) {}

    std::optional<Expression> whole_text() {
        if (!sum() || !peek_end()) return std::nullopt;
        return std::move(made_);
    }

  private:
    using Step = Expression::Step;

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
    void put(Step step, bool whole, double number = 0) { made_.operations_.push_back({step, number, whole}); }

    std::optional<bool> sum() {
        auto left = product();
        while (left) {
            const bool adds = take('+');
            if (!adds && !take('-')) break;
            const auto right = product();
            if (!right) return std::nullopt;
            left = *left && *right;
            put(adds ? Step::add : Step::subtract, *left);
        }
        return left;
    }
    std::optional<bool> product() {
        auto left = factor();
        while (left) {
            const bool multiplies = take('*');
            if (!multiplies && !take('/')) break;
            const auto right = factor();
            if (!right) return std::nullopt;
            left = *left && *right;
            put(multiplies ? Step::multiply : *left ? Step::divide_whole : Step::divide, *left);
        }
        return left;
    }
    std::optional<bool> factor() {
        if (++depth_ > 200) return std::nullopt;
        const auto found = factor_inside();
        --depth_;
        return found;
    }
    std::optional<bool> factor_inside() {
        if (take('-')) {
            if (rest_.starts_with('-')) return std::nullopt;
            const auto of = factor();
            if (of) put(Step::negate, *of);
            return of;
        }
        if (take('(')) {
            const auto inside = sum();
            return inside && take(')') ? inside : std::nullopt;
        }
        skip();
        if (rest_.empty()) return std::nullopt;
        return std::isalpha(static_cast<unsigned char>(rest_.front())) != 0 ? named() : number();
    }
    std::optional<bool> named() {
        const auto end =
            std::ranges::find_if_not(rest_, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
        const std::string name(rest_.begin(), end);
        rest_.remove_prefix(name.size());
        if (name.size() == 1 && names_.find(name) == std::string_view::npos) return std::nullopt;
        if (name == "a" || name == "b") {
            put(name == "a" ? Step::a : Step::b, false);
            return false;
        }
        if (name == "x" || name == "y") {
            if (!take('[') || !take('i') || !take(']')) return std::nullopt;
            put(name == "x" ? Step::x : Step::y, false);
            return false;
        }
        if (name != "min" && name != "max" && name != "fmin" && name != "fmax") return std::nullopt;
        if (!take('(') || !sum() || !take(',') || !sum() || !take(')')) return std::nullopt;
        put(name.ends_with("min") ? Step::min : Step::max, false);
        return false;
    }
    /// 0x10 and 010 mean something else to a compiler.
    std::optional<bool> number() {
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
        put(Step::number, whole, value);
        return whole;
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

}  // namespace

Bounded Expression::at(Bounded x, Bounded y, Bounded a, Bounded b) const {
    std::vector<Bounded> stack;
    for (const Operation& operation : operations_) {
        const auto exact_or = [&](double value, double error, double units) {
            if (!operation.whole) return rounded(value, error, units);
            return Bounded{value, std::abs(value) <= 0x7fffffff ? 0 : infinite};
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
        const Bounded right = stack.back();
        stack.pop_back();
        Bounded& left = stack.back();
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
                left = r != 0 ? Bounded{std::trunc(l / r), 0} : Bounded{0, infinite};
                break;
            case Step::min:
                left = {std::min(l, r), std::max(el, er)};
                break;
            default:
                left = {std::max(l, r), std::max(el, er)};
                break;
        }
    }
    return stack.back();
}

}  // namespace ks::basics
