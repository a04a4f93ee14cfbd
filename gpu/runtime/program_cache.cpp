#include "gpu/runtime/program_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "gpu/runtime/device_query.h"
#include "gpu/runtime/kernel_files.h"

namespace ks::gpu {
namespace {

constexpr std::string_view magic = "kernelscope program 1\n";

/// What stands before a binary in its file: always of the same length for the same key.
std::string head_of(const std::string& key, const std::string& binary) {
    return fmt::format("{}{:016x} {:016x} {}\n{}", magic, binary.size(), hash_of(binary), key.size(), key);
}

}  // namespace

ProgramCache::ProgramCache(cl::Context context, cl::Device device, const DeviceInfo& info,
                           std::filesystem::path folder)
    : context_(std::move(context)),
      device_(std::move(device)),
      device_key_(
          fmt::format("{}\n{}\n{}\n{}\n", info.platform_name, info.platform_version, info.name, info.driver)),
      folder_(std::move(folder)) {}

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
    // Texts of the same length and options are rare, and compared anyway: to hash them all takes longer.
    const std::size_t hash = source.size() ^ (std::hash<std::string>()(options) << 1);
    const auto [first, last] = asked_.equal_range(hash);
    for (auto at = first; at != last; ++at)
        if (at->second.source == source && at->second.options == options) {
            at->second.entry->log.cache = "memory";
            return *at->second.entry;
        }
    Entry& entry = of_text(source_file, resolve_includes(source), options, building);
    asked_.emplace(hash, Asked{source, options, &entry});
    return entry;
}

ProgramCache::Entry& ProgramCache::of_text(const std::string& source_file, const std::string& text,
                                           const std::string& options,
                                           const std::function<void()>& building) {
    const std::string key = device_key_ + options + "\n" + text;
    if (const auto known = built_.find(key); known != built_.end()) {
        known->second.log.cache = "memory";
        return known->second;
    }
    Entry entry;
    entry.log = {source_file, options, {}, true, "disk", fmt::format("{:016x}", hash_of(text))};
    // A binary does not keep the names of arguments everywhere.
    const bool on_disk = options.find("-cl-kernel-arg-info") == std::string::npos;
    if (!on_disk || !load(key, options, entry)) {
        entry.log.cache = "built";
        if (building) building();
        entry.program = cl::Program(context_, text);
        try {
            entry.program.build(device_, options.c_str());
        } catch (const cl::Error& error) {
            const std::string log = entry.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
            throw Error(ErrorKind::build, fmt::format("the kernel does not build ({})", error.err()),
                        source_file, {}, log.empty() ? "the compiler gave no log" : log);
        }
        entry.log.log = entry.program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
        if (on_disk) store(key, entry.program);
    }
    return built_[key] = std::move(entry);
}

bool ProgramCache::load(const std::string& key, const std::string& options, Entry& entry) const {
    if (folder_.empty()) return false;
    std::ifstream in(file_of(key), std::ios::binary);
    if (!in) return false;
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    // a driver may crash on a damaged binary, so the head vouches for it
    const std::size_t start = head_of(key, {}).size();
    if (text.size() <= start || text.substr(0, start) != head_of(key, text.substr(start))) return false;
    try {
        const std::vector<unsigned char> binary(text.begin() + static_cast<std::ptrdiff_t>(start),
                                                text.end());
        entry.program = cl::Program(context_, {device_}, {binary});
        entry.program.build(device_, options.c_str());
        return true;
    } catch (const cl::Error&) {
        return false;  // of another driver: build from the source
    }
}

void ProgramCache::store(const std::string& key, const cl::Program& program) const {
    if (folder_.empty()) return;
    const std::vector<std::vector<unsigned char>> binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (binaries.empty() || binaries[0].empty()) return;
    const std::string binary(binaries[0].begin(), binaries[0].end());
    const std::filesystem::path file = file_of(key);
    const std::filesystem::path temporary = file.string() + "." + std::to_string(getpid());
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    {
        std::ofstream out(temporary, std::ios::binary);
        out << head_of(key, binary) << binary;
        if (!out) failed = std::make_error_code(std::errc::io_error);
    }
    if (!failed) std::filesystem::rename(temporary, file, failed);
    if (failed) std::filesystem::remove(temporary, failed);
}

}  // namespace ks::gpu
