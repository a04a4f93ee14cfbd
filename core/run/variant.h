#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/fields.h"
#include "core/run/parameter_spec.h"

namespace ks {

/// What is known of a computation by name: its parameters ("algorithm"), and once its data are loaded what
/// they are
/// ("element": the type of the pixels).
using Traits = ParameterSet;

/// What a variant takes of one trait. A trait that is not known (yet) excludes nothing.
struct Condition {
    std::string trait;  ///< "algorithm"
    std::string what;   ///< as a sentence goes on after "takes": "the algorithm", "pixels of type"
    std::vector<std::string> values;                   ///< the values, as to_text() has them; empty: any
    std::optional<double> minimum = {}, maximum = {};  ///< inclusive; of numbers
    bool without_fp64_only = false;  ///< asked for only where the device has no double precision
};

void fields(auto& visit, ConstOr<Condition> auto& condition) {
    visit("trait", condition.trait);
    visit("what", condition.what);
    visit("values", condition.values);
    visit("minimum", condition.minimum);
    visit("maximum", condition.maximum);
    visit("without_fp64_only", condition.without_fp64_only);
}

/// How a variant deals with data over the memory budget.
enum class Streaming {
    resident,   ///< needs everything at once and says so when it does not fit
    frames,     ///< by frames
    modules,    ///< by modules
    targets,    ///< by targets
    time_slabs  ///< by groups of bins and pairs of time slabs
};

const char* name_of(Streaming streaming);
/// Throws ks::Error(run) for an unknown name.
Streaming streaming_from(const std::string& name);

/// A preprocessor definition of a kernel that may be set, with the values that the kernel was written for.
struct DefineSpec {
    std::string name;                  ///< "TILE"
    std::string default_value;         ///< where no tuning row says otherwise
    std::vector<std::string> allowed;  ///< empty: any whole number
    std::string help;                  ///< one sentence
};

void fields(auto& visit, ConstOr<DefineSpec> auto& define) {
    visit("name", define.name);
    visit("default", define.default_value);
    visit("allowed", define.allowed);
    visit("help", define.help);
}

/// What a device must have for a variant.
struct Constraints {
    bool fp64 = false;
    std::size_t local_bytes = 0;          ///< local memory of one work-group
    std::vector<std::string> extensions;  ///< OpenCL extension names
    std::size_t work_group = 0;  ///< work-items of its largest group, where no define makes it smaller
};

/// Relative tolerance of a dataset that a check applies.
struct Tolerance {
    std::string dataset;  ///< "g2"
    double tolerance = 0;
};

void fields(auto& visit, ConstOr<Tolerance> auto& tolerance) {
    visit("dataset", tolerance.dataset);
    visit("tolerance", tolerance.tolerance);
}

/// One named way to compute the same result. Plain data: sent to the window, saved with each run. The code
/// that launches it belongs to the backend (HostVariant, ClVariant).
struct Variant {
    std::string analysis;     ///< "xpcs"
    std::string id;           ///< "gram.tiled"; host.* run on the host
    std::string title;        ///< "Fused tiles of the Gram matrix"
    std::string description;  ///< one line: what it tries
    std::string source_file;  ///< "gpu/xpcs/gram_tiled.cl"; the C++ file for host.*
    std::string source;       ///< text of the kernel file; empty for host.*
    /// Further kernel files that its runs may compile, which other variants share:
    /// "gpu/clusters/general_path.cl".
    std::vector<std::string> shared_sources = {};
    std::vector<std::string> entry_points;  ///< kernel names in launch order
    std::vector<DefineSpec> defines;
    Constraints constraints;
    std::vector<Condition> takes = {};  ///< all must hold
    Streaming streaming = Streaming::resident;
    bool baseline = false;             ///< the yardstick that speed-ups are counted from
    int rank = 0;                      ///< the usable variant with the highest rank is the default
    std::optional<int> cpu_rank = {};  ///< its rank on processors, where that differs
    /// The one of ceiling_ids that bounds its arithmetic, where that is not the one of the analysis:
    /// "matrix_tf32".
    std::string ceiling = {};
    /// Of datasets for which the analysis' own do not hold.
    std::vector<Tolerance> tolerances = {};
    /// Runs where it is asked for by its id, and never as one of all or as the default; the description says
    /// why: a published form that gives wrong results, for example.
    bool by_name_only = false;
    /// Of a variant that the user wrote: the file that it is read from, and the id of the shipped variant
    /// whose launch runs it. Empty for variants that come with the program.
    std::string user_file = {};
    std::string base = {};
    /// What the values of its defines must fulfil together to be worth a try: "WG_X * WG_Y <= work_group".
    /// Names are those of defines and of limits of the device (core/tune/define_rule.h).
    std::vector<std::string> rules = {};

    bool from_user() const { return !user_file.empty(); }
    bool on_host() const { return id.starts_with("host."); }
};

void fields(auto& visit, ConstOr<Variant> auto& variant) {
    visit("analysis", variant.analysis);
    visit("id", variant.id);
    visit("title", variant.title);
    visit.renamed("description", "story", variant.description);
    visit("source_file", variant.source_file);
    visit("source", variant.source);
    visit.added("shared_sources", variant.shared_sources);
    visit("entry_points", variant.entry_points);
    visit("defines", variant.defines);
    visit("fp64", variant.constraints.fp64);
    visit("local_bytes", variant.constraints.local_bytes);
    visit("extensions", variant.constraints.extensions);
    visit.added("work_group", variant.constraints.work_group);
    visit.added("takes", variant.takes);
    visit.name("streaming", variant.streaming, streaming_from);
    visit("baseline", variant.baseline);
    visit("rank", variant.rank);
    visit("cpu_rank", variant.cpu_rank);
    visit.added("ceiling", variant.ceiling);
    visit("tolerances", variant.tolerances);
    visit.added("by_name_only", variant.by_name_only);
    visit.added("user_file", variant.user_file);
    visit.added("base", variant.base);
    visit.added("rules", variant.rules);
}

/// Throws ks::Error(input) where the variant has no such define, or where it does not take the value. The
/// details tell what its defines mean.
void require_define(const Variant& variant, const std::string& name, const std::string& value);

/// Empty where the variant takes a computation of these traits, else one sentence that says why not: "packed
/// takes the algorithm dispersion, found dispersion_extended".
std::string why_not(const Variant& variant, const Traits& traits, bool device_has_fp64);

}  // namespace ks
