#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/run/analysis.h"
#include "core/run/request.h"

namespace ks::cli {

/// The options that select which kernels of an analysis run, and where: --device, --variant, --define and
/// --kernel-source. Lives as long as the command.
class KernelOptions {
  public:
    /// Help texts that differ between commands.
    struct Texts {
        std::string group = {};  ///< title above them in the help; empty: none
        std::string device =
            "Index of a device or part of its name, as listed by `devices` (default: GPU, else CPU)";
        std::string variant = "Variant to run (default: the best that the device can run)";
        std::string kernel_source = "Kernel file to use in place of the variant's own";
        bool needs_variant = false;
    };
    KernelOptions(CLI::App& command, const Texts& texts);
    /// Throws ks::Error(input) if a definition is not a pair, or if the kernel file cannot be read or would
    /// replace one of the user's kernels.
    void add_to(Request& request) const;
    /// Empty: the variant's own.
    const std::string& kernel_source() const { return kernel_source_; }

  private:
    std::string device_, variant_, kernel_source_;
    std::vector<std::string> defines_;
};

/// The options that say how an analysis runs: device, variant, kernels, memory, check. Lives as long as the
/// command.
class RequestOptions {
  public:
    explicit RequestOptions(CLI::App& command);
    /// Throws ks::Error(input) if an option has a value of the wrong type, or a kernel file cannot be read.
    Request request(const AnalysisInfo& info, std::map<std::string, InputRef> inputs,
                    ParameterSet parameters) const;

  private:
    KernelOptions kernels_;
    std::string memory_limit_, check_ = "none";
    bool guarded_ = false;
};

/// Throws ks::Error(input) if an output would replace a kernel that the command may run: any file in the
/// folder of the user's kernels, or `kernel_file` (may be empty) and its includes.
/// @param role of the kernel file in the error
void require_no_kernel(const std::string& option, const std::filesystem::path& output,
                       const std::filesystem::path& kernel_file,
                       const std::map<std::string, std::string>& defines,
                       const std::string& role = "kernel source");

}  // namespace ks::cli
