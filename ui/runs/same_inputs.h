#pragma once

#include "core/run/request.h"

namespace ks::ui {

/// True where both requests ask for the same numbers: analysis, inputs and parameters, whatever the variant
/// and device.
inline bool sameInputs(const Request& a, const Request& b) {
    return a.analysis == b.analysis && a.inputs == b.inputs && a.parameters == b.parameters;
}

}  // namespace ks::ui
