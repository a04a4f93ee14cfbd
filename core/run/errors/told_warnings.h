#pragma once

#include <string>
#include <vector>

#include "core/run/run.h"

namespace ks {

/// The warnings of a run, as they are told. Those of a run whose check failed may be conclusions from its
/// wrong values, such as sums that are not finite, but others come from its inputs: a remark follows them.
std::vector<std::string> told_warnings(const Run& run);

}  // namespace ks
