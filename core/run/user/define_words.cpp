#include "core/run/user/define_words.h"

#include <algorithm>

namespace ks {
namespace {

bool has_only_digits(const std::string& value) {
    return !value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
}

/// In the order of their numbers.
std::vector<std::string> words_of(const DefineSpec& define) {
    std::vector<std::string> words = define.allowed;
    std::erase_if(words, [](const std::string& value) { return value == "auto" || has_only_digits(value); });
    return words;
}

}  // namespace

std::string value_in_program(const DefineSpec& define, const std::string& value) {
    const std::vector<std::string> words = words_of(define);
    const auto found = std::ranges::find(words, value);
    return found == words.end() ? value : std::to_string(found - words.begin());
}

std::string value_in_words(const DefineSpec& define, const std::string& value) {
    const std::vector<std::string> words = words_of(define);
    for (std::size_t number = 0; number < words.size(); ++number)
        if (value == std::to_string(number)) return words[number];
    return value;
}

std::map<std::string, std::string> values_in_words(const std::vector<DefineSpec>& of_variant,
                                                   std::map<std::string, std::string> values) {
    for (const DefineSpec& define : of_variant)
        if (const auto given = values.find(define.name); given != values.end())
            given->second = value_in_words(define, given->second);
    return values;
}

}  // namespace ks
