#pragma once

#include "ui/base/history.h"
#include "ui/base/parameter_form.h"

namespace ks::ui {

/// Changes in a parameter form as steps of a history.
using ParameterSteps = Undoable<ParameterSet>;

/// Names the changed parameter by its label; "3 parameters" for several.
ParameterSteps::Name parameterChange(const std::vector<ParameterSpec>& specs, const ParameterSet& before,
                                     const ParameterSet& now);

}  // namespace ks::ui
