#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QString>
#include <QStringList>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/run/registry.h"
#include "ui/shell/session/session_document.h"

namespace ks::ui {

/// A session that is kept and that no window has open.
struct OtherSession {
    QString file;  ///< of the session
    QDateTime written;
    QStringList data;  ///< names of its data files, without folders
    std::size_t runs = 0;
    bool holdsWork = false;
    QString damaged;  ///< why it cannot be read; empty: it can

    /// "a.h5, b.h5 \u2013 2 runs \u2013 26 Nov 14:05"
    QString text() const;
};

/// The files of sessions in one folder. Each window has a place of its own in it (1, 2, ...) and holds it for
/// as long as it lives; the first one is the one that comes back at the next start. A place holds
/// session.ksproj, sessions that were put aside (before*.ksproj), runs/, pages/, where pages keep files of
/// their own whatever becomes of the session, and kernels/, the texts of kernels that are in no file yet. Run
/// files of one place may be named by sessions of others.
class SessionStore {
  public:
    /// Of sessions that were put aside in one place; beyond it the oldest goes.
    static constexpr int mostAside = 20;

    /// Takes the first free place. Throws ks::Error(input) where the folder cannot be made or written to.
    explicit SessionStore(const QString& folder);

    /// No other window was open: its session may come back.
    bool first() const { return place_ == 1; }
    QString file() const { return path(QStringLiteral("session.ksproj")); }
    QString folder() const { return folder_; }
    QString pagesFolder() const { return path(QStringLiteral("pages")); }
    QString kernelsFolder() const { return path(QStringLiteral("kernels")); }
    /// A new name in runs/.
    QString newRunFile(int number) const;
    /// A run of any place, which no session copies.
    bool isRunFile(const QString& file) const;

    /// The session becomes one of the others, unless it holds nothing, or no work where there are others.
    /// Returns its new name; empty: there is none.
    QString putAside();
    /// Sessions that were put aside, and those of places that no window holds; newest first. Reads all of
    /// them; from any thread.
    std::vector<OtherSession> others() const;
    /// Whether there are any; reads nothing.
    bool hasOthers() const;
    /// Removes one of the others. Without effect for any other file.
    void discard(const QString& file) const;
    /// Unsaved texts of kernels in places that no window holds become those of this place.
    void adoptKernels() const;
    /// Removes the files of runs in this place that neither `document` nor another session names.
    void removeOtherRuns(const SessionDocument& document) const;

    /// From setRestoring(true) on until setRestoring(false): where the program ended in between, the next
    /// start finds it.
    bool restoringEnded() const;
    void setRestoring(bool now);

    /// Writes the session; from any thread. An older document than the newest that was written is left out.
    /// @param age grows from document to document
    void write(const SessionDocument& document, quint64 age);

  private:
    QString path(const QString& leaf) const;
    /// Files of the other sessions, in no order.
    QStringList otherFiles() const;

    QString root_, folder_;
    int place_ = 0;
    std::unique_ptr<QLockFile> lock_;
    std::mutex writing_;
    quint64 newest_ = 0;
};

}  // namespace ks::ui
