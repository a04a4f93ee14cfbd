#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/run.h"

namespace ks {

/// A file, or a series of files, that is not what an earlier run read.
struct FileChange {
    std::string name;  ///< as the later run names it
    /// Of a series: "new file img_3.tif; missing file img_1.tif; other content in img_2.tif", at most four
    /// names of each kind; empty for a single file, whose content is another one.
    std::string details = {};
    /// The input of the earlier run in whose place the later one read `name`, which was no part of the
    /// earlier run; empty text: none is known. Nothing: `name` has other contents than then.
    std::optional<std::string> instead_of = {};
    bool operator==(const FileChange&) const = default;
};

/// What the later run read that the earlier one did not, and files of series that only the earlier one read.
/// Files are the same if size, time and hash are, under whatever name they were read. Empty if the earlier
/// run recorded no files, as older versions do.
std::vector<FileChange> changed_files(const Run& before, const Run& now);

/// "a.csv has changed since; img_#.tif has changed since (new file img_3.tif)", "the run used a.csv, not
/// b.csv"; at least one.
std::string text_of(const std::vector<FileChange>& changes);

}  // namespace ks
