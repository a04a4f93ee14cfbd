#pragma once

#include <QString>
#include <QTextCursor>
#include <map>

class QPlainTextEdit;
class QTextDocument;

namespace ks::ui {

/// The texts of kernels that were edited, each with its steps of undo, its cursor and the part that was in
/// sight, as long as the editor lives.
class KernelDocuments {
  public:
    /// @param editor that shows one of them; it owns them, and outlives this
    explicit KernelDocuments(QPlainTextEdit& editor) : editor_(editor) {}

    /// The document of a file: the kept one where it has this text, else a new one, since another program
    /// wrote the file meanwhile.
    QTextDocument& of(const QString& file, const QString& text);
    /// Where the hand is in the document that the editor shows, which is that of this file.
    void keepPlace(const QString& file);
    /// Goes there again, once the editor shows that document.
    void restorePlace(const QString& file);
    /// None of them may be shown.
    void drop(const QString& file);
    void rename(const QString& from, const QString& to);
    /// Drops those but `shown` whose files are gone.
    void dropMissing(const QString& shown);

  private:
    struct Kept {
        QTextDocument* document;
        QTextCursor cursor;
        int top = 0, left = 0;  ///< of the scroll bars
    };
    QPlainTextEdit& editor_;
    std::map<QString, Kept> kept_;  ///< by file
};

}  // namespace ks::ui
