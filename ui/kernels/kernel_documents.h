#pragma once

#include <QString>
#include <QTextCursor>
#include <map>
#include <optional>
#include <set>

#include "ui/kernels/kernel_drafts.h"

class QPlainTextEdit;
class QTextDocument;

namespace ks::ui {

/// The texts of edited kernels, each with its undo steps, cursor and scroll position, for the lifetime of the
/// editor. An unsaved one is modified, and stays until it is saved or dropped.
class KernelDocuments {
  public:
    /// @param editor shows one of the documents; it owns them and outlives this object
    explicit KernelDocuments(QPlainTextEdit& editor) : editor_(editor) {}

    /// The document of a file: the stored one if it is modified or has this text; otherwise a new one, since
    /// another program has written the file.
    QTextDocument& of(const QString& file, const QString& text);
    /// Stores cursor and scroll position of the editor for its document, which is that of this file of an
    /// analysis.
    /// @param before contents of the file
    void keepPlace(const QString& analysis, const QString& file, const QString& before);
    /// Nothing if the document is not modified or does not exist. For the displayed one, `before` is the
    /// value passed to keepPlace().
    std::optional<KernelDrafts::Draft> unsaved(const QString& file) const;
    bool holds(const QString& file) const { return kept_.contains(file); }
    /// Files of modified documents.
    std::set<QString> allUnsaved() const;
    /// Restores the position once the editor shows that document.
    void restorePlace(const QString& file);
    /// None of them may be displayed.
    void drop(const QString& file);
    void rename(const QString& from, const QString& to);
    /// Drops unmodified documents whose files are gone, except `shown`.
    void dropMissing(const QString& shown);

  private:
    struct Kept {
        QTextDocument* document;
        QTextCursor cursor;
        QString analysis = {}, before = {};
        int top = 0, left = 0;  ///< of the scroll bars
    };
    QPlainTextEdit& editor_;
    std::map<QString, Kept> kept_;  ///< by file
};

}  // namespace ks::ui
