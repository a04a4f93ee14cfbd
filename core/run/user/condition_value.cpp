#include "core/run/user/condition_value.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/printable.h"
#include "core/base/trimmed.h"

namespace ks {
namespace {

using Number = std::optional<std::int64_t>;
using StateOf = std::function<MacroState(const std::string&)>;

/// A name, a number, an operator or another character; removes it from the text.
std::string take_part(std::string_view& text) {
    std::size_t size = 1;
    if (is_name_letter(text[0])) {
        const auto end = std::ranges::find_if_not(text, is_name_letter);
        size = static_cast<std::size_t>(end - text.begin());
    } else {
        for (const std::string_view two : {"&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "##"})
            if (text.starts_with(two)) size = 2;
    }
    std::string part(text.substr(0, size));
    text = trimmed(text.substr(size));
    return part;
}

bool is_name(std::string_view part) {
    return is_name_letter(part[0]) && std::isdigit(static_cast<unsigned char>(part[0])) == 0;
}

/// A number in C's spelling, for example 0x10u; nothing for others. @param is_unsigned set for those with u
Number whole_number(std::string_view part, bool& is_unsigned) {
    while (part.size() > 1 && std::string_view("uUlL").find(part.back()) != std::string_view::npos) {
        is_unsigned = is_unsigned || part.back() == 'u' || part.back() == 'U';
        part.remove_suffix(1);
    }
    int base = 10;
    if (part.starts_with("0x") || part.starts_with("0X")) {
        base = 16;
        part.remove_prefix(2);
    } else if (part.size() > 1 && part[0] == '0') {
        base = 8;
    }
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), number, base);
    if (failed != std::errc() || end != part.data() + part.size()) return std::nullopt;
    return number;
}

/// A number, an operator, or a name that is not known (`why` says so).
struct Token {
    std::string text;
    Number number = {};
    std::optional<std::string> why = {};
};

/// Replaces names by their values, as the preprocessor does before it evaluates an expression.
class Tokens {
  public:
    explicit Tokens(const StateOf& state_of) : state_of_(state_of) {}

    void add(std::string_view text, const std::set<std::string>& hidden) {
        text = trimmed(text);
        while (!text.empty() && all.size() < most) {
            const std::string part = take_part(text);
            if (part == "defined" && hidden.empty()) {
                add_defined(text);
            } else if (is_name(part)) {
                add_name(part, hidden);
            } else if (is_name_letter(part[0])) {
                all.push_back({part, whole_number(part, is_unsigned)});
            } else {
                all.push_back({part});
            }
        }
    }

    std::vector<Token> all;
    bool is_unsigned = false;
    static constexpr std::size_t most = 1024;

  private:
    void add_defined(std::string_view& text) {
        const bool in_parentheses = text.starts_with('(');
        if (in_parentheses) take_part(text);
        const std::string name = text.empty() ? std::string() : take_part(text);
        const bool closed = !in_parentheses || (!text.empty() && take_part(text) == ")");
        if (name.empty() || !is_name(name) || !closed) return all.push_back({"defined"});
        const MacroState state = state_of_(name);
        all.push_back({name, state.defined ? 1 : 0, state.defined ? std::nullopt : state.unclear});
    }
    void add_name(const std::string& name, const std::set<std::string>& hidden) {
        const MacroState state = hidden.contains(name) ? MacroState() : state_of_(name);
        if (state.unclear || !state.defined) return all.push_back({name, 0, state.unclear});
        if (++replaced_ > most) return all.push_back({name});
        std::set<std::string> inner = hidden;
        inner.insert(name);
        add(state.value, inner);
    }

    const StateOf& state_of_;
    std::size_t replaced_ = 0;
};

/// Evaluates the tokens from left to right. A side that does not matter (`0 && x`) need not be known.
class Evaluation {
  public:
    explicit Evaluation(const std::vector<Token>& tokens) : tokens_(tokens) {}

    Number value() {
        const Number all = binary(0);
        if (at_ != tokens_.size()) broken = true;
        return broken ? std::nullopt : all;
    }

    bool broken = false, negative = false;
    std::string why;  ///< the first name that is not known

