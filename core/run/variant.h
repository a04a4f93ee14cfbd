#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ks {

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
    std::vector<std::string> entry_points;  ///< kernel names in launch order
    std::vector<DefineSpec> defines;
    Constraints constraints;
    Streaming streaming = Streaming::resident;
    bool baseline = false;  ///< the yardstick that speed-ups are counted from
    int rank = 0;           ///< the usable variant with the highest rank is the default
    int cpu_rank = 0;       ///< its rank on processors, where that differs; 0: the same
    /// Relative tolerances by dataset name that a check applies ("g2" -> 1e-6); the analysis has defaults for
    /// absent ones.
    std::vector<std::pair<std::string, double>> tolerances = {};

    bool on_host() const { return id.starts_with("host."); }
};

}  // namespace ks
