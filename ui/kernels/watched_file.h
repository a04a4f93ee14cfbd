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
    /// One that is not there, with the text that it had.
    void openGone(const QString& file, const QString& text);
    const QString& file() const { return file_; }
    /// As the file had it when it was last read or written here.
    const QString& text() const { return text_; }
    /// Whether it was not there when it was last looked at.
    bool isGone() const { return gone_; }
    /// Makes its folder, too. Throws ks::Error where it cannot be written.
    void save(const QString& text);
    /// Takes what another program wrote as the text of the file.
    void take(const QString& text) { text_ = text; }

  signals:
    /// Another program wrote it, or it is there again.
    void changedOutside(const QString& text);
    void removedOutside();

  private:
    void look();
    void watch();

    QFileSystemWatcher watcher_;
    QTimer settle_;
    QString file_, text_;
    bool gone_ = false;
};

}  // namespace ks::ui
