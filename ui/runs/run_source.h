#pragma once

#include <QDateTime>
#include <QString>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/io/files/file_record.h"
#include "core/io/files/file_stamp.h"
#include "core/io/series/file_states.h"
#include "core/run/run.h"
#include "ui/files/open_file.h"

namespace ks::ui {

struct RunRow;

/// Whether the run read these data: one of its files is that of the record, and the other files of the data
/// are those that it read. By another name the contents count, since a copy has another time; by the same
/// name the time of modification counts, too. True where nothing is known of either.
/// @param states of all files of the data, with that of the record
bool readContents(const Run& run, const FileRecord& record, const FileStates& states);
/// No file that both runs read had other contents for one of them than for the other.
bool sameContents(const Run& one, const Run& other);
/// Whether the run is an average of repeats with these data among them. Its request names only one of them,
/// which need not be the one that the window shows.
bool isRepeatOf(const Run& run, const std::string& name);
/// Files of an average's repeats that are not as the run read them, sorted: those that it read, and those
/// that it could not use and that were written since it started. Another time alone is no change where the
/// contents at both ends are the same.
/// @param now states on disk, by absolute path; files that are not among them are not compared
/// @param hashes FileRecord::hash of those whose ends were read, since only their time may be another
std::vector<std::string> changedRepeats(const Run& run,
                                        const std::map<std::string, std::optional<io::FileState>>& now,
                                        const std::map<std::string, std::string>& hashes = {});
/// Whether the run read the open file as its input `role`, with the contents that it was opened with.
bool readFrom(const Run& run, const std::string& role, const OpenFile& file);
/// Whether it also counted what is there now: numbers of its result's facts by name.
bool readFrom(const Run& run, const std::string& role, const OpenFile& file,
              const std::map<std::string, std::size_t>& counts);
/// When the run was made, of today the time alone: "14:05"; empty: it does not say.
QString madeAt(const Run& run);
/// The same as a time of this place; not valid where the run does not say it.
QDateTime startOf(const Run& run);
/// What the run read as `role`, as a legend names it: "a.h5", with the object in the file where `beside`
/// or another run that is shown is of another object of the file; of contents that `beside` had before: "a.h5
/// as it was at 14:05". If other files have the same name, with as much of the folder as distinguishes them:
/// "b/a.h5".
/// @param shown all runs that the legend names
QString sourceText(const Run& run, const std::string& role, const OpenFile& beside,
                   const std::vector<RunRow>& shown);

}  // namespace ks::ui
