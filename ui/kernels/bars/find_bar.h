#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace ks::ui {

class CodeView;

/// Finds a text in a view of code: Ctrl+F in the view shows it, Esc hides it.
class FindBar : public QWidget {
    Q_OBJECT
  public:
    /// @param view outlives the bar
    explicit FindBar(CodeView& view, QWidget* parent = nullptr);

    /// With what is selected in the view.
    void begin();
    void next();
    void previous();
    void end();
    QLineEdit& field() { return *field_; }
    QLabel& found() { return *found_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void search();
    void step(bool back);

    CodeView& view_;
    QLineEdit* field_;
    QLabel* found_;
};

}  // namespace ks::ui
