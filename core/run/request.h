#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/array.h"
#include "core/base/fields.h"
#include "core/run/parameter_spec.h"

namespace ks {

/// One input: a name in a form the analysis accepts ("FILE::/path", "rings:X,Y,R0,WIDTH,N"), or the values
/// themselves (labels drawn in the window).
struct InputRef {
    std::string name;
    std::optional<Array> values = {};
    bool operator==(const InputRef&) const = default;
};

KS_FIELDS(InputRef, name, values)

enum class CheckMode { none, sample, full };
const char* name_of(CheckMode mode);
/// Throws ks::Error(input) for an unknown name.
CheckMode check_mode_from(const std::string& name);

/// What to compute, how and where: a plain value that can be sent, saved and repeated.
struct Request {
    std::string analysis;  ///< Analysis id, "xpcs"
    std::string variant;   ///< Variant id; empty: default of the analysis for the device
    std::string device;    ///< index, part of a name, or "host"; empty: GPU, else CPU, else host.
                           ///< Several: "0,1", "all", "gpu" (core/devices/device_list.h)
    std::map<std::string, InputRef> inputs;      ///< by InputSpec::role
    ParameterSet parameters;                     ///< missing ones take their defaults
    std::map<std::string, std::string> defines;  ///< overrides of the variant's defines, e.g. TILE -> 32
    std::string kernel_source;                   ///< replaces the variant's shipped source if not empty
    std::string kernel_file;                     ///< the file of kernel_source; empty: unknown
    /// The saved run from which this request was read. The request does not come from the user, so the code
    /// that it compiles and the files that it reads must be known (core/run/user/trusted_code.h). Sent, not
    /// saved.
    std::string from_file = {};
    /// The program itself wants this run, for a preview or to build in advance. The text of the user's own
    /// kernel must be known, since another program may have changed its file. Sent, not saved.
    bool unasked = false;
    std::optional<std::uint64_t> memory_limit = {};  ///< bytes; absent: from the device
    CheckMode check = CheckMode::none;
    /// Buffers lie between guard zones; a kernel that writes into one causes an error that names it.
    bool guarded = false;
    /// Use the defines from the user's table of tuned values; those above take precedence.
    bool user_tuned = true;
    /// Last run of this process: loaded data need not be cached. Not sent, not saved.
    bool last = false;
    /// Report each kernel before it begins, as is always done for the user's kernels, so that another process
    /// can see which one does not end. Not sent, not saved.
    bool watched = false;
    /// Each launch does as little as the host can give it, so that launches that begin in the middle of a
    /// problem are tried on a small one. Not sent, not saved.
    bool shortest_launches = false;
};

void fields(auto& visit, ConstOr<Request> auto& request) {
    visit("analysis", request.analysis);
    visit("variant", request.variant);
    visit("device", request.device);
    visit("inputs", request.inputs);
    visit("parameters", request.parameters);
    visit("defines", request.defines);
    visit("kernel_source", request.kernel_source);
    visit.added("kernel_file", request.kernel_file);
    visit.added("from_file", request.from_file);
    visit.added("unasked", request.unasked);
    visit("memory_limit", request.memory_limit);
    visit.name("check", request.check, check_mode_from);
    visit.added("guarded", request.guarded);
    visit.added("user_tuned", request.user_tuned);
}

/// A variant as shown to users: "seed.add"; "seed.add, other source 3f2a61" and "user.mine, text 3f2a61" with
/// the mark of the text in the request (core/run/user/shown_variant.h).
std::string shown_variant(const std::string& id, const Request& request);

}  // namespace ks
