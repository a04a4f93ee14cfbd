#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QSettings;
class QWidget;

namespace ks::ui {

/// What a start without a file does with the session of the last one.
enum class SessionStart { restore, ask, empty };
SessionStart sessionStart(const QSettings& settings);
void setSessionStart(QSettings& settings, SessionStart start);

enum class WorkAnswer { save, discard, stay };

/// What a window asks about sessions and projects. Tests answer in the user's place.
struct SessionQuestions {
    std::function<bool()> bringBack;                            ///< the last session
    std::function<bool(const QStringList& files)> readOutside;  ///< of the project's folder
    std::function<QString(const QString& gone)> whereIs;        ///< empty: go on without
    std::function<WorkAnswer(const QStringList& work)> lose;    ///< what is in no file
    std::function<QString(const QString& proposal)> saveAs;     ///< name of a project; empty: not at all
    /// Whether to replace a project that was written by somebody else since this window read or wrote it.
    std::function<bool(const QString& project)> replaceChanged;
    /// Text of kernels that can be kept nowhere, which no project holds; `save`: in copies elsewhere.
    std::function<WorkAnswer(const QStringList& kernels)> loseKernels;
    std::function<QString(const QString& proposal)> saveKernelAs;  ///< name of a copy; empty: not at all
};

/// With dialogs over `parent`.
SessionQuestions dialogQuestions(QWidget* parent);

}  // namespace ks::ui
