#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/array.h"
#include "core/base/fields.h"
#include "core/run/parameter_spec.h"

namespace ks {

/// One input: a name that the analysis understands ("FILE::/path", "rings:X,Y,R0,WIDTH,N") or the values
/// themselves (labels drawn in the window).
struct InputRef {
    std::string name;
    std::optional<Array> values = {};
    bool operator==(const InputRef&) const = default;
};

void fields(auto& visit, ConstOr<InputRef> auto& input) {
    visit("name", input.name);
    visit("values", input.values);
}

enum class CheckMode { none, sample, full };
const char* name_of(CheckMode mode);
/// Throws ks::Error(input) for an unknown name.
CheckMode check_mode_from(const std::string& name);

/// What to compute, with what, where: a plain value that can be sent, saved and repeated.
struct Request {
    std::string analysis;  ///< Analysis id, "xpcs"
    std::string variant;   ///< Variant id; empty: the analysis' default for the device
    std::string device;    ///< index, part of a name, or "host"; empty: GPU, else CPU, else host.
                           ///< Several: "0,1", "all", "gpu" (core/devices/device_list.h)
    std::map<std::string, InputRef> inputs;      ///< by InputSpec::role
    ParameterSet parameters;                     ///< what is absent takes its default
    std::map<std::string, std::string> defines;  ///< overrides of the variant's defines, e.g. TILE -> 32
    std::string kernel_source;                   ///< replaces the variant's shipped source where not empty
    std::string kernel_file;  ///< the file that kernel_source was read from; empty: it has no name
    /// The saved run that it was read from: nobody here has asked for it yet, and what it compiles and reads
    /// must be known (core/run/user/trusted_code.h). Sent, not saved.
    std::string from_file = {};
    std::optional<std::uint64_t> memory_limit = {};  ///< bytes; absent: from the device
    CheckMode check = CheckMode::none;
    /// Buffers lie between guard zones, and a kernel that writes into one is an error that names it.
    bool guarded = false;
    /// Defines that the user's table of tuned values has for it are taken; those above come before them.
    bool user_tuned = true;
    /// This process runs nothing after it, so what is read need not stay in memory. Not sent, nor saved.
    bool last = false;
    /// Each kernel is told before it begins, as those of the user's own are, for a process that is watched.
    /// Not sent, nor saved.
    bool watched = false;
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
    visit("memory_limit", request.memory_limit);
    visit.name("check", request.check, check_mode_from);
    visit.added("guarded", request.guarded);
    visit.added("user_tuned", request.user_tuned);
}

/// A variant for people: "seed.add"; "seed.add, other source 3f2a61" and "user.mine, text 3f2a61" with the
/// mark of the text that the request holds (core/run/user/shown_variant.h).
std::string shown_variant(const std::string& id, const Request& request);

}  // namespace ks
