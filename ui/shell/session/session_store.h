#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QString>
#include <QStringList>
#include <memory>
#include <mutex>
#include <vector>

#include "ui/shell/session/session_document.h"

namespace ks::ui {

/// A stored session that no window has open.
struct OtherSession {
    QString file;  ///< of the session
    QDateTime written;
    QStringList data;  ///< names of its data files, without folders
    std::size_t runs = 0;
    QStringList work;  ///< on the pages, for people
    bool holdsWork = false;
    QString damaged;  ///< why it cannot be read; empty: it can

    /// "a.h5, b.h5 \u2013 2 runs \u2013 26 Nov 14:05"; without data, the work on the pages in their place.
    QString text() const;
};

/// The files of sessions in one folder. Each window holds its own place in it (1, 2, ...) for its lifetime;
/// the session in the first one is restored at the next start. A place contains session.ksproj, previous
/// sessions (before*.ksproj), runs/, pages/, where pages keep their own files independently of the session,
/// and kernels/, the texts of kernels that are not saved to a file. Run files of one place may be named by
/// sessions of others.
class SessionStore {
  public:
    /// Maximum number of previous sessions in one place; beyond it the oldest is removed.
    static constexpr int mostAside = 20;

    /// Takes the first free place. Throws ks::Error(input) if the folder cannot be created or is not
    /// writable.
    explicit SessionStore(const QString& folder);

    /// No other window was open: its session may be restored.
    bool first() const { return place_ == 1; }
    QString file() const { return path(QStringLiteral("session.ksproj")); }
    QString folder() const { return folder_; }
    QString pagesFolder() const { return path(QStringLiteral("pages")); }
    QString kernelsFolder() const { return path(QStringLiteral("kernels")); }
    /// A new name in runs/.
    QString newRunFile(int number) const;
    /// A run of any place, which sessions do not copy.
    bool isRunFile(const QString& file) const;

    /// Moves the session to the previous ones, unless it is empty, or contains no work while others exist.
    /// Returns its new name; empty: there is none.
    QString putAside();
    /// Previous sessions, and those of places that no window holds; newest first. Reads all of them; from any
    /// thread.
    std::vector<OtherSession> others() const;
    /// Whether there are any; reads nothing.
    bool hasOthers() const;
    /// Removes one of the others. Has no effect on any other file.
    void discard(const QString& file) const;
    /// Moves unsaved kernel texts in places that no window holds to this place.
    void adoptKernels() const;
    /// The same for files of pages. Of files with the same name, or that differ only in a final number, the
    /// newest are in this place afterwards, and the others in the place that they came from.
    void adoptPages() const;
    /// Removes the run files in this place that neither `document` nor another session names.
    void removeOtherRuns(const SessionDocument& document) const;

    /// Set to true at the start of a restore and to false at its end: if the program ends in between, the
    /// next start detects it.
    bool restoringEnded() const;
    void setRestoring(bool now);

    /// Writes the session; from any thread. A document older than the newest written one is ignored.
    /// @param age grows from document to document
    void write(const SessionDocument& document, quint64 age);

  private:
    QString path(const QString& leaf) const;
    /// Files of the other sessions, in no particular order.
    QStringList otherFiles() const;

    QString root_, folder_;
    int place_ = 0;
    std::unique_ptr<QLockFile> lock_;
    std::mutex writing_;
    quint64 newest_ = 0;
};

}  // namespace ks::ui
