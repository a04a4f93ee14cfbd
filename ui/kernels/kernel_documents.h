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

/// The texts of kernels that were edited, each with its steps of undo, its cursor and the part that was in
/// sight, as long as the editor lives. One that was not saved is modified, and stays until it is saved or
/// dropped.
class KernelDocuments {
  public:
    /// @param editor that shows one of them; it owns them, and outlives this
    explicit KernelDocuments(QPlainTextEdit& editor) : editor_(editor) {}

    /// The document of a file: the kept one where it is modified or has this text, else a new one, since
    /// another program wrote the file meanwhile.
    QTextDocument& of(const QString& file, const QString& text);
    /// Where the hand is in the document that the editor shows, which is that of this file of an analysis.
    /// @param before what the file holds
    void keepPlace(const QString& analysis, const QString& file, const QString& before);
    /// Nothing where the document is not modified, or there is none. Of the one that is shown `before` is as
    /// keepPlace() was told.
    std::optional<KernelDrafts::Draft> unsaved(const QString& file) const;
    bool holds(const QString& file) const { return kept_.contains(file); }
    /// Files of modified documents.
    std::set<QString> allUnsaved() const;
    /// Goes there again, once the editor shows that document.
    void restorePlace(const QString& file);
    /// None of them may be shown.
    void drop(const QString& file);
    void rename(const QString& from, const QString& to);
    /// Drops those but `shown` whose files are gone, where they are not modified.
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
