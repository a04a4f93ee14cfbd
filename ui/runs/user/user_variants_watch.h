#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

namespace ks::ui {

/// Watches the folder of the user's own variants (core/run/user/user_variant_folder.h), so that those that an
/// editor outside writes are offered at once. Looks no deeper than two folders.
class UserVariantsWatch : public QObject {
    Q_OBJECT
  public:
    /// @param folder need not exist yet: then the nearest one above it is watched until it does
    explicit UserVariantsWatch(QString folder, QObject* parent = nullptr);

  signals:
    /// A file came, went or was written, a moment ago.
    void changed();

  private:
    void watch();

    QString folder_;
    QFileSystemWatcher watcher_;
    QTimer settle_;
};

}  // namespace ks::ui
