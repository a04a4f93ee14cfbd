#pragma once

#include <QString>
#include <vector>

#include "core/run/parameter_spec.h"

namespace ks::ui {

/// "256, 512, 1024" as values of the parameter, each once and in this order; words, which may have commas of
/// their own, have semicolons between: "3,3; 5,5". Throws ks::Error(input) for what is none of its values,
/// and for an empty list.
std::vector<ParameterValue> sizesFrom(const ParameterSpec& spec, const QString& text);

/// A list to begin with: up to four values, each twice the one before, that end at the default.
QString proposedSizes(const ParameterSpec& spec);

}  // namespace ks::ui
