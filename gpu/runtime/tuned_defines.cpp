#include "gpu/runtime/tuned_defines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/base/error.h"

namespace ks::gpu {
namespace {

void check(const Variant& variant, const std::string& name, const std::string& value) {
    const auto spec = std::find_if(variant.defines.begin(), variant.defines.end(),
                                   [&](const DefineSpec& define) { return define.name == name; });
    if (spec == variant.defines.end()) {
        std::vector<std::string> known, helps;
        for (const DefineSpec& define : variant.defines) {
            known.push_back(define.name);
            helps.push_back(fmt::format("{}: {}", define.name, define.help));
        }
        throw Error(ErrorKind::input,
                    fmt::format("no define {} in {}, it has {}", name, variant.id, fmt::join(known, ", ")),
                    "define", fmt::format("{}", fmt::join(helps, "; ")));
    }
    const auto& allowed = spec->allowed;
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        throw Error(ErrorKind::input,
                    fmt::format("{} must be one of {}, found {}", name, fmt::join(allowed, ", "), value),
                    "define");
    if (allowed.empty()) number({{name, value}}, name);
}

}  // namespace

std::map<std::string, std::string> tuned_defines(const LaunchContext& context, ElementType element) {
    std::map<std::string, std::string> defines = tuned(context.tuning(), context.info(), element);
    for (const DefineSpec& define : context.variant().defines)
        if (!define.default_value.empty()) defines.try_emplace(define.name, define.default_value);
    for (const auto& [name, value] : context.request().defines) {
        check(context.variant(), name, value);
        defines[name] = value;
    }
    return defines;
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
