#pragma once

#include "ui/base/history.h"
#include "ui/base/parameter_form.h"

namespace ks::ui {

/// The values of a form of parameters, as steps of a history.
using ParameterSteps = Undoable<ParameterSet>;

/// Names the parameter that changed by its label; "3 parameters" where it is not one.
ParameterSteps::Name parameterChange(const std::vector<ParameterSpec>& specs, const ParameterSet& before,
                                     const ParameterSet& now);

}  // namespace ks::ui
