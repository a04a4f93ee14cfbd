#pragma once

#include <string>

#include <QString>

#include "core/run/parameter_spec.h"

namespace ks::ui {

/// "100 frames": as to_text(spec, value), with the unit. A word such as "whole" has none.
inline QString withUnit(const ParameterSpec& spec, const ParameterValue& value) {
    const std::string said = to_text(spec, value);
    const bool counts = !is_absent(value) && said.find_first_of("0123456789") != std::string::npos;
    return QString::fromStdString(spec.unit.empty() || !counts ? said : said + ' ' + spec.unit);
}

}  // namespace ks::ui
