#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "core/base/element_type.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu {

/// Defines of the context's variant for its device and the element type: those of its tuning rows, the
/// defaults of the others, overridden by the user's tuned values, these by the values that the text of a
/// kernel of the user's own chooses, and these by the request's. Throws ks::Error(input) for a define that
/// the variant does not have or a value that is not allowed.
/// @param work as TuningRow has it
std::map<std::string, std::string> tuned_defines(const LaunchContext& context, ElementType element,
                                                 const std::string& work = {});

/// A define as a number; throws ks::Error(input) where it is none.
std::size_t number(const std::map<std::string, std::string>& defines, const std::string& name);

}  // namespace ks::gpu
