#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/kernels/resolved_source.h"
#include "core/run/run.h"

namespace ks {

/// The text from which a program of a run was built. Nothing if the text is not known: it started with text
/// that a user typed, or files have changed since.
/// @param files texts of the program's kernel files by path
std::optional<ResolvedSource> source_of_build(const Run& run, const BuildLog& build,
                                              const std::map<std::string, std::string>& files);

}  // namespace ks
