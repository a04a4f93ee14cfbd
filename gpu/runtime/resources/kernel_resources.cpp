#include "gpu/runtime/resources/kernel_resources.h"

#include <optional>
#include <regex>
#include <sstream>

namespace ks::gpu {
namespace {

std::optional<std::string> entry_function_of(const std::string& line) {
    static const std::regex form(R"(^ptxas info\s*: Compiling entry function '([^']*)'.*$)");
    std::smatch match;
    if (!std::regex_match(line, match, form)) return std::nullopt;
    return match[1].str();
}

bool is_register_line(const std::string& line) {
    return line.starts_with("ptxas info") || line.starts_with("ptxas         .");
}

/// Lines of a log that are about registers, or those that are not.
std::string filtered(std::string_view log, bool of_registers) {
    std::istringstream in{std::string(log)};
    std::string out;
    for (std::string line; std::getline(in, line);)
        if (is_register_line(line) == of_registers) out += line + '\n';
    return out.find_first_not_of(" \n\r") == std::string::npos ? std::string() : out;
}

}  // namespace

KernelResources kernel_resources(const cl::Kernel& kernel, const cl::Device& device,
                                 const std::string& entry_point) {
    KernelResources told;
    told.entry_point = entry_point;
    told.local_bytes = kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device);
    told.private_bytes = kernel.getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(device);
    told.work_group = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
    told.multiple = kernel.getWorkGroupInfo<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(device);
    return told;
}

void take_registers(std::string_view log, KernelResources& kernel) {
    static const std::regex used(R"(^ptxas info\s*: Used (\d{1,9}) registers.*$)");
    static const std::regex spills(
        R"(^ptxas.*?(\d{1,9}) bytes spill stores, (\d{1,9}) bytes spill loads.*$)");
    std::istringstream in{std::string(log)};
    bool mine = false;
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
        if (!is_register_line(line)) continue;
        if (const std::optional<std::string> function = entry_function_of(line))
            mine = *function == kernel.entry_point;
        else if (mine && std::regex_match(line, match, used))
            kernel.registers = std::stoull(match[1].str());
        else if (mine && std::regex_match(line, match, spills))
            kernel.spill_bytes = std::stoull(match[1].str()) + std::stoull(match[2].str());
    }
}

std::string without_registers(std::string_view log) {
    return filtered(log, false);
}

std::string registers_of(std::string_view log) {
    return filtered(log, true);
}

}  // namespace ks::gpu