  private:
    static int strength_of(std::string_view text) {
        constexpr std::array<std::pair<std::string_view, int>, 18> strengths{{{"||", 1},
                                                                              {"&&", 2},
                                                                              {"|", 3},
                                                                              {"^", 4},
                                                                              {"&", 5},
                                                                              {"==", 6},
                                                                              {"!=", 6},
                                                                              {"<", 7},
                                                                              {"<=", 7},
                                                                              {">", 7},
                                                                              {">=", 7},
                                                                              {"<<", 8},
                                                                              {">>", 8},
                                                                              {"+", 9},
                                                                              {"-", 9},
                                                                              {"*", 10},
                                                                              {"/", 10},
                                                                              {"%", 10}}};
        const auto known = std::find_if(strengths.begin(), strengths.end(),
                                        [text](const auto& one) { return one.first == text; });
        return known == strengths.end() ? 0 : known->second;
    }

    Number binary(int weakest) {
        Number left = unary();
        while (!broken && at_ < tokens_.size()) {
            const std::string& sign = tokens_[at_].text;
            const int strength = strength_of(sign);
            if (strength == 0 || strength <= weakest) break;
            ++at_;
            const Number right = binary(strength);
            left = noted(combined(sign, left, right));
        }
        return left;
    }
    Number unary() {
        if (at_ == tokens_.size() || ++depth_ > deepest) {
            broken = true;
            return std::nullopt;
        }
        const Number found = operand(tokens_[at_++]);
        --depth_;
        return found;
    }
    Number operand(const Token& token) {
        if (token.text == "(") {
            const Number inner = binary(0);
            if (at_ == tokens_.size() || tokens_[at_++].text != ")") broken = true;
            return inner;
        }
        if (token.text == "!") {
            const Number inner = unary();
            return inner ? Number(*inner == 0) : inner;
        }
        if (token.text == "-" || token.text == "+" || token.text == "~") {
            const Number inner = unary();
            if (!inner || token.text == "+") return inner;
            return noted(token.text == "~" ? ~*inner : wrapped(0, *inner, std::minus<>()));
        }
        if (token.why) {
            if (why.empty()) why = *token.why;
            return std::nullopt;
        }
        if (!token.number) broken = true;
        return token.number;
    }
    Number noted(Number number) {
        negative = negative || (number && *number < 0);
        return number;
    }
    static std::int64_t wrapped(std::int64_t a, std::int64_t b, auto operation) {
        return static_cast<std::int64_t>(
            operation(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
    }
    Number combined(const std::string& sign, Number left, Number right) {
        if (sign == "&&" || sign == "||") {
            const bool decides = sign == "||";
            const auto is = [](Number side, bool what) { return side && (*side != 0) == what; };
            if (is(left, decides) || is(right, decides)) return decides ? 1 : 0;
            return left && right ? Number(decides ? 0 : 1) : std::nullopt;
        }
        if (!left || !right) return std::nullopt;
        const std::int64_t a = *left, b = *right;
        if (sign == "|") return a | b;
        if (sign == "^") return a ^ b;
        if (sign == "&") return a & b;
        if (sign == "==") return a == b;
        if (sign == "!=") return a != b;
        if (sign == "<") return a < b;
        if (sign == "<=") return a <= b;
        if (sign == ">") return a > b;
        if (sign == ">=") return a >= b;
        if (sign == "+") return wrapped(a, b, std::plus<>());
        if (sign == "-") return wrapped(a, b, std::minus<>());
        if (sign == "*") return wrapped(a, b, std::multiplies<>());
        if (sign == "<<" || sign == ">>") {
            if (b < 0 || b > 62 || a < 0) return unknown();
            return sign == "<<" ? wrapped(a, b, [](auto x, auto y) { return x << y; }) : a >> b;
        }
        if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return unknown();
        return sign == "/" ? a / b : a % b;
    }
    Number unknown() {
        broken = true;
        return std::nullopt;
    }

    static constexpr int deepest = 128;
    const std::vector<Token>& tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

ConditionValue condition_value(std::string_view expression, const StateOf& state_of) {
    Tokens tokens(state_of);
    tokens.add(expression, {});
    Evaluation evaluation(tokens.all);
    const Number number = evaluation.value();
    // Compilers convert a negative number to unsigned next to one with the suffix u.
    const bool converts = tokens.is_unsigned && evaluation.negative;
    if (number && !converts && tokens.all.size() < Tokens::most) return {number, {}};
    if (!evaluation.broken && !converts && !evaluation.why.empty()) return {std::nullopt, evaluation.why};
    return {std::nullopt, fmt::format("the program cannot evaluate \"{}\"", printable(expression))};
}

}  // namespace ks
