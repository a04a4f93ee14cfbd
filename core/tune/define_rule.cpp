#include "core/tune/define_rule.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/trimmed.h"

namespace ks {
namespace {

using Value = std::int64_t;
using ValueOf = std::function<Value(const std::string& name)>;

/// A binary operator with its precedence, lowest first.
struct Operator {
    std::string_view sign;
    int strength;
};
constexpr std::array operators{Operator{"||", 0}, Operator{"&&", 1}, Operator{"==", 2}, Operator{"!=", 2},
                               Operator{"<=", 2}, Operator{">=", 2}, Operator{"<", 2},  Operator{">", 2},
                               Operator{"+", 3},  Operator{"-", 3},  Operator{"*", 4},  Operator{"/", 4},
                               Operator{"%", 4}};
constexpr int strongest = 4, deepest = 64;

/// Parses and evaluates a rule in one pass.
class Reader {
  public:
    Reader(const std::string& text, const ValueOf& value_of) : text_(text), value_of_(value_of) {}

    Value read() {
        const Value value = level(0);
        if (at() < text_.size()) refuse("an operator", text_.substr(at_));
        return value;
    }

  private:
    [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
        throw Error(ErrorKind::input,
                    fmt::format("expected {}, found {}", expected,
                                found.empty() ? "the end" : "\"" + printable(found) + "\""),
                    "rule \"" + printable(text_) + "\"");
    }

    /// The next position that is not a space.
    std::size_t at() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        return at_;
    }

    Value level(int strength) {
        if (strength > strongest) return operand();
        Value left = level(strength + 1);
        while (const Operator* one = next_operator(strength)) {
            at_ += one->sign.size();
            left = joined(left, one->sign, level(strength + 1));
        }
        return left;
    }

    const Operator* next_operator(int strength) {
        const std::string_view rest = std::string_view(text_).substr(at());
        for (const Operator& one : operators)
            if (rest.starts_with(one.sign)) return one.strength == strength ? &one : nullptr;
        return nullptr;
    }

    Value joined(Value a, std::string_view sign, Value b) const {
        if ((sign == "/" || sign == "%") && b == 0) refuse("a divisor other than 0", "0");
        Value value = 0;
        bool over = false;
        switch (sign.front()) {
            case '|':
                return a != 0 || b != 0;
            case '&':
                return a != 0 && b != 0;
            case '=':
                return a == b;
            case '!':
                return a != b;
            case '<':
                return sign == "<=" ? a <= b : a < b;
            case '>':
                return sign == ">=" ? a >= b : a > b;
            case '+':
                over = __builtin_add_overflow(a, b, &value);
                break;
            case '-':
                over = __builtin_sub_overflow(a, b, &value);
                break;
            case '*':
                over = __builtin_mul_overflow(a, b, &value);
                break;
            case '/':
                return b == -1 ? -a : a / b;
            default:
                return b == -1 ? 0 : a % b;
        }
        if (over) refuse("a result that fits into 64 bits", fmt::format("{} {} {}", a, sign, b));
        return value;
    }

    Value operand() {
        const std::size_t first = at();
        if (first < text_.size() && text_[first] == '(') return in_brackets();
        std::size_t end = first;
        while (end < text_.size() && is_name_letter(text_[end])) ++end;
        const std::string word = text_.substr(first, end - first);
        if (word.empty()) refuse("a number or a name", text_.substr(first, 1));
        at_ = end;
        if (!std::isdigit(static_cast<unsigned char>(word.front()))) return value_of_(word);
        Value value = 0;
        const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (code != std::errc() || stop != word.data() + word.size()) refuse("a number", word);
        return value;
    }

    Value in_brackets() {
        if (++depth_ > deepest) refuse("fewer nested brackets", "(");
        ++at_;
        const Value value = level(0);
        if (at() == text_.size() || text_[at_] != ')') refuse("a closing bracket", text_.substr(at_, 1));
        ++at_;
        --depth_;
        return value;
    }

    const std::string& text_;
    const ValueOf& value_of_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

Value whole_number(const std::string& name, const std::string& text) {
    Value value = 0;
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || stop != text.data() + text.size())
        throw Error(ErrorKind::input, fmt::format("expected a whole number, found \"{}\"", printable(text)),
                    "value of " + name);
    return value;
}

}  // namespace

DefineRule::DefineRule(std::string text, const std::vector<std::string>& known) : text_(std::move(text)) {
    const ValueOf note = [&](const std::string& name) -> Value {
        if (std::ranges::find(known, name) == known.end())
            throw Error(ErrorKind::input, "unknown name " + name, "rule \"" + printable(text_) + "\"",
                        "the names are " + joined(known));
        if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
        return 1;
    };
    // With 1 for every name a divisor may be 0 that is not 0 with real values.
    try {
        Reader(text_, note).read();
    } catch (const Error& error) {
        if (std::string(error.what()).find("a divisor") == std::string::npos) throw;
    }
}

bool DefineRule::holds(const std::map<std::string, std::string>& values) const {
    const ValueOf value_of = [&](const std::string& name) {
        const auto found = values.find(name);
        return whole_number(name, found == values.end() ? std::string() : found->second);
    };
    return Reader(text_, value_of).read() != 0;
}

std::map<std::string, std::string> limits_of(const DeviceInfo& device) {
    return {{"work_group", std::to_string(device.largest_work_group)},
            {"local_bytes", std::to_string(device.local_bytes)},
            {"compute_units", std::to_string(device.compute_units)}};
}

}  // namespace ks
