#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/run.h"

namespace ks {

/// A file, or a series of files, that is not what an earlier run read.
struct FileChange {
    std::string name;  ///< as the later run names it
    /// For a series: "new file img_3.tif; missing file img_1.tif; other content in img_2.tif", with at most
    /// four names of each kind, or "other time of img_2.tif". Empty for a single file.
    std::string details = {};
    /// If the later run read `name` in place of an input of the earlier run: that input; an empty text if it
    /// is not known which one. Nothing: the earlier run read `name`, too, but with other contents.
    std::optional<std::string> instead_of = {};
    /// Size and hash are those of the earlier run, of every file of a series: it was copied or touched.
    bool only_time = false;
    bool operator==(const FileChange&) const = default;
};

/// Files that only the later run read, and files of series that only the earlier run read. Two files are the
/// same if size, time and hash are equal, even if they were read under different names. Empty if the earlier
/// run recorded no files, as in runs of older versions.
std::vector<FileChange> changed_files(const Run& before, const Run& now);

/// Whether they are more than other times of the same contents.
bool have_changed(const std::vector<FileChange>& changes);

/// "a.csv has changed since; img_#.tif has changed since (new file img_3.tif)", "the run used a.csv, not
/// b.csv", "a.csv was written since, but its size and hash are the same"; at least one.
std::string text_of(const std::vector<FileChange>& changes);

}  // namespace ks
