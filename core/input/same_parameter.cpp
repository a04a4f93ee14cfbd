#include "core/input/same_parameter.h"

#include <cstddef>
#include <string>
#include <variant>

#include "core/base/error.h"
#include "core/data/frame_ranges.h"

namespace ks::io {
namespace {

constexpr std::size_t most_frames = 10'000'000;  ///< texts that name others are compared as texts

}  // namespace

bool same_parameter(const ParameterSpec& spec, const ParameterValue& one, const ParameterValue& other) {
    if (one == other) return true;
    const auto *a = std::get_if<std::string>(&one), *b = std::get_if<std::string>(&other);
    // Such a parameter names no frames by default.
    const auto* none = std::get_if<std::string>(&spec.default_value);
    if (!a || !b || spec.type != ParameterType::text || !none || *none != no_frames) return false;
    try {
        return frames_named(*a, most_frames, spec.id) == frames_named(*b, most_frames, spec.id);
    } catch (const Error&) {
        return false;
    }
}

}  // namespace ks::io
