#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <string>

#include "core/base/error.h"

namespace ks::ui {

/// A text file edited here. Changes by other programs are noticed, even if they replace the file by a new
/// one. Texts are as in shownText(); saving keeps the encoding and the line ends of the file.
class WatchedFile : public QObject {
    Q_OBJECT
  public:
    explicit WatchedFile(QObject* parent = nullptr);

    /// Reads another file. Throws ks::Error(input). An empty name: none.
    void open(const QString& file);
    /// A file that does not exist, with its last known text.
    void openGone(const QString& file, const QString& text);
    /// One that open() refuses, without a text. changedOutside() follows once it can be read.
    void openUnread(const QString& file);
    bool isUnread() const { return unread_; }
    const QString& file() const { return file_; }
    /// The contents when the file was last read or written here.
    const QString& text() const { return text_; }
    /// Whether it did not exist when last checked.
    bool isGone() const { return gone_; }
    /// Creates its folder if necessary. Throws ks::Error if it cannot be written, or is no longer as it was
    /// when it was last read or written. Throws ks::Error(input) as bytes() does.
    void save(const QString& text);
    /// What save() would write. Throws ks::Error(input) as bytesOf() does.
    std::string bytes(const QString& text) const;
    /// Accepts the text written by another program as that of the file.
    void take(const QString& text) { text_ = text; }

  signals:
    /// Another program wrote or recreated it.
    void changedOutside(const QString& text);
    void removedOutside();
    /// Another program wrote something that cannot be read as a text.
    void unreadableOutside(const ks::Error& error);

  private:
    void look();
    void watch();
    void requireUnchanged();

    QFileSystemWatcher watcher_;
    QTimer settle_;
    QString file_, text_;
    std::string bytes_;  ///< of the file when it was last read or written, by whichever program
    bool gone_ = false, unread_ = false;
    bool failed_ = false;  ///< the newest attempt to read it
};

/// Whether a folder has a file of this name, even a link to a file that does not exist.
bool isInFolder(const QString& file);

}  // namespace ks::ui
