#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/kernels/resolved_source.h"
#include "core/run/run.h"

namespace ks {

/// The text from which a program of a run was built, with the text that the host inserted before it. Nothing
/// if the text is not known: files have changed since, or an earlier version did not keep the inserted text.
/// @param files texts of the program's kernel files by path
std::optional<ResolvedSource> source_of_build(const Run& run, const BuildLog& build,
                                              const std::map<std::string, std::string>& files);

/// The text that the host inserted before the file in a run; empty: there was none.
std::string inserted_before(const std::string& file, const Run& run);

}  // namespace ks
