#pragma once

#include <CL/opencl.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/devices/device_info.h"
#include "core/run/build_log.h"
#include "gpu/runtime/arguments/kernel_arguments.h"
#include "gpu/runtime/kernel_files.h"

namespace ks::gpu {

/// The option by which a program tells the arguments of its kernels.
constexpr const char* argument_info = "-cl-kernel-arg-info";

/// Programs of one device: built once, kept in memory, and on disk as binaries keyed by device, driver,
/// source and options. A file that is damaged or from another driver is built anew; a folder that cannot be
/// written costs the time to build, and a complaint.
class ProgramCache {
  public:
    ProgramCache(cl::Context context, cl::Device device, const DeviceInfo& info,
                 std::filesystem::path folder);

    struct Entry {
        cl::Program program;
        BuildLog log;  ///< `cache` tells where the last get() had it from
        /// Kernels that were lent and given back, by entry point.
        std::map<std::string, std::vector<cl::Kernel>> idle = {};
        std::string registers = {};  ///< lines of the compiler's log that tell them; empty: it told none
        std::map<std::string, KernelResources> resources = {};  ///< that were asked for, by entry point
        /// What arguments() told, by entry point.
        std::map<std::string, std::optional<std::vector<KernelArgument>>> arguments = {};

        /// One that nobody else has until it is in `idle` again. Throws cl::Error.
        cl::Kernel lend(const std::string& entry_point);
    };
    /// What a kernel takes, by one whose arguments are not set the first time. Throws cl::Error.
    const KernelResources& resources(Entry& entry, const std::string& entry_point,
                                     const cl::Kernel& kernel) const;
    /// The entry stays. Throws ks::Error(build) whose details are the compiler's log.
    /// @param building called before the compiler is, which may take long
    Entry& get(const std::string& source_file, const std::string& source, const std::string& options,
               const std::function<void()>& building = {});
    /// Of a kernel of a program that get() gave, whose options hold `argument_info`; built once more where it
    /// came from a binary that does not tell. Nothing where the driver never does.
    const std::optional<std::vector<KernelArgument>>& arguments(Entry& entry, const std::string& source,
                                                                const std::string& entry_point);

    /// Why a program that was built could not be kept on disk; empty: it was, or was told before.
    std::string take_complaint() { return std::exchange(complaint_, {}); }

  private:
    /// What get() was asked for: so that the same needs no reading of the text the next time.
    struct Asked {
        std::string source, options;
        Entry* entry;
    };
    Entry& of_text(const std::string& source_file, const ProgramText& text, const std::string& options,
                   const std::function<void()>& building);
    std::filesystem::path file_of(const std::string& key) const;
    bool load(const std::string& key, const std::string& options, Entry& entry) const;
    void store(const std::string& key, const Entry& entry);
    /// Builds the program and takes its log.
    void build(const std::string& options, Entry& entry) const;

    cl::Context context_;
    cl::Device device_;
    std::string device_key_;
    std::string more_options_;  ///< beside those of the key: they change the log alone
    std::filesystem::path folder_;
    std::map<std::string, Entry> built_;
    std::unordered_multimap<std::size_t, Asked> asked_;  ///< by hash of source and options
    std::string complaint_;
};

}  // namespace ks::gpu
