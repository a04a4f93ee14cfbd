#include "core/fit/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.h"

namespace ks::fit {

/// Recursive descent; operands come before their operation.
class FormulaParser {
  public:
    FormulaParser(std::string_view text, Formula& made) : text_(text), made_(made) {}

    void parse() {
        sum();
        skip();
        if (at_ < text_.size()) expected("an operator or the end");
        if (!has_t_)
            throw Error(ErrorKind::input, fmt::format("the formula {} does not contain t", text_), "fit");
        if (made_.parameters_.empty())
            throw Error(ErrorKind::input, fmt::format("the formula {} has no parameters", text_), "fit",
                        "every name other than t is a parameter");
    }

  private:
    using Step = Formula::Step;

    [[noreturn]] void expected(const std::string& what) const {
        throw Error(ErrorKind::input,
                    fmt::format("expected {} at position {} of {}, found {}", what, at_ + 1, text_,
                                at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 8)) : "its end"),
                    "fit",
                    "a formula consists of t, names, numbers, + - * / ^, parentheses, exp, log, sqrt, "
                    "pow, abs, sin and cos");
    }
    void skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }
    bool take(char wanted) {
        skip();
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    void require(char wanted) {
        if (!take(wanted)) expected(fmt::format("'{}'", wanted));
    }
    /// @param operands that the operation takes from the stack
    void put(Step step, std::size_t operands, double number = 0, std::size_t parameter = 0) {
        made_.operations_.push_back({step, number, parameter});
        height_ = height_ + 1 - operands;
        if (height_ > Formula::max_depth) too_deep();
    }
    [[noreturn]] void too_deep() const {
        throw Error(ErrorKind::input, "the formula is nested too deeply", "fit");
    }
    void sum() {
        product();
        for (;;) {
            const bool adds = take('+');
            if (!adds && !take('-')) return;
            product();
            put(adds ? Step::add : Step::subtract, 2);
        }
    }
    void product() {
        signed_power();
        for (;;) {
            const bool multiplies = take('*');
            if (!multiplies && !take('/')) return;
            signed_power();
            put(multiplies ? Step::multiply : Step::divide, 2);
        }
    }
    /// -x^2 is -(x^2), and 2^-x is allowed.
    void signed_power() {
        if (++nesting_ > 200) too_deep();
        if (take('-')) {
            signed_power();
            put(Step::negate, 1);
        } else if (take('+')) {
            signed_power();
        } else {
            operand();
            if (take('^')) {
                signed_power();
                put(Step::power, 2);
            }
        }
        --nesting_;
    }
    void operand() {
        if (take('(')) {
            sum();
            return require(')');
        }
        skip();
        if (at_ >= text_.size()) expected("a number, a name or '('");
        const auto c = static_cast<unsigned char>(text_[at_]);
        if (std::isalpha(c) != 0 || c == '_')
            named();
        else
            number();
    }
    void number() {
        double value = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (failure != std::errc() || text_[at_] == '-') expected("a number, a name or '('");
        at_ += static_cast<std::size_t>(end - begin);
        put(Step::number, 0, value);
    }
    void named() {
        const std::size_t begin = at_;
        const auto is_letter = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
        const std::string name(text_.substr(begin, at_ - begin));
        skip();
        if (at_ < text_.size() && text_[at_] == '(') return call(name, begin);
        if (name == "t") {
            has_t_ = true;
            return put(Step::t, 0);
        }
        if (name == "pow" || step_of(name) != Step::number) expected("'(' after " + name);
        auto& all = made_.parameters_;
        const auto found = std::ranges::find(all, name);
        const auto place = static_cast<std::size_t>(found - all.begin());
        if (found == all.end()) {
            if (all.size() == Formula::max_parameters)
                throw Error(ErrorKind::input,
                            fmt::format("a formula has at most {} parameters", Formula::max_parameters),
                            "fit");
            all.push_back(name);
        }
        put(Step::parameter, 0, 0, place);
    }
    /// `number` if there is no such function of one argument.
    static Step step_of(std::string_view name) {
        static constexpr std::array functions{std::pair("exp", Step::exp),   std::pair("log", Step::log),
                                              std::pair("sqrt", Step::sqrt), std::pair("abs", Step::abs),
                                              std::pair("sin", Step::sin),   std::pair("cos", Step::cos)};
        for (const auto& [known, step] : functions)
            if (name == known) return step;
        return Step::number;
    }
    void call(const std::string& name, std::size_t begin) {
        const Step step = step_of(name);
        if (step == Step::number && name != "pow") {
            at_ = begin;
            expected("a function or an operator");
        }
        require('(');
        sum();
        if (name == "pow") {
            require(',');
            sum();
            put(Step::power, 2);
        } else {
            put(step, 1);
        }
        require(')');
    }

    std::string_view text_;
    Formula& made_;
    std::size_t at_ = 0, height_ = 0, nesting_ = 0;
    bool has_t_ = false;
};

