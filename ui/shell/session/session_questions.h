#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QSettings;
class QWidget;

namespace ks::ui {

/// What a start without a file does with the last session.
enum class SessionStart { restore, ask, empty };
SessionStart sessionStart(const QSettings& settings);
void setSessionStart(QSettings& settings, SessionStart start);

enum class WorkAnswer { save, discard, stay };

/// Questions of a window about sessions and projects. Tests answer them instead of the user.
struct SessionQuestions {
    std::function<bool()> bringBack;                            ///< the last session
    std::function<bool(const QStringList& files)> readOutside;  ///< of the project's folder
    std::function<QString(const QString& gone)> whereIs;        ///< empty: go on without
    std::function<WorkAnswer(const QStringList& work)> lose;    ///< what is not saved in a file
    /// The same where no project can be saved, for the reason `why`. True: continue without the work.
    std::function<bool(const QStringList& work, const QString& why)> loseForGood;
    std::function<QString(const QString& proposal)> saveAs;  ///< name of a project; empty: do not save
    std::function<bool(const QStringList& jobs)> stop;       ///< jobs in progress or waiting; true: close
    /// Whether to replace a project that someone else has written since this window read or wrote it.
    std::function<bool(const QString& project)> replaceChanged;
    /// Text of kernels that cannot be kept anywhere and are not part of a project; `save`: in copies
    /// elsewhere.
    std::function<WorkAnswer(const QStringList& kernels)> loseKernels;
    std::function<QString(const QString& proposal)> saveKernelAs;  ///< name of a copy; empty: do not save
};

/// With dialogs over `parent`.
SessionQuestions dialogQuestions(QWidget* parent);

}  // namespace ks::ui
