#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/run.h"

namespace ks {

/// What has moved since runs named it.
struct MovedFiles {
    /// Files by the names that runs know them by, with where they are now: they are not looked at.
    std::map<std::string, std::string> files = {};
    struct Folder {
        std::filesystem::path then, now;  ///< absolute
    };
    /// A file in one of them, or below it, has the same place below the folder of now.
    std::vector<Folder> folders = {};
};

/// What the run recorded of the file of an input when it read it; null: nothing, as of runs of older
/// versions.
const FileRecord* record_of_input(const Run& run, const std::string& name);
/// Whether the file has the size and the ends of the record, whenever it was written. Reads its ends.
bool is_copy_of(const FileRecord& record, const std::filesystem::path& file);

/// The run with its inputs named where their files are now, also where an object in one is named
/// ("FILE::/path"); the run itself where none has moved. A file in a folder that has moved is taken where it
/// is there and its content is that which the run recorded, or the run recorded none.
std::shared_ptr<const Run> with_moved_inputs(const std::shared_ptr<const Run>& run, const MovedFiles& moved);

/// The place now of a file that lay in the folder then, or below it; nothing where it lay elsewhere.
std::optional<std::filesystem::path> place_now(const std::filesystem::path& file,
                                               const MovedFiles::Folder& folder);

/// The name of an input of a run where its file is now: as the run names it, or else in the folder of the
/// run's file or the one above, with the folders that it lay in or without them. A file of other content than
/// the run recorded is taken only where the run names it itself and no copy of the recorded one is there.
/// Throws ks::Error(input) where there is none.
/// @param run_file the run was read from
std::string present_input(const Run& run, const std::string& role, const std::filesystem::path& run_file);
/// Throws ks::Error(input) where there is no file of that name for the input.
void require_there(const std::string& name, const std::string& role);

}  // namespace ks
