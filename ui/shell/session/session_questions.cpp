#include "ui/shell/session/session_questions.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include "ui/base/count_text.h"
#include "ui/base/save_folders.h"
#include "ui/files/nearest_folder.h"
#include "ui/files/open_dialog.h"

namespace ks::ui {
namespace {

const QString startKey = QStringLiteral("session");
constexpr const char* startNames[] = {"restore", "ask", "empty"};
constexpr qsizetype listedFiles = 12;

WorkAnswer answerOf(QMessageBox& box, const QString& save) {
    box.button(QMessageBox::Save)->setText(save);
    const int answer = box.exec();
    return answer == QMessageBox::Save      ? WorkAnswer::save
           : answer == QMessageBox::Discard ? WorkAnswer::discard
                                            : WorkAnswer::stay;
}

}  // namespace

SessionStart sessionStart(const QSettings& settings) {
    const QString kept = settings.value(startKey).toString();
    for (int i = 0; i < 3; ++i)
        if (kept == QLatin1String(startNames[i])) return static_cast<SessionStart>(i);
    return SessionStart::restore;
}

void setSessionStart(QSettings& settings, SessionStart start) {
    settings.setValue(startKey, QLatin1String(startNames[static_cast<int>(start)]));
}

SessionQuestions dialogQuestions(QWidget* parent) {
    SessionQuestions questions;
    questions.bringBack = [parent] {
        return QMessageBox::question(parent, QObject::tr("Last session"),
                                     QObject::tr("Restore the last session?")) == QMessageBox::Yes;
    };
    questions.readOutside = [parent](const QStringList& files) {
        QMessageBox box(QMessageBox::Question, QObject::tr("Open project"),
                        QObject::tr("The project refers to files outside its folder. Read them?"),
                        QMessageBox::Yes | QMessageBox::No, parent);
        box.setInformativeText(listedText(files, listedFiles, "\n"));
        box.setTextFormat(Qt::PlainText);
        if (files.size() > listedFiles) box.setDetailedText(files.join(QLatin1Char('\n')));
        box.setDefaultButton(QMessageBox::No);
        return box.exec() == QMessageBox::Yes;
    };
    questions.whereIs = [parent](const QString& gone) {
        const QFileInfo file(gone);
        QStringList filters{QObject::tr("All files (*)")};
        if (!file.suffix().isEmpty())
            filters.prepend(QObject::tr("%1 files (*.%2)").arg(file.suffix().toUpper(), file.suffix()));
        OpenDialog dialog(parent, QObject::tr("Where is %1 now?").arg(file.fileName()),
                          nearestFolder(file.path()), filters);
        dialog.setFileMode(QFileDialog::ExistingFile);
        return dialog.exec() == QDialog::Accepted ? dialog.names().value(0) : QString();
    };
    questions.lose = [parent](const QStringList& work) {
        QMessageBox box(
            QMessageBox::Warning, QObject::tr("Close"),
            QObject::tr("The following has not been saved to a file and will be lost if you continue: %1.")
                .arg(work.join(", ")),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
        box.setInformativeText(QObject::tr("If you save a project, it will contain all of this."));
        return answerOf(box, QObject::tr("Save project..."));
    };
    questions.loseForGood = [parent](const QStringList& work, const QString& why) {
        QMessageBox box(QMessageBox::Warning, QObject::tr("Close"),
                        QObject::tr("The following has not been saved to a file and will be lost if you "
                                    "continue: %1.")
                            .arg(work.join(", ")),
                        QMessageBox::Discard | QMessageBox::Cancel, parent);
        box.setInformativeText(QObject::tr("It cannot be saved: %1.").arg(why));
        box.setDefaultButton(QMessageBox::Cancel);
        return box.exec() == QMessageBox::Discard;
    };
    questions.saveAs = [parent](const QString& proposal) {
        return askSavePath(parent, QObject::tr("Save project"), proposal, QObject::tr("Projects (*.ksproj)"));
    };
    questions.stop = [parent](const QStringList& jobs) {
        QMessageBox box(
            QMessageBox::Question, QObject::tr("Close"),
            QObject::tr("Unfinished: %1. Stop and close the window?").arg(jobs.join(QObject::tr(" and "))),
            QMessageBox::Close | QMessageBox::Cancel, parent);
        box.setDefaultButton(QMessageBox::Cancel);
        return box.exec() == QMessageBox::Close;
    };
    questions.replaceChanged = [parent](const QString& project) {
        QMessageBox box(QMessageBox::Warning, QObject::tr("Save project"),
                        QObject::tr("Another window or program has written %1 since it was opened or saved "
                                    "here. Replace the file?")
                            .arg(QFileInfo(project).fileName()),
                        QMessageBox::Yes | QMessageBox::No, parent);
        box.setInformativeText(QObject::tr("\"Save project as\" keeps both versions."));
        box.setDefaultButton(QMessageBox::No);
        return box.exec() == QMessageBox::Yes;
    };
    questions.loseKernels = [parent](const QStringList& kernels) {
        QMessageBox box(QMessageBox::Warning, QObject::tr("Close"),
                        QObject::tr("The text of the kernel %1 has not been saved and could not be kept for "
                                    "the next start; it will be lost if you continue.")
                            .arg(kernels.join(QObject::tr(" and of "))),
                        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
        box.setInformativeText(
            QObject::tr("You can save a copy in any folder, for example on another disk."));
        return answerOf(box, QObject::tr("Save a copy..."));
    };
    questions.saveKernelAs = [parent](const QString& proposal) {
        return askSavePath(parent, QObject::tr("Save a copy of the kernel"), proposal,
                           QObject::tr("Kernels (*.cl)"));
    };
    return questions;
}

}  // namespace ks::ui
