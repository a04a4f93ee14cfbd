#pragma once

#include <QObject>
#include <QWidget>

namespace ks::ui {

/// Keys that a field would take, and that are the window's: Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y in fields for
/// numbers (fields for text keep theirs), and Ctrl+E in all, where it would go to the end of the line.
class WindowKeys : public QObject {
  public:
    explicit WindowKeys(QWidget& window);

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    QWidget& window_;
};

}  // namespace ks::ui
