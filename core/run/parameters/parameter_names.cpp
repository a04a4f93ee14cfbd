#include "core/run/parameters/parameter_names.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/run/parameters/option_name.h"

namespace ks {
namespace {

/// The place with another name for the parameter that it ends with: "Run 3: parameter x" or "x".
template <class Name>
std::string renamed_place(const std::string& where, const std::vector<ParameterSpec>& parameters,
                          const Name& name) {
    constexpr std::string_view before = ": ", word = "parameter ";
    const std::size_t found = where.rfind(before),
                      begin = found == std::string::npos ? 0 : found + before.size();
    std::string_view id = std::string_view(where).substr(begin);
    if (id.starts_with(word)) id.remove_prefix(word.size());
    const auto spec = std::ranges::find(parameters, id, &ParameterSpec::id);
    return spec == parameters.end() ? where : where.substr(0, begin) + name(*spec);
}

}  // namespace

std::string with_fields(std::string text, const std::vector<ParameterSpec>& parameters) {
    for (const ParameterSpec& spec : parameters) {
        const std::string option = option_name(spec.id);
        const std::string field = '"' + spec.label + '"';
        for (std::size_t at = text.find(option); at != std::string::npos; at = text.find(option, at + 1)) {
            const std::string_view after = std::string_view(text).substr(at + option.size());
            if (!after.empty() &&
                (after[0] == '-' || std::isalnum(static_cast<unsigned char>(after[0])) != 0))
                continue;  // a longer option
            const bool set = after.size() > 1 && after[0] == ' ' &&
                             std::isdigit(static_cast<unsigned char>(after[1])) != 0;
            text.replace(at, option.size(), set ? field + " =" : field);
        }
    }
    return text;
}

Error with_fields(const Error& error, const std::vector<ParameterSpec>& parameters) {
    return Error(
        error.kind(), with_fields(error.message(), parameters),
        renamed_place(error.where(), parameters, [](const ParameterSpec& spec) { return spec.label; }),
        with_fields(error.hint(), parameters), error.details());
}

Error with_options(const Error& error, const std::vector<ParameterSpec>& parameters) {
    return Error(error.kind(), error.message(),
                 renamed_place(error.where(), parameters,
                               [](const ParameterSpec& spec) { return option_name(spec.id); }),
                 error.hint(), error.details());
}

}  // namespace ks
