#pragma once

#include <QLockFile>
#include <QString>
#include <memory>
#include <mutex>
#include <optional>

#include "core/run/registry.h"
#include "ui/shell/session/session_document.h"

namespace ks::ui {

/// The files of sessions in one folder. Each window has a place of its own in it (1, 2, ...) and holds it for
/// as long as it lives; the first one is the one that comes back at the next start. A place holds
/// session.ksproj, before.ksproj (the session that was put aside last), runs/ and pages/, where pages keep
/// files of their own whatever becomes of the session.
class SessionStore {
  public:
    /// Takes the first free place. Throws ks::Error(input) where the folder cannot be made or written to.
    explicit SessionStore(const QString& folder);

    /// No other window was open: its session may come back.
    bool first() const { return place_ == 1; }
    QString file() const { return path(QStringLiteral("session.ksproj")); }
    QString fileBefore() const { return path(QStringLiteral("before.ksproj")); }
    QString folder() const { return folder_; }
    QString pagesFolder() const { return path(QStringLiteral("pages")); }
    /// A new name in runs/.
    QString newRunFile(int number) const;
    bool isRunFile(const QString& file) const;

    /// The session becomes the one before, unless there is less in it than in that one.
    void putAside();
    /// Removes the files of runs that neither `document` nor the session before names.
    void removeOtherRuns(const SessionDocument& document);

    /// From setRestoring(true) on until setRestoring(false): where the program ended in between, the next
    /// start finds it.
    bool restoringEnded() const;
    void setRestoring(bool now);

    /// Writes the session; from any thread. An older document than the newest that was written is left out.
    /// @param age grows from document to document
    void write(const SessionDocument& document, quint64 age);

  private:
    QString path(const QString& leaf) const;

    QString folder_;
    int place_ = 0;
    std::unique_ptr<QLockFile> lock_;
    std::mutex writing_;
    quint64 newest_ = 0;
};

}  // namespace ks::ui
