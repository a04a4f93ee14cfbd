#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/run.h"

namespace ks {

/// What has moved since runs were made.
struct MovedFiles {
    /// Files by the names that runs recorded for them, each with its present place. The files are not opened.
    std::map<std::string, std::string> files = {};
    struct Folder {
        std::filesystem::path then, now;  ///< absolute
    };
    /// Folders that have moved. A file in or below one of them has the same relative place in the new
    /// location of the folder.
    std::vector<Folder> folders = {};
};

/// The records that the run made when it read an input: that of its file, or those of all files of a series.
/// Empty: there are none, as in runs of older versions.
std::vector<const FileRecord*> records_of_input(const Run& run, const std::string& name);
/// Whether the file has the size and the first and last bytes of the record, regardless of its time.
/// Reads both ends.
bool is_copy_of(const FileRecord& record, const std::filesystem::path& file);
/// Whether an existing file or series may be the input of this name of the run: it has the recorded contents,
/// or the run recorded none.
bool may_be_input(const Run& run, const std::string& name, const std::filesystem::path& now);

/// The run with the present names of its inputs and repeats, including objects in them ("FILE::/path"); the
/// run itself if none of them has moved. Repeats in the folder of an input have moved with it. A file in a
/// folder that has moved is accepted if it exists and has the recorded content, or if the run recorded no
/// content. A series is accepted if it consists of the recorded files.
std::shared_ptr<const Run> with_moved_inputs(const std::shared_ptr<const Run>& run, const MovedFiles& moved);

/// The present place of a file that was in or below the folder; nothing if it was elsewhere.
std::optional<std::filesystem::path> place_now(const std::filesystem::path& file,
                                               const MovedFiles::Folder& folder);

/// The present name of an input of a run. The file is looked for under the name in the run, then in the
/// folder of the run's file and in its parent, with and without the former parent folders of the input. A
/// relative name is resolved against the folder of the run's file, then against the folder in which the run
/// was made, then against the working folder. A file whose content differs from the record is accepted only
/// under the name in the run, and only if no file with the recorded content is found. Throws
/// ks::Error(input) if no file is accepted.
/// @param run_file the run was read from
std::string present_input(const Run& run, const std::string& role, const std::filesystem::path& run_file);
/// The same for a name, such as that of a repeat.
/// @param role for the message
std::string present_name(const Run& run, const std::string& name, const std::string& role,
                         const std::filesystem::path& run_file);
/// Throws ks::Error(input) if the input has no file of that name.
void require_there(const std::string& name, const std::string& role);

}  // namespace ks
