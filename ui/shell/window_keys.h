#pragma once

#include <QObject>
#include <QWidget>

namespace ks::ui {

/// Shortcuts of the window that a field would otherwise take: Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y in number
/// fields (text fields keep theirs), and Ctrl+E in all fields, where it would go to the end of the line.
class WindowKeys : public QObject {
  public:
    explicit WindowKeys(QWidget& window);

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    QWidget& window_;
};

}  // namespace ks::ui
