#pragma once

#include <cstdint>
#include <string>

#include <QString>

#include "core/run/parameter_spec.h"
#include "core/run/parameters/unit_text.h"

namespace ks::ui {

/// "100 frames": as to_text(spec, value), with the unit. A word such as "whole" has none. Frames that are
/// listed are no number of frames: "frame 2", "frames 10-19,55".
inline QString withUnit(const ParameterSpec& spec, const ParameterValue& value) {
    const std::string said = to_text(spec, value);
    const bool counts = !is_absent(value) && said.find_first_of("0123456789") != std::string::npos;
    if (spec.unit.empty() || !counts) return QString::fromStdString(said);
    if (spec.type == ParameterType::text && spec.unit == "frames") {
        // A word such as "auto" finds the frames: it is said as it is.
        if (said.find_first_not_of("0123456789-, ") != std::string::npos) return QString::fromStdString(said);
        const bool one = said.find_first_of("-,") == std::string::npos;
        return QString::fromStdString(unit_after(one ? 1 : 2, spec.unit) + ' ' + said);
    }
    const bool one = value == ParameterValue(std::int64_t{1}) || value == ParameterValue(1.0);
    return QString::fromStdString(said + ' ' + unit_after(one ? 1 : 2, spec.unit));
}

}  // namespace ks::ui
