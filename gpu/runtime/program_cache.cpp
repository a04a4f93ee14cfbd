#include "gpu/runtime/program_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/kernels/compiler_message.h"
#include "gpu/runtime/codes/opencl_code.h"
#include "gpu/runtime/driver_cache.h"
#include "gpu/runtime/output/quiet_build.h"
#include "gpu/runtime/resources/kernel_resources.h"

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

constexpr std::string_view magic = "kernelscope program 1\n";

/// The header of a file: always of the same length for the same key.
std::string head_of(const std::string& key, const std::string& content) {
    return fmt::format("{}{:016x} {:016x} {}\n{}", magic, content.size(), hash_of(content), key.size(), key);
}

/// What write_kept() wrote for this key; nothing if the file has another key or is damaged.
std::optional<std::string> read_kept(const std::filesystem::path& file, const std::string& key) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return std::nullopt;
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t start = head_of(key, {}).size();
    if (text.size() <= start || text.substr(0, start) != head_of(key, text.substr(start)))
        return std::nullopt;
    return text.substr(start);
}

/// Empty if it was written, else why not.
std::string write_kept(const std::filesystem::path& file, const std::string& key,
                       const std::string& content) {
    // Devices that share a run write concurrently, even the same program.
    static std::atomic<unsigned> next{0};
    const std::filesystem::path temporary = fmt::format("{}.{}-{}", file.string(), getpid(), next++);
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    if (failed) return failed.message();
    {
        std::ofstream out(temporary, std::ios::binary);
        errno = 0;
        out << head_of(key, content) << content << std::flush;
        if (!out) failed = {errno != 0 ? errno : EIO, std::generic_category()};
    }
    if (!failed) std::filesystem::rename(temporary, file, failed);
    if (!failed) return {};
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return failed.message();
}

/// Next to the file of a binary, which does not report registers when it is loaded.
std::filesystem::path registers_beside(std::filesystem::path file) {
    return file.replace_extension(".registers");
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
                    fmt::format("the kernel {} takes {} arguments, but its launch passes {}", entry_point,
                                own.size(), base.size()),
                    file, "keep the arguments of the kernel that it was copied from", expected);
    for (std::size_t i = 0; i < own.size(); ++i)
        if (!same(own[i], base[i]))
            throw Error(ErrorKind::build,
                        fmt::format("argument {} of the kernel {}: expected \"{}\", found \"{}\"", i + 1,
                                    entry_point, base[i].text(), own[i].text()),
                        file, "keep the arguments of the kernel that it was copied from", expected);
}

ProgramCache::ProgramCache(cl::Context context, cl::Device device, const DeviceInfo& info,
                           std::filesystem::path folder)
    : context_(std::move(context)),
      device_(std::move(device)),
      device_key_(
          fmt::format("{}\n{}\n{}\n{}\n", info.platform_name, info.platform_version, info.name, info.driver)),
      more_options_(info.has_extension("cl_nv_compiler_options") ? fmt::format(" {}", verbose_option) : ""),
      folder_(std::move(folder)),
      is_pocl_(info.platform_version.find("PoCL") != std::string::npos) {}

std::filesystem::path ProgramCache::file_of(const std::string& key) const {
    return folder_ / "programs" / fmt::format("{:016x}.bin", hash_of(key));
}

cl::Kernel ProgramCache::Entry::lend(const std::string& entry_point) {
    if (const auto given = idle.find(entry_point); given != idle.end() && !given->second.empty()) {
        cl::Kernel kernel = std::move(given->second.back());
        given->second.pop_back();
        return kernel;
    }
    cl_int failed = CL_SUCCESS;
    return {program, entry_point.c_str(), &failed};
}

ProgramCache::Entry& ProgramCache::get(const std::string& source_file, const std::string& source,
                                       const std::string& options, const std::function<void()>& building) {
    // Texts of the same length and options are rare, and compared anyway: hashing them all takes longer.
    const std::size_t hash = source.size() ^ (std::hash<std::string>()(options) << 1);
    const auto [first, last] = asked_.equal_range(hash);
    for (auto at = first; at != last; ++at)
        if (at->second.source == source && at->second.options == options) {
            at->second.entry->log.cache = "memory";
            return *at->second.entry;
        }
    Entry& entry = of_text(source_file, program_text(source, source_file), options, building);
    asked_.emplace(hash, Asked{source, options, &entry});
    return entry;
}

const std::optional<std::vector<KernelArgument>>& ProgramCache::arguments(Entry& entry,
                                                                          const std::string& source,
                                                                          const std::string& entry_point) {
    const auto [known, first] = entry.arguments.try_emplace(entry_point);
    if (!first) return known->second;
    known->second = arguments_of(cl::Kernel(entry.program, entry_point.c_str()));
    if (!known->second) {
        cl::Program again(context_, resolve_includes(source));
        build_quietly(again, device_, entry.log.options);
        known->second = arguments_of(cl::Kernel(again, entry_point.c_str()));
    }
    return known->second;
}

