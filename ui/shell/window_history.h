#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

#include "ui/base/history.h"
#include "ui/base/parameter_form.h"

class QAction;
class QDialog;
class QWidget;

namespace ks::ui {

class FileSession;
class RequestForm;
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
    /// A step that belongs to this analysis, or to the page with this id, is being undone or redone.
    void pageWanted(const QString& analysis);

  private:
    /// What the form shared by all pages shows: the parameters of one analysis.
    struct FormState {
        QString analysis;
        ParameterSet values;
        bool operator==(const FormState&) const = default;
    };

    FormState formState() const;
    /// Shows the analysis first.
    void setFormState(const FormState& state);
    void showList();
    void showActions();
    void showPlace(QObject* place, bool anywhere);

    History& history_;
    const FileSession& files_;
    QAction &undo_, &redo_;
    QWidget& window_;
    RequestForm& request_;
    Undoable<FormState> formSteps_;
    QPointer<QDialog> list_;
};

}  // namespace ks::ui
