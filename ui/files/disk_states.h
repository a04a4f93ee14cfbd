#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/io/files/file_record.h"
#include "core/io/files/file_stamp.h"

namespace ks::ui {

class Jobs;

/// States of many files on disk, which are looked at from time to time. A job asks the disk, which may not
/// respond; the system's watches, which are limited, are not used.
class DiskStates : public QObject {
    Q_OBJECT
  public:
    /// By absolute path; nothing: there is no such file.
    using States = std::map<std::string, std::optional<io::FileState>>;

    /// @param jobs outlives it
    explicit DiskStates(Jobs& jobs, QObject* parent = nullptr);

    /// Looks at these files now, and at times from now on; none: no more. What was found earlier is dropped.
    /// @param known records of some of them, to be compared: see hashes()
    void setFiles(std::set<std::string> files, std::vector<FileRecord> known = {});
    /// As of the last look. Empty: none has ended since setFiles().
    const States& states() const { return states_; }
    /// FileRecord::hash of those that have the size of a known record, but another time, as of the last look.
    const std::map<std::string, std::string>& hashes() const { return hashes_; }

  signals:
    /// states() are new.
    void looked();

  private:
    void look();

    Jobs& jobs_;
    QTimer next_;
    std::set<std::string> files_;
    std::vector<FileRecord> known_;
    States states_;
    std::map<std::string, std::string> hashes_;
    std::map<std::string, FileRecord> read_;  ///< as they were when their hashes were read
};

}  // namespace ks::ui
