#pragma once

#include <QString>
#include <map>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/parameter_spec.h"

namespace ks::ui {

/// "256, 512, 1024" as values of the parameter, without duplicates and in this order. Words, which may
/// contain commas, are separated by semicolons: "3,3; 5,5". Throws ks::Error(input) for an invalid value and
/// for an empty list.
std::vector<ParameterValue> sizesFrom(const ParameterSpec& spec, const QString& text);

/// Why sizes have no effect whatever values of the lists are combined with them, by id: "only the kinds 3d
/// and 2d_array have slices".
/// @param others values of parameters without a list
std::map<std::string, QString> idleSizes(const Analysis& analysis, const ParameterSet& others,
                                         const std::map<std::string, std::vector<ParameterValue>>& lists);
/// The tip of a field that has no effect. @param tip of the field otherwise @param why idleSizes()
QString idleTip(const QString& tip, const QString& why);

/// An initial list: up to four values that double each time and end at the default.
QString proposedSizes(const ParameterSpec& spec);

}  // namespace ks::ui
