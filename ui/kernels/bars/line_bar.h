#pragma once

#include <QWidget>

class QAction;
class QLineEdit;

namespace ks::ui {

class CodeView;

/// Asks for a line number and goes there: Ctrl+G in the view shows the bar, Esc hides it.
class LineBar : public QWidget {
    Q_OBJECT
  public:
    /// @param view outlives the bar
    explicit LineBar(CodeView& view, QWidget* parent = nullptr);

    void begin();
    void end();
    QLineEdit& field() { return *field_; }
    /// For a menu.
    QAction* action() { return action_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void go();

    CodeView& view_;
    QLineEdit* field_;
    QAction* action_;
};

}  // namespace ks::ui
