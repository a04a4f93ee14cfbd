#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <optional>

namespace ks::ui {

/// A text file that is edited here, and whose changes by other programs are noticed: also where they write a
/// new file in its place.
class WatchedFile : public QObject {
    Q_OBJECT
  public:
    explicit WatchedFile(QObject* parent = nullptr);

    /// Reads another file. Throws ks::Error(input). An empty name: none.
    void open(const QString& file);
    const QString& file() const { return file_; }
    /// As the file had it when it was last read or written here.
    const QString& text() const { return text_; }
    /// Throws ks::Error(input) where it cannot be written.
    void save(const QString& text);
    /// Takes what another program wrote as the text of the file.
    void take(const QString& text) { text_ = text; }

  signals:
    /// Another program wrote it.
    void changedOutside(const QString& text);
    void removedOutside();

  private:
    void look();
    void watch();

    QFileSystemWatcher watcher_;
    QTimer settle_;
    QString file_, text_;
};

}  // namespace ks::ui
