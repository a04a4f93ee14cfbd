#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/run/request.h"

namespace ks::io {

/// How reading the input `name` ("FILE::/path") leads to `file`, which exists. The answer is "" if the input
/// is that file (even by another link to it), or a series with that file. It is "scan.h5::/entry/data_000001"
/// if an external link, a source of a virtual dataset or a raw file of a dataset of scan.h5 leads there,
/// directly or through further files. Nothing: reading the input never leads to the file. Reads links and
/// properties, no values.
std::optional<std::string> way_to(const std::string& name, const std::filesystem::path& file);

/// Throws ks::Error(input) if `output` exists and is read as one of the inputs.
/// @param by what would write it: an option ("--out"), "saving"
/// @param inputs names by role
void require_not_read(const std::string& by, const std::filesystem::path& output,
                      const std::map<std::string, std::string>& inputs);
/// The same with the inputs of a request.
void require_not_read(const std::string& by, const std::filesystem::path& output, const Request& request);

}  // namespace ks::io
