#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/fields.h"
#include "core/run/parameter_spec.h"

namespace ks {

/// Named properties of a computation: its parameters ("algorithm"), and once its data are loaded, their
/// properties ("element": the type of the pixels).
using Traits = ParameterSet;

/// The values of one trait that a variant accepts. A trait that is not known (yet) excludes nothing.
struct Condition {
    std::string trait;                ///< "algorithm"
    std::string what;                 ///< in a sentence after "requires": "the algorithm", "pixels of type"
    std::vector<std::string> values;  ///< the values, in the form of to_text(); empty: any
    std::optional<double> minimum = {}, maximum = {};  ///< inclusive; for numbers
    bool without_fp64_only = false;                    ///< applies only to devices without double precision
};

KS_FIELDS(Condition, trait, what, values, minimum, maximum, without_fp64_only)

/// How a variant handles data larger than the memory budget.
enum class Streaming {
    resident,   ///< needs everything at once; an error if it does not fit
    frames,     ///< by frames
    modules,    ///< by modules
    targets,    ///< by targets
    time_slabs  ///< by groups of bins and pairs of time slabs
};

const char* name_of(Streaming streaming);
/// Throws ks::Error(run) for an unknown name.
Streaming streaming_from(const std::string& name);

/// A preprocessor definition of a kernel that may be set, with the values that the kernel supports.
struct DefineSpec {
    std::string name;                  ///< "TILE"
    std::string default_value;         ///< used unless a tuning row overrides it
    std::vector<std::string> allowed;  ///< empty: any whole number
    std::string help;                  ///< one sentence
    /// Its name in the program that it is for: the programs of a variant may use the same name. Empty:
    /// `name`.
    std::string program_name = {};
    /// Source file of that program; empty: the variant's own file, or the text that replaces it.
    std::string program_file = {};
};

void fields(auto& visit, ConstOr<DefineSpec> auto& define) {
    visit("name", define.name);
    visit("default", define.default_value);
    visit("allowed", define.allowed);
    visit("help", define.help);
    visit.added("program_name", define.program_name);
    visit.added("program_file", define.program_file);
}

/// Its name in the program that it is for.
const std::string& name_in_program(const DefineSpec& define);

/// Requirements of a variant on the device.
struct Constraints {
    bool fp64 = false;
    std::size_t local_bytes = 0;               ///< local memory per work-group
    std::vector<std::string> extensions = {};  ///< OpenCL extension names
    std::size_t work_group = 0;  ///< size of its largest work-group, unless a define makes it smaller
};

/// Relative tolerance of a check for one dataset.
struct Tolerance {
    std::string dataset;  ///< "g2"
    double tolerance = 0;
};

KS_FIELDS(Tolerance, dataset, tolerance)

/// One named way to compute the same result. Plain data: sent to the window, saved with each run. The code
/// that launches it belongs to the backend (HostVariant, ClVariant).
struct Variant {
    std::string analysis = {};     ///< "xpcs"
    std::string id = {};           ///< "gram.tiled"; host.* run on the host
    std::string title = {};        ///< "Fused tiles of the Gram matrix"
    std::string description = {};  ///< one line: its approach
    std::string source_file = {};  ///< "gpu/xpcs/gram_tiled.cl"; the C++ file for host.*
    std::string source = {};       ///< text of the kernel file; empty for host.*
    /// Further kernel files that its runs may compile, shared with other variants:
    /// "gpu/clusters/general_path.cl".
    std::vector<std::string> shared_sources = {};
    std::vector<std::string> entry_points = {};  ///< kernel names in launch order
    std::vector<DefineSpec> defines = {};
    Constraints constraints = {};
    std::vector<Condition> takes = {};  ///< all of them must hold
    Streaming streaming = Streaming::resident;
    bool baseline = false;  ///< the reference for speed-ups
    /// The usable variant with the highest rank is the default. One of a device with a rank below 0 comes
    /// after those of the host, where no device is named.
    int rank = 0;
    std::optional<int> cpu_rank = {};  ///< rank on CPUs, where it differs
    /// The ceiling in ceiling_ids that limits its arithmetic, where it differs from that of
    /// the analysis: "matrix_tf32".
    std::string ceiling = {};
    /// Overrides of the analysis' default tolerances.
    std::vector<Tolerance> tolerances = {};
    /// Names of datasets that it does not compute: they are NaN, or absent. "g2_err"
    std::vector<std::string> lacks = {};
    /// Runs only when requested by id, never as one of all or as the default; the description says why: for
    /// example, a published form that gives wrong results.
    bool by_name_only = false;
    /// For a user's variant: the file it is read from, and the id of the shipped variant whose launch code it
    /// uses. Empty for built-in variants.
    std::string user_file = {};
    std::string base = {};
    /// Conditions that the values of its defines must fulfil together to be tried: "WG_X * WG_Y <=
    /// work_group". Names are those of defines and of device limits (core/tune/define_rule.h).
    std::vector<std::string> rules = {};

    bool from_user() const { return !user_file.empty(); }
    bool computes(const std::string& dataset) const {
        return std::find(lacks.begin(), lacks.end(), dataset) == lacks.end();
    }
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
    visit.added("lacks", variant.lacks);
    visit.added("by_name_only", variant.by_name_only);
    visit.added("user_file", variant.user_file);
    visit.added("base", variant.base);
    visit.added("rules", variant.rules);
}

/// Throws ks::Error(input) if the variant has no such define, or does not accept the value. The details
/// list the meanings of its defines.
void require_define(const Variant& variant, const std::string& name, const std::string& value);

/// Empty if the variant accepts a computation of these traits, else the reason in one sentence: "packed
/// requires the algorithm dispersion, found dispersion_extended".
std::string why_not(const Variant& variant, const Traits& traits, bool device_has_fp64);
/// Whether the variant accepts a computation only without this trait: without "two_time_bin", the bin of a
/// map.
bool takes_only_without(const Variant& variant, const std::string& trait);
/// Removes the values of the parameters that the variant accepts only without a value.
void leave_out_untaken(const Variant& variant, ParameterSet& parameters);

}  // namespace ks
