#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/files/file_record.h"
#include "ui/shell/session/session_document.h"
#include "ui/shell/session/session_questions.h"

namespace ks::ui {

struct RunRow;
struct Workbench;

/// The project of a window: its file, how it is saved, and which work is in no file.
class WindowProject : public QObject {
    Q_OBJECT
  public:
    using Work = std::map<std::string, std::string>;  ///< as SessionDocument::work

    /// All outlive it.
    /// @param window its state
    WindowProject(Workbench& bench, SessionQuestions& questions, std::function<SessionDocument()> window,
                  QObject* parent);

    /// Of its file; empty: there is none.
    const QString& path() const { return path_; }
    /// As this window read or wrote it; nothing if there is none.
    std::optional<FileRecord> file() const { return path_.isEmpty() ? std::nullopt : then_; }
    /// The file was opened here.
    /// @param refused stays in the file when it is written
    void set(const QString& path, RefusedFiles refused);
    /// Of a session that is being restored.
    void setRefused(RefusedFiles refused) { refused_ = std::move(refused); }
    const RefusedFiles& refused() const { return refused_; }
    /// The files that were refused are being read after all, and the window is restored with them.
    /// @param session the work that the window names, and the project of these files
    void takeRefused(Work session);
    /// Ids of pages that show nothing without a file.
    std::set<std::string> needsFile() const;
    /// It is again the project of the window, which restores a session; the file is read to compare with it.
    /// @param session the work that the session names
    void resume(const FileRecord& file, Work session);
    /// The window is restored, as the project says unless that was resumed.
    void setDocument(SessionDocument document);
    /// Of work that a session is going to name: what a restored window named although nobody did it. The next
    /// start would take it for work that the project does not have.
    void leaveOutBroughtBack(Work& work) const;
    void clear();
    /// There is a project, and work that is in no file; as of the last look().
    bool isModified() const { return modified_; }
    /// Compares the window with the project.
    void look();
    /// Why save() would fail, whatever the name; nothing: it may succeed.
    std::optional<Error> whyNotSaved() const;
    /// @param done called once it is written, not if that fails or the user cancels
    void save(const std::function<void()>& done = {});
    void saveAs(const std::function<void()>& done = {});
    /// Runs go into the folder NAME_runs next to it.
    void save(const QString& path, bool overwrite, const std::function<void()>& done = {});

    /// The user saved a run to a file, or opened it from one.
    void addSaved(const std::shared_ptr<const Run>& run) { saved_.push_back(run); }
    /// In the project, or in a file.
    bool isSaved(const RunRow& row) const;
    /// Everything that is in no file, for people.
    QStringList unsavedWork() const;

  signals:
    void saved(const QString& path);
    /// path() or isModified() has changed.
    void changed();

  private:
    QString proposal() const;
    QStringList unsavedOfFiles(const SessionDocument& now) const;
    void setModified(bool modified);
    void take(const QString& path);

    Workbench& bench_;
    SessionQuestions& questions_;
    std::function<SessionDocument()> window_;
    QString path_;
    std::optional<FileRecord> then_;           ///< its file, as this window read or wrote it
    std::optional<SessionDocument> document_;  ///< as it was when the project was read or written
    std::vector<std::weak_ptr<const Run>> saved_;
    std::optional<Work> session_;  ///< while a session is being restored: the work that it names
    RefusedFiles refused_;
    Work broughtBack_;  ///< what the restored window names in addition
    bool modified_ = false;
};

}  // namespace ks::ui
