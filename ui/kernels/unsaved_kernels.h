#pragma once

#include <QObject>
#include <QString>
#include <QTextCursor>
#include <QTimer>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ui/kernels/kernel_drafts.h"

class QPlainTextEdit;
class QTextDocument;

namespace ks::ui {

/// The texts of edited kernels: documents, each with its undo steps, cursor and scroll position, for the
/// lifetime of the editor; and drafts of the unsaved ones in a folder, which survive the end of the program.
/// An unsaved document is modified, and stays until it is saved or dropped.
class UnsavedKernels : public QObject {
    Q_OBJECT
  public:
    using Draft = KernelDrafts::Draft;

    /// @param editor shows one of the documents; it owns them and outlives this object
    explicit UnsavedKernels(QPlainTextEdit& editor, QObject* parent = nullptr);

    /// The document of a file: the stored one if it is modified or has this text; otherwise a new one, since
    /// another program has written the file.
    QTextDocument& of(const QString& file, const QString& text);
    /// Stores cursor and scroll position of the editor for its document, which is that of this file of an
    /// analysis.
    /// @param before contents of the file
    void keepPlace(const QString& analysis, const QString& file, const QString& before);
    /// Restores the position once the editor shows that document.
    void restorePlace(const QString& file);
    /// Drops a document that is not displayed.
    void forget(const QString& file);
    void rename(const QString& from, const QString& to);
    /// Drops unmodified documents whose files are gone, except `shown`.
    void dropMissing(const QString& shown);

    /// Where drafts are kept. Empty: nowhere.
    void setFolder(const QString& folder);
    /// The text of this file was edited: due() follows soon.
    void edited(const QString& file);
    /// Makes the drafts equal to the documents; due() follows if that fails.
    void keep();
    /// Removes a file's draft.
    void drop(const QString& file);
    std::optional<Draft> draft(const QString& file) const { return drafts_.find(file); }
    /// The unsaved text of a file's document, if there is one. For the displayed one, `before` is the value
    /// passed to keepPlace().
    std::optional<Draft> edit(const QString& file) const;
    /// The unsaved text of a file, of its document or its draft.
    std::optional<Draft> find(const QString& file) const;
    /// Files of an analysis that have unsaved texts; also `open`, whatever its analysis.
    std::set<QString> files(const QString& analysis, const QString& open) const;
    /// Texts that are not among the drafts.
    std::vector<Draft> unkept() const;

  signals:
    /// keep() is to be called now.
    void due();
    /// Which text cannot be kept for the next start, and why; empty: all are kept.
    void keepingChanged(const QString& sentence);

  private:
    struct Kept {
        QTextDocument* document;
        QTextCursor cursor;
        QString analysis = {}, before = {};
        int top = 0, left = 0;  ///< of the scroll bars
    };
    /// Null unless the editor shows the document of this file.
    Kept* shown(const QString& file);
    std::set<QString> modified() const;

    QPlainTextEdit& editor_;
    std::map<QString, Kept> kept_;  ///< by file
    KernelDrafts drafts_;
    std::set<QString> pending_;  ///< files whose drafts are out of date
    QString sentence_;           ///< of keepingChanged()
    QTimer soon_;
};

}  // namespace ks::ui
