#include "gpu/runtime/guard_zones.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>

namespace ks::gpu {
namespace {

constexpr std::size_t pattern_bytes = 128;  // the longest pattern that a device fills with

/// 16-bit words that begin with 0xfa to 0xfe: as floats and doubles larger than any result, as integers
/// larger than any index, and no byte equals that of a small number. The patterns of buffers with successive
/// numbers differ in every byte.
std::array<std::uint8_t, pattern_bytes> pattern(std::size_t number) {
    std::array<std::uint8_t, pattern_bytes> bytes{};
    for (std::size_t i = 0; i < pattern_bytes; ++i)
        bytes[i] = static_cast<std::uint8_t>(i % 2 == 1 ? 0xfa + (i / 2 + number) % 5
                                                        : 0x81 + (i * 37 + number * 29) % 0x7a);
    return bytes;
}

/// For a part that begins at `at` of a whole: the first byte that no longer matches the pattern with this
/// number, and the one behind the last.
std::optional<std::pair<std::size_t, std::size_t>> changed(std::span<const std::uint8_t> zone,
                                                           std::uint64_t at, std::size_t number) {
    const auto expected = pattern(number);
    const auto differs = [&](std::size_t i) { return zone[i] != expected[(at + i) % pattern_bytes]; };
    std::size_t first = 0, end = zone.size();
    while (first < end && !differs(first)) ++first;
    while (end > first && !differs(end - 1)) --end;
    if (first == end) return std::nullopt;
    return std::pair(first, end);
}

std::string place_of(const GuardZones::Damage& damage) {
    const std::string edge = damage.before ? "before the beginning" : "past the end";
    const std::string size = fmt::format("at least {} byte{}", damage.bytes, damage.bytes == 1 ? "" : "s");
    return damage.distance == 0 ? fmt::format("{} right {}", size, edge)
                                : fmt::format("{}, {} bytes {}", size, damage.distance, edge);
}

/// The name in the kernel's source; empty if its program does not report it.
std::string argument_name(const cl::Kernel& kernel, cl_uint argument) {
    try {
        std::string name = kernel.getArgInfo<CL_KERNEL_ARG_NAME>(argument);
        std::erase(name, '\0');
        return name;
    } catch (const cl::Error&) {
        return {};
    }
}

}  // namespace

cl::Buffer GuardZones::make(std::uint64_t bytes) {
    const std::uint64_t whole_bytes =
        (2 * zone_bytes + bytes + pattern_bytes - 1) / pattern_bytes * pattern_bytes;
    const auto filling = pattern(made_);
    cl::Buffer whole(context_, CL_MEM_READ_WRITE, whole_bytes);
    cl_event filled = nullptr;
    const cl_int failed = ::clEnqueueFillBuffer(queue_(), whole(), filling.data(), pattern_bytes, 0,
                                                whole_bytes, 0, nullptr, &filled);
    if (failed != CL_SUCCESS) throw cl::Error(failed, "clEnqueueFillBuffer");
    cl::Event(filled).wait();  // other queues may use the buffer next
    const cl_buffer_region region{zone_bytes, std::max<std::uint64_t>(bytes, 1)};
    cl::Buffer part = whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
    guarded_[part()] = {std::move(whole), bytes, made_++};
    return part;
}

void GuardZones::find_damage(cl_mem buffer, const Guarded& guarded, std::vector<Damage>& into) const {
    std::vector<std::uint8_t> zone(zone_bytes);
    queue_.enqueueReadBuffer(guarded.whole, CL_TRUE, 0, zone_bytes, zone.data());
    if (const auto found = changed(zone, 0, guarded.number))
        into.push_back(
            {buffer, guarded.bytes, true, zone_bytes - found->first, found->second - found->first});
    const std::uint64_t behind = zone_bytes + guarded.bytes;
    queue_.enqueueReadBuffer(guarded.whole, CL_TRUE, behind, zone_bytes, zone.data());
    if (const auto found = changed(zone, behind, guarded.number))
        into.push_back({buffer, guarded.bytes, false, found->first, found->second - found->first});
}

std::vector<GuardZones::Damage> GuardZones::damage_by(const cl::Kernel& kernel) const {
    queue_.finish();
    std::vector<Damage> found;
    const auto of_kernel = arguments_.find(kernel());
    if (of_kernel == arguments_.end()) return found;
    std::set<cl_mem> seen;
    for (const auto& [argument, buffer] : of_kernel->second.buffers)
        if (const auto at = guarded_.find(buffer); at != guarded_.end() && seen.insert(buffer).second)
            find_damage(at->first, at->second, found);
    return found;
}

std::vector<GuardZones::Damage> GuardZones::damage() const {
    queue_.finish();
    std::vector<Damage> found;
    for (const auto& [buffer, guarded] : guarded_) find_damage(buffer, guarded, found);
    return found;
}

std::size_t GuardZones::content_of(const Guarded& guarded) const {
    std::string content(guarded.bytes, '\0');
    if (guarded.bytes > 0)
        queue_.enqueueReadBuffer(guarded.whole, CL_TRUE, zone_bytes, guarded.bytes, content.data());
    return std::hash<std::string>{}(content);
}

void GuardZones::note_input(const cl::Buffer& buffer) {
    queue_.finish();
    inputs_[buffer()] = content_of(guarded_.at(buffer()));
}

std::vector<std::string> GuardZones::changed_inputs() const {
    queue_.finish();
    std::vector<std::string> changed;
    for (const auto& [input, content] : inputs_) {
        if (content_of(guarded_.at(input)) == content) continue;
        std::string names;
        for (const auto& [handle, arguments] : arguments_)
            if (const std::string name = names_of(arguments, input); !name.empty())
                names += fmt::format("{}{} of the kernel {}", names.empty() ? "" : ", or ", name,
                                     arguments.kernel.getInfo<CL_KERNEL_FUNCTION_NAME>());
        changed.push_back(names);
    }
    return changed;
}

std::string GuardZones::names_of(const Arguments& arguments, cl_mem buffer) {
    std::string names;
    for (const auto& [argument, given] : arguments.buffers) {
        if (given != buffer) continue;
        const std::string name = argument_name(arguments.kernel, argument);
        names += fmt::format("{}argument {}{}", names.empty() ? "" : " and ", argument,
                             name.empty() ? " (counted from 0)" : " `" + name + "`");
    }
    return names;
}

std::string GuardZones::text_of(const Damage& damage, const cl::Kernel& kernel) const {
    return fmt::format("{} of its {} ({} bytes)", place_of(damage),
                       names_of(arguments_.at(kernel()), damage.buffer), damage.buffer_bytes);
}

std::string GuardZones::text_of(const Damage& damage) {
    return fmt::format("{} of a buffer of {} bytes", place_of(damage), damage.buffer_bytes);
}

}  // namespace ks::gpu
