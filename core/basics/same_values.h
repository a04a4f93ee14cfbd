#pragma once

#include "core/run/result.h"
#include "core/run/verdict.h"

namespace ks::basics {

/// Compares each dataset of `expected` with the one of the same name in `found`, value by value; texts are
/// compared but not counted.
Verdict same_values(const Result& found, const Result& expected);

}  // namespace ks::basics
