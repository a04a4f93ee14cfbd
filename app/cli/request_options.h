#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "core/run/analysis.h"
#include "core/run/request.h"

namespace ks::cli {

/// The options that say how an analysis runs: device, variant, kernels, memory, check. Lives as long as the
/// command.
class RequestOptions {
  public:
    explicit RequestOptions(CLI::App& command);
    /// Throws ks::Error(input) where an option has no value of its kind or a kernel file cannot be read.
    Request request(const AnalysisInfo& info, std::map<std::string, InputRef> inputs,
                    ParameterSet parameters) const;

  private:
    std::string device_, variant_, kernel_source_, memory_limit_, check_ = "none";
    std::vector<std::string> defines_;
    bool guarded_ = false;
};

}  // namespace ks::cli
