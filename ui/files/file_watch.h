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

/// Notices when an open file, or one that its frames lead to, is replaced, written to or removed. The system
/// reports it where it can; on shared disks it may not, so whoever is about to use the contents calls look().
class FileWatch : public QObject {
    Q_OBJECT
  public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches this file from now on and looks at it; null: none.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// Compares size, time and identity on the disk with those at the time of opening; the first difference
    /// is reported by changed(). Without effect once one was found.
    void look();
    /// As look(), but at most once per second: for callers that ask at each move of a slider.
    void lookAtTimes();
    /// The first file that was found to differ. It stays so until setFile().
    const std::optional<QString>& changedFile() const { return changed_; }

  signals:
    void changed(const QString& file);

  private:
    QFileSystemWatcher watcher_;
    QTimer settle_;
    QElapsedTimer looked_;  ///< invalid: not yet at this file
    std::shared_ptr<const OpenFile> file_;
    std::optional<QString> changed_;
};

}  // namespace ks::ui
