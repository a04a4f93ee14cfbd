#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "core/base/element_type.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu {

/// Defines of the context's variant that were given for it: the user's tuned values, those chosen in the text
/// of a user's kernel, and those of the request, each of which overrides the ones before it. A launch that
/// adapts other values keeps these. Those that only the text of a user's kernel has are left out: a launch
/// may set them by its problem, and building the text adds the others. Throws ks::Error(input) as
/// tuned_defines() does.
std::map<std::string, std::string> given_defines(const LaunchContext& context);

/// Defines of the context's variant for its device and the element type. They come from the following
/// sources, each of which overrides the ones before it: the defaults, the tuning rows, and given_defines().
/// Throws ks::Error(input) for a define that the variant does not have or a value that is not allowed.
/// @param work as in TuningRow
std::map<std::string, std::string> tuned_defines(const LaunchContext& context, ElementType element,
                                                 const std::string& work = {});

/// A define as a number; throws ks::Error(input) if it is not one.
std::size_t number(const std::map<std::string, std::string>& defines, const std::string& name);

}  // namespace ks::gpu
