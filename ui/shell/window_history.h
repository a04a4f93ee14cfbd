#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

#include "ui/base/parameter_steps.h"

class QAction;
class QDialog;
class QWidget;

namespace ks::ui {

class FileSession;
class WindowActions;
struct Workbench;

/// Undo and redo of a window: the texts of their actions, the steps of the form that all pages share, the
/// page where a step was done, and a list of the steps at the side of the window.
class WindowHistory : public QObject {
    Q_OBJECT
  public:
    /// All outlive it.
    WindowHistory(Workbench& bench, const WindowActions& actions, QWidget& window);
    ~WindowHistory() override;

  signals:
    /// A step that belongs to the page of this analysis is being undone or redone.
    void pageWanted(const QString& analysis);

  private:
    void showList();
    void showActions();
    void showPlace(QObject* place, bool anywhere);

    History& history_;
    const FileSession& files_;
    QAction &undo_, &redo_;
    QWidget& window_;
    ParameterSteps formSteps_;
    QPointer<QDialog> list_;
};

}  // namespace ks::ui
