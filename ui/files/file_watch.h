#pragma once

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>

#include "ui/files/open_file.h"

namespace ks::ui {

/// Notices when an open file, or one that its frames link to, is replaced, modified or removed, and when an
/// open series gets or loses files. The system reports it where it can; on shared disks it may not, so call
/// look() before using the contents.
class FileWatch : public QObject {
    Q_OBJECT
  public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches this file from now on and looks at it; null: none.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// Compares size, time and identity on disk with those at the time of opening; changed() reports the
    /// first difference. Has no effect once one has been found.
    void look();
    /// As look(), but at most once per second: for callers that ask at each move of a slider.
    void lookAtTimes();
    /// The first file found to differ, until the next setFile().
    const std::optional<QString>& changedFile() const { return changed_; }

  signals:
    void changed(const QString& file);

  private:
    void watchNone();

    QFileSystemWatcher watcher_;
    QTimer settle_;
    QElapsedTimer looked_;  ///< invalid: this file has not been looked at yet
    std::shared_ptr<const OpenFile> file_;
    std::optional<QString> changed_;
};

}  // namespace ks::ui
