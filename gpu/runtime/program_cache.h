#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <CL/opencl.hpp>

#include "core/devices/device_info.h"
#include "core/run/build_log.h"
#include "gpu/runtime/kernel_files.h"

namespace ks::gpu {

/// The declaration of one argument of a kernel.
struct KernelArgument {
    std::string name;
    std::string space;  ///< "global", "local", "constant", "private"
    std::string type;   ///< "uint*", without qualifiers

    /// "global uint* counts"
    std::string text() const;
};

/// The arguments in order. Nothing if the driver does not report them, as for programs from a binary, or
/// built without -cl-kernel-arg-info.
std::optional<std::vector<KernelArgument>> arguments_of(const cl::Kernel& kernel);

/// Throws ks::Error(build) that names the first argument of `own` that differs from `base`, or the numbers of
/// arguments of both. Types that a kernel defines itself are not compared.
/// @param file of `own`
void require_same_arguments(const std::string& entry_point, const std::vector<KernelArgument>& own,
                            const std::vector<KernelArgument>& base, const std::string& file);

/// The option with which a program reports the arguments of its kernels.
constexpr const char* argument_info = "-cl-kernel-arg-info";

/// Programs of one device: built once, kept in memory, and stored on disk as binaries keyed by device,
/// driver, source and options. A file that is damaged or from another driver is rebuilt. If the folder cannot
/// be written, programs are built each time, and there is a warning.
class ProgramCache {
  public:
    ProgramCache(cl::Context context, cl::Device device, const DeviceInfo& info,
                 std::filesystem::path folder);

    struct Entry {
        cl::Program program;
        BuildLog log;  ///< `cache` says where the last get() found it
        /// Kernels that were lent and returned, by entry point.
        std::map<std::string, std::vector<cl::Kernel>> idle = {};
        std::string registers =
            {};  ///< lines of the compiler's log that report them; empty: it reported none
        std::map<std::string, KernelResources> resources = {};  ///< those requested so far, by entry point
        /// Results of arguments(), by entry point.
        std::map<std::string, std::optional<std::vector<KernelArgument>>> arguments = {};
        /// Group sizes with which kernels were launched, by entry point (quirk program_per_group_size).
        std::map<std::string, std::set<std::vector<std::size_t>>> groups = {};

        /// A kernel that nobody else uses until it is in `idle` again. Throws cl::Error.
        cl::Kernel lend(const std::string& entry_point);
    };
    /// The resources of a kernel. They are queried once, from a kernel object without arguments. Throws
    /// cl::Error.
    const KernelResources& resources(Entry& entry, const std::string& entry_point,
                                     const cl::Kernel& kernel) const;
    /// The entry stays valid. Throws ks::Error(build) with the compiler's log as details.
    /// @param building called before the compiler, which may take long
    Entry& get(const std::string& source_file, const std::string& source, const std::string& options,
               const std::function<void()>& building = {});
    /// For a kernel of a program from get() whose options hold `argument_info`; rebuilds the program if it
    /// came from a binary that does not report them. Nothing if the driver never does.
    const std::optional<std::vector<KernelArgument>>& arguments(Entry& entry, const std::string& source,
                                                                const std::string& entry_point);

    /// Why a program could not be stored on disk; empty: it was stored, or that was already reported.
    std::string take_complaint() { return std::exchange(complaint_, {}); }

  private:
    /// A request to get(): the same one again need not read the text.
    struct Asked {
        std::string source, options;
        Entry* entry;
    };
    Entry& of_text(const std::string& source_file, const ProgramText& text, const std::string& options,
                   const std::function<void()>& building);
    std::filesystem::path file_of(const std::string& key) const;
    bool load(const std::string& key, const std::string& options, Entry& entry) const;
    void store(const std::string& key, const Entry& entry);
    /// After a build that failed: throws driver_cannot_write() if that is the reason, rather than the text.
    void require_written_files(const std::string& source_file, const std::string& log) const;
    /// Builds the program and takes its log.
    void build(const std::string& options, Entry& entry) const;

    cl::Context context_;
    cl::Device device_;
    std::string device_key_;
    std::string more_options_;  ///< in addition to those of the key: they change only the log
    std::filesystem::path folder_;
    bool is_pocl_;
    std::map<std::string, Entry> built_;
    std::unordered_multimap<std::size_t, Asked> asked_;  ///< by hash of source and options
    std::string complaint_;
};

}  // namespace ks::gpu
