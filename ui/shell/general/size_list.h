#pragma once

#include <QString>
#include <vector>

#include "core/run/parameter_spec.h"

namespace ks::ui {

/// "256, 512, 1024" as values of the parameter, without duplicates and in this order. Words, which may
/// contain commas, are separated by semicolons: "3,3; 5,5". Throws ks::Error(input) for an invalid value and
/// for an empty list.
std::vector<ParameterValue> sizesFrom(const ParameterSpec& spec, const QString& text);

/// An initial list: up to four values that double each time and end at the default.
QString proposedSizes(const ParameterSpec& spec);

}  // namespace ks::ui