Formula::Formula(const std::string& text) {
    FormulaParser(text, *this).parse();
}

double Formula::at(double t, std::span<const double> parameters, std::span<double> gradient) const {
    struct Dual {
        double value;
        std::array<double, max_parameters> d;
    };
    std::array<Dual, max_depth + 1> stack;  // every element is written before it is read
    const std::size_t n = parameters_.size();
    std::size_t height = 0;
    const auto push = [&](double value) -> Dual& {
        Dual& top = stack[height++];
        top.value = value;
        std::fill_n(top.d.begin(), n, 0.0);
        return top;
    };
    /// Chain rule: the top becomes `value`, with derivatives multiplied by `slope`.
    const auto apply = [&](double value, double slope) {
        Dual& top = stack[height - 1];
        top.value = value;
        for (std::size_t k = 0; k < n; ++k) top.d[k] *= slope;
    };
    /// The same for two operands. A slope of 0 drops a derivative even where it is not finite.
    const auto combine = [&](double value, double left, double right) {
        Dual &a = stack[height - 2], &b = stack[height - 1];
        a.value = value;
        for (std::size_t k = 0; k < n; ++k)
            a.d[k] = (a.d[k] == 0 ? 0 : left * a.d[k]) + (b.d[k] == 0 ? 0 : right * b.d[k]);
        --height;
    };
    for (const Operation& operation : operations_) {
        const double b = height > 0 ? stack[height - 1].value : 0,
                     a = height > 1 ? stack[height - 2].value : 0;
        switch (operation.step) {
            case Step::number:
                push(operation.number);
                break;
            case Step::t:
                push(t);
                break;
            case Step::parameter:
                push(parameters[operation.parameter]).d[operation.parameter] = 1;
                break;
            case Step::add:
                combine(a + b, 1, 1);
                break;
            case Step::subtract:
                combine(a - b, 1, -1);
                break;
            case Step::multiply:
                combine(a * b, b, a);
                break;
            case Step::divide:
                combine(a / b, 1 / b, -a / (b * b));
                break;
            case Step::power: {
                const double power = std::pow(a, b);
                combine(power, b * std::pow(a, b - 1), a == 0 ? 0 : power * std::log(a));
                break;
            }
            case Step::negate:
                apply(-b, -1);
                break;
            case Step::exp:
                apply(std::exp(b), std::exp(b));
                break;
            case Step::log:
                apply(std::log(b), 1 / b);
                break;
            case Step::sqrt:
                apply(std::sqrt(b), 0.5 / std::sqrt(b));
                break;
            case Step::abs:
                apply(std::abs(b), b < 0 ? -1 : 1);
                break;
            case Step::sin:
                apply(std::sin(b), std::cos(b));
                break;
            case Step::cos:
                apply(std::cos(b), -std::sin(b));
                break;
        }
    }
    std::copy_n(stack[0].d.begin(), n, gradient.begin());
    return stack[0].value;
}

}  // namespace ks::fit
