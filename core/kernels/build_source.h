#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/kernels/resolved_source.h"
#include "core/run/run.h"

namespace ks {

/// The text that a program of a run was built from; nothing if it is not known, because it started with text
/// that a user typed or because files have changed since.
/// @param files texts of the program's kernel files by path
std::optional<ResolvedSource> source_of_build(const Run& run, const BuildLog& build,
                                              const std::map<std::string, std::string>& files);

}  // namespace ks
