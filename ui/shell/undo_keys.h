#pragma once

#include <QObject>
#include <QWidget>

namespace ks::ui {

/// In the fields for numbers of a window, Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y are the window's, not those of the
/// text that is being typed. Fields for text keep theirs.
class UndoKeys : public QObject {
  public:
    explicit UndoKeys(QWidget& window);

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    QWidget& window_;
};

}  // namespace ks::ui
