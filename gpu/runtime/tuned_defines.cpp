#include "gpu/runtime/tuned_defines.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "core/base/error.h"
#include "core/run/user/define_words.h"
#include "core/run/user/text_defines.h"

namespace ks::gpu {
std::map<std::string, std::string> given_defines(const LaunchContext& context) {
    std::map<std::string, std::string> defines = context.user_tuned();
    for (const auto& [name, value] : context.chosen_in_text()) defines[name] = value;
    for (const auto& [name, value] : context.request().defines) {
        require_define(context.variant(), name, value);
        defines[name] = value;
    }
    for (const DefineSpec& define : context.variant().defines)
        if (is_own_define(define)) defines.erase(define.name);
    return values_in_words(context.variant().defines, std::move(defines));
}

std::map<std::string, std::string> tuned_defines(const LaunchContext& context, ElementType element,
                                                 const std::string& work) {
    std::map<std::string, std::string> defines = given_defines(context);
    defines.merge(tuned(context.tuning(), context.info(), element, work));
    for (const DefineSpec& define : context.variant().defines)
        if (!define.default_value.empty() && !is_own_define(define))
            defines.try_emplace(define.name, define.default_value);
    return values_in_words(context.variant().defines, std::move(defines));
}

std::size_t number(const std::map<std::string, std::string>& defines, const std::string& name) {
    const auto at = defines.find(name);
    const std::string text = at == defines.end() ? "" : at->second;
    std::size_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value == 0)
        throw Error(ErrorKind::input, fmt::format("{} must be a whole number > 0, found \"{}\"", name, text),
                    "define");
    return value;
}

}  // namespace ks::gpu
