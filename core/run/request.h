#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/array.h"
#include "core/run/parameter_spec.h"

namespace ks {

/// One input: a name that the analysis understands ("FILE::/path", "rings:X,Y,R0,WIDTH,N") or the values
/// themselves (labels drawn in the window).
struct InputRef {
    std::string name;
    std::optional<Array> values = {};
    bool operator==(const InputRef&) const = default;
};

enum class CheckMode { none, sample, full };
const char* name_of(CheckMode mode);
/// Throws ks::Error(input) for an unknown name.
CheckMode check_mode_from(const std::string& name);

/// What to compute, with what, where: a plain value that can be sent, saved and repeated.
struct Request {
    std::string analysis;  ///< Analysis id, "xpcs"
    std::string variant;   ///< Variant id; empty: the analysis' default for the device
    std::string device;    ///< index, part of a name, or "host"; empty: GPU, else CPU, else host
    std::map<std::string, InputRef> inputs;      ///< by InputSpec::role
    ParameterSet parameters;                     ///< what is absent takes its default
    std::map<std::string, std::string> defines;  ///< overrides of the variant's defines, e.g. TILE -> 32
    std::string kernel_source;                   ///< replaces the variant's shipped source where not empty
    std::string kernel_file;         ///< the file that kernel_source was read from; empty: it has no name
    std::uint64_t memory_limit = 0;  ///< bytes; 0: from the device
    CheckMode check = CheckMode::none;
};

}  // namespace ks
