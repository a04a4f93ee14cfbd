#include "gpu/runtime/arguments/kernel_arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "core/base/error.h"

namespace ks::gpu {
namespace {

std::string space_of(cl_kernel_arg_address_qualifier qualifier) {
    switch (qualifier) {
        case CL_KERNEL_ARG_ADDRESS_GLOBAL:
            return "global";
        case CL_KERNEL_ARG_ADDRESS_LOCAL:
            return "local";
        case CL_KERNEL_ARG_ADDRESS_CONSTANT:
            return "constant";
        default:
            return "private";
    }
}

/// Strings from drivers may include a terminating NUL.
std::string without_end(std::string text) {
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
}

/// "unsigned int *" as "uint*"
std::string short_type(std::string type) {
    constexpr std::string_view word = "unsigned ";
    if (type.starts_with(word)) type.replace(0, word.size(), "u");
    std::erase(type, ' ');
    return type;
}

/// Types of OpenCL C, their vectors and pointers: a name that the kernel defines may mean any of these.
bool is_known(std::string_view type) {
    while (type.ends_with('*')) type.remove_suffix(1);
    while (!type.empty() && std::isdigit(static_cast<unsigned char>(type.back())) != 0) type.remove_suffix(1);
    static constexpr std::array names{"char", "uchar", "short", "ushort", "int",    "uint",
                                      "long", "ulong", "half",  "float",  "double", "void"};
    return std::ranges::find(names, type) != names.end();
}

bool same(const KernelArgument& own, const KernelArgument& base) {
    const bool pointers = own.type.ends_with('*') == base.type.ends_with('*');
    if (own.space != base.space || !pointers) return false;
    return own.type == base.type || !is_known(own.type) || !is_known(base.type);
}

std::string listed(const std::vector<KernelArgument>& arguments) {
    std::string text;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", i + 1, arguments[i].text());
    return text;
}

}  // namespace

std::string KernelArgument::text() const {
    return (space == "private" ? "" : space + " ") + type + (name.empty() ? "" : " " + name);
}

std::optional<std::vector<KernelArgument>> arguments_of(const cl::Kernel& kernel) {
    std::vector<KernelArgument> arguments;
    try {
        const cl_uint count = kernel.getInfo<CL_KERNEL_NUM_ARGS>();
        for (cl_uint i = 0; i < count; ++i)
            arguments.push_back({without_end(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(i)),
                                 space_of(kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(i)),
                                 short_type(without_end(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i)))});
    } catch (const cl::Error&) {
        return std::nullopt;
    }
    return arguments;
}

void require_same_arguments(const std::string& entry_point, const std::vector<KernelArgument>& own,
                            const std::vector<KernelArgument>& base, const std::string& file) {
    const std::string expected = "arguments passed by the launch:\n" + listed(base);
    if (own.size() != base.size())
        throw Error(ErrorKind::build,
                    fmt::format("its kernel {} takes {} arguments, but its launch passes {}", entry_point,
                                own.size(), base.size()),
                    file, "keep the arguments of the kernel that it was copied from", expected);
    for (std::size_t i = 0; i < own.size(); ++i)
        if (!same(own[i], base[i]))
            throw Error(ErrorKind::build,
                        fmt::format("argument {} of its kernel {}: expected \"{}\", found \"{}\"", i + 1,
                                    entry_point, base[i].text(), own[i].text()),
                        file, "keep the arguments of the kernel that it was copied from", expected);
}

}  // namespace ks::gpu
