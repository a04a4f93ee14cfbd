#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "core/io/files/file_record.h"
#include "core/io/series/series.h"

namespace ks::io {

/// For a file, record_of() it. For a series, one record of all its files: the sum of their sizes, the latest
/// time, and a hash of their names and hashes, which is empty if there are no files. Reads both ends of each
/// file.
FileRecord record_of_all(const std::filesystem::path& name);

/// A record of the list of a series' files: the sum of their sizes, the latest time, and a hash of their
/// names and sizes, which is empty if there are no files. Reads no file.
FileRecord record_of_list(const Series& series);
/// The same, made from records of single files, such as those that a run read. There is one record for each
/// folder that contains files selected by the name of the series.
std::map<std::filesystem::path, FileRecord> recorded_lists(const std::filesystem::path& name,
                                                           const std::vector<FileRecord>& files);

}  // namespace ks::io
