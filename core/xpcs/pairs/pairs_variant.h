#pragma once

#include "core/run/host_backend.h"
#include "core/run/result.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// The row "host.pairs": keeps the sums of all pairs of frames of one bin at a time, and makes every estimate
/// of g2 and of its error from them.
HostVariant pairs_variant();

}  // namespace ks::xpcs
