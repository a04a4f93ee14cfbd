#pragma once

#include <map>
#include <string>

#include "app/cli/kernel_options.h"
#include "core/run/analysis.h"
#include "core/run/request.h"

namespace ks::cli {

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

}  // namespace ks::cli
