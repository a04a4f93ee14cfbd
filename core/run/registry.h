#pragma once

#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks {

/// All analyses of the program, from the folders of core/ that contain an analysis.h: such a folder declares
/// `std::vector<ks::Analysis> make_analyses()` and `std::vector<ks::HostVariant>
/// host_variants()`, for all its analyses, in namespace ks::FOLDER; the build collects them.
class Registry {
  public:
    Registry();
    /// Only these analyses: for programs with their own.
    Registry(std::vector<Analysis> analyses, std::vector<HostVariant> host_variants);

    const std::vector<Analysis>& analyses() const { return analyses_; }
    /// Throws ks::Error(input) listing the known ids.
    const Analysis& analysis(const std::string& id) const;
    /// Host variants of all analyses.
    std::vector<HostVariant> host_variants() const { return host_variants_; }

  private:
    std::vector<Analysis> analyses_;
    std::vector<HostVariant> host_variants_;
};

}  // namespace ks
