#pragma once

#include <filesystem>

#include "core/io/files/file_record.h"

namespace ks::io {

/// record_of() of a file. Of a series one record of all its files: the sum of their sizes, the latest time,
/// and a hash of their names and hashes; an empty hash if there are none. Reads both ends of each.
FileRecord record_of_all(const std::filesystem::path& name);

}  // namespace ks::io
