#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/run/parameter_spec.h"

namespace ks {

/// What is known of a computation by name: its parameters ("algorithm"), and once its data are loaded what they are
/// ("element": the type of the pixels).
using Traits = ParameterSet;

/// What a variant takes of one trait. A trait that is not known (yet) excludes nothing.
struct Condition {
    std::string trait;                ///< "algorithm"
    std::string what;                 ///< as a sentence goes on after "takes": "the algorithm", "pixels of type"
    std::vector<std::string> values;  ///< the values, as to_text() has them; empty: any
    std::optional<double> minimum = {}, maximum = {};  ///< inclusive; of numbers
    bool without_fp64_only = false;  ///< asked for only where the device has no double precision
};

/// How a variant deals with data over the memory budget.
enum class Streaming {
    resident,   ///< needs everything at once and says so when it does not fit
    frames,     ///< by frames
    modules,    ///< by modules
    targets,    ///< by targets
    time_slabs  ///< by groups of bins and pairs of time slabs
};

/// A preprocessor definition of a kernel that may be set, with the values that the kernel was written for.
struct DefineSpec {
    std::string name;                  ///< "TILE"
    std::string standard;              ///< the default where no tuning row says otherwise
    std::vector<std::string> allowed;  ///< empty: any whole number
    std::string help;                  ///< one sentence
};

/// What a device must have for a variant.
struct Constraints {
    bool fp64 = false;
    std::size_t local_bytes = 0;          ///< local memory of one work-group
    std::vector<std::string> extensions;  ///< OpenCL extension names
    std::size_t work_group = 0;           ///< work-items of its largest group, where no define makes it smaller
};

/// One named way to compute the same result. Plain data: sent to the window, saved with each run. The code
/// that launches it belongs to the backend (HostVariant, ClVariant).
struct Variant {
    std::string analysis;                   ///< "xpcs"
    std::string id;                         ///< "gram.tiled"; host.* run on the host
    std::string title;                      ///< "Fused tiles of the Gram matrix"
    std::string story;                      ///< one line: what it tries
    std::string source_file;                ///< "gpu/xpcs/gram_tiled.cl"; the C++ file for host.*
    std::string source;                     ///< text of the kernel file; empty for host.*
    /// Further kernel files that its runs may compile, which other variants share: "gpu/clusters/general_path.cl".
    std::vector<std::string> shared_sources = {};
    std::vector<std::string> entry_points;  ///< kernel names in launch order
    std::vector<DefineSpec> defines;
    Constraints constraints;
    std::vector<Condition> takes = {};  ///< all must hold
    Streaming streaming = Streaming::resident;
    bool baseline = false;  ///< the yardstick that speed-ups are counted from
    int rank = 0;           ///< the usable variant with the highest rank is the default
    int cpu_rank = 0;       ///< its rank on processors, where that differs; 0: the same
    /// Relative tolerances by dataset name that a check applies ("g2" -> 1e-6); the analysis has defaults for
    /// absent ones.
    std::vector<std::pair<std::string, double>> tolerances = {};

    bool on_host() const { return id.starts_with("host."); }
};

/// Empty where the variant takes a computation of these traits, else one sentence that says why not: "packed takes
/// the algorithm dispersion, found dispersion_extended".
std::string why_not(const Variant& variant, const Traits& traits, bool device_has_fp64);

}  // namespace ks
