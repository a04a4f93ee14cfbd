#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/backend.h"

namespace ks {

/// The environment of a host variant, in addition to its problem.
struct HostContext {
    const Request& request;
    Progress& progress;
    std::vector<Timing>& timings;
    unsigned threads;            ///< at least 1
    std::uint64_t memory_limit;  ///< bytes
};

/// A row in an analysis' table of host variants.
struct HostVariant {
    Variant info;
    OfProblem<Result(HostContext&)> launch;
};

/// Runs host.* variants in this process.
class HostBackend : public Backend {
  public:
    explicit HostBackend(std::vector<HostVariant> table);

    std::string name() const override { return "host"; }
    std::vector<DeviceInfo> devices() override;
    std::vector<DeviceProperty> properties(const DeviceInfo& device) override;
    const std::vector<Variant>& variants() const override { return variants_; }
    std::string why_not(const Variant& variant, const DeviceInfo& device) override;
    void execute(const Problem& problem, Run& run, Progress& progress) override;
    /// Always throws ks::Error(input): the kernels that measure are OpenCL.
    Ceilings measure_ceilings(const DeviceInfo& device, const CeilingsPlan& plan,
                              Progress& progress) override;

  private:
    std::vector<HostVariant> table_;
    std::vector<Variant> variants_;
};

}  // namespace ks
