#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "core/io/files/file_record.h"
#include "core/io/series/series.h"

namespace ks::io {

/// record_of() of a file. Of a series one record of all its files: the sum of their sizes, the latest time,
/// and a hash of their names and hashes; an empty hash if there are none. Reads both ends of each.
FileRecord record_of_all(const std::filesystem::path& name);

/// Of the files of a series as a list: the sum of their sizes, the latest time, and a hash of their names and
/// sizes; an empty hash if there are none. Reads no file.
FileRecord record_of_list(const Series& series);
/// The same from records of single files, such as those that a run read, by the folder: for each folder with
/// files that the name of the series selects.
std::map<std::filesystem::path, FileRecord> recorded_lists(const std::filesystem::path& name,
                                                           const std::vector<FileRecord>& files);

}  // namespace ks::io