ProgramCache::Entry& ProgramCache::of_text(const std::string& source_file, const ProgramText& program,
                                           const std::string& options,
                                           const std::function<void()>& building) {
    const std::string& text = program.text;
    const std::string key = device_key_ + options + "\n" + text;
    if (const auto known = built_.find(key); known != built_.end()) {
        known->second.log.cache = "memory";
        return known->second;
    }
    Entry entry;
    entry.log = {source_file, options, {}, true, "disk", fmt::format("{:016x}", hash_of(text))};
    // Not every driver keeps the names of arguments in a binary.
    const bool on_disk = options.find(argument_info) == std::string::npos;
    if (!on_disk || !load(key, options, entry)) {
        entry.log.cache = "built";
        if (building) building();
        entry.program = cl::Program(context_, text);
        try {
            // quirk log_of_equal_text; the user's kernels are those that are not kept on disk
            build(on_disk ? options : fmt::format("{} -DKERNELSCOPE_TEXT=0x{}", options, entry.log.text_hash),
                  entry);
        } catch (const cl::Error& error) {
            const std::string log =
                program.lines.in_files(entry.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_));
            require_written_files(source_file, log);
            const bool of_options = error.err() == CL_INVALID_BUILD_OPTIONS;
            throw Error(ErrorKind::build,
                        of_options ? fmt::format("the compiler rejects the options {}", options)
                                   : fmt::format("the kernel does not build: {}", code_text(error.err())),
                        source_file, {}, log.empty() ? "the compiler gave no log" : log);
        }
        entry.log.log = program.lines.in_files(entry.log.log);
        if (on_disk) store(key, entry);
    }
    return built_[key] = std::move(entry);
}

void ProgramCache::require_written_files(const std::string& source_file, const std::string& log) const {
    const auto messages = compiler_messages(log);
    if (!is_pocl_ || std::ranges::any_of(messages, [](const CompilerMessage& message) {
            return message.kind == CompilerMessage::Kind::error;
        }))
        return;
    const std::filesystem::path folder = pocl_cache_folder();
    if (const std::string why = why_not_writable(folder, room_for_kernels); !why.empty())
        throw driver_cannot_write(folder, why, source_file);
}

void ProgramCache::build(const std::string& options, Entry& entry) const {
    const std::string said = build_quietly(entry.program, device_, options + more_options_);
    const std::string log = entry.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
    entry.log.log = without_registers(log);
    if (!said.empty() && entry.log.log.find(said) == std::string::npos) {
        if (!entry.log.log.empty() && !entry.log.log.ends_with('\n')) entry.log.log += '\n';
        entry.log.log += said;
    }
    entry.registers = registers_of(log);
}

const KernelResources& ProgramCache::resources(Entry& entry, const std::string& entry_point,
                                               const cl::Kernel& kernel) const {
    const auto [known, first] = entry.resources.try_emplace(entry_point);
    if (first) {
        known->second = kernel_resources(kernel, device_, entry_point);
        take_registers(entry.registers, known->second);
    }
    return known->second;
}

bool ProgramCache::load(const std::string& key, const std::string& options, Entry& entry) const {
    if (folder_.empty()) return false;
    // a driver may crash on a damaged binary, so the header is checked first
    const std::optional<std::string> binary = read_kept(file_of(key), key);
    if (!binary) return false;
    try {
        const std::vector<unsigned char> bytes(binary->begin(), binary->end());
        entry.program = cl::Program(context_, {device_}, {bytes});
        build(options, entry);
        entry.log.log.clear();
        if (entry.registers.empty() && !more_options_.empty())
            entry.registers = read_kept(registers_beside(file_of(key)), key).value_or("");
        return true;
    } catch (const cl::Error&) {
        return false;  // from another driver: build from the source
    }
}

void ProgramCache::store(const std::string& key, const Entry& entry) {
    if (folder_.empty()) return;
    const std::vector<std::vector<unsigned char>> binaries = entry.program.getInfo<CL_PROGRAM_BINARIES>();
    if (binaries.empty() || binaries[0].empty()) return;
    std::string why = write_kept(file_of(key), key, std::string(binaries[0].begin(), binaries[0].end()));
    if (why.empty() && !entry.registers.empty())
        why = write_kept(registers_beside(file_of(key)), key, entry.registers);
    if (!why.empty())
        complaint_ = fmt::format(
            "compiled kernels cannot be kept in {} ({}), so they will be built again at the next start",
            file_of(key).parent_path().string(), why);
}

}  // namespace ks::gpu
