#pragma once

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/io/files/file_stamp.h"
#include "ui/files/open_file.h"

namespace ks::ui {

/// Notices when an open file, or one that its frames link to, is replaced, modified or removed, when a
/// symbolic link on the way to it leads elsewhere, and when an open series gets or loses files. The system
/// reports it where it can; on shared disks it may not, so call look() before using the contents.
class FileWatch : public QObject {
    Q_OBJECT
  public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches this file from now on and looks at it; null: none.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// Compares size, time and identity on disk with those at the time of opening; changed() reports the
    /// first difference at once, and later states of that file (removed, replaced, written again) once they
    /// last for a second, so that a continuing write is one report.
    void look();
    /// As look(), but at most once per second: for callers that ask at each move of a slider.
    void lookAtTimes();
    /// The file found to differ.
    const std::optional<QString>& changedFile() const { return changed_; }

  signals:
    void changed(const QString& file);
    /// A file that differed is again as it was opened.
    void restored();

  private:
    /// State on disk of the file that differs; its `state` is nothing if it is not there.
    struct Found {
        std::filesystem::path file;
        std::optional<io::FileState> state;
        bool operator==(const Found&) const = default;
    };
    void watchNone();
    void watchFound();
    void tell(const std::optional<Found>& now);

    QFileSystemWatcher watcher_;
    QTimer settle_;
    QElapsedTimer looked_;  ///< invalid: this file has not been looked at yet
    std::shared_ptr<const OpenFile> file_;
    std::optional<QString> changed_;
    std::optional<Found> told_;    ///< as reported last
    std::optional<Found> newest_;  ///< as seen last
};

}  // namespace ks::ui
