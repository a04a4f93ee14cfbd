#pragma once

#include <optional>
#include <vector>

#include "core/fit/formula.h"

namespace ks::fit {

/// [parameter]: its unit is this power of that of t, as far as the formula says so, taking its value to have
/// no unit: -1 for gamma in 1 + beta*exp(-2*gamma*t), 1 in 1 + beta*exp(-2*t/gamma), 0 for beta. Nothing
/// where several powers are possible, as for a and b in exp(-a*b*t), where the power is not a whole number,
/// or, for all parameters, where numbers of the formula have units themselves, as in exp(-gamma*(t + 0.1)).
std::vector<std::optional<int>> time_powers(const Formula& formula);

}  // namespace ks::fit
