#pragma once

#include <QKeyEvent>
#include <QObject>
#include <QWidget>

namespace ks::ui {

/// While enabled and the page is visible, Esc triggers pressed() instead of a shortcut, wherever the focus is
/// in the page's window.
class EscapeKey : public QObject {
    Q_OBJECT
  public:
    explicit EscapeKey(QWidget* page) : QObject(page), page_(page) {}

    void setOn(bool on);

  signals:
    void pressed(QKeyEvent* event);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* page_;
    bool on_ = false;
};

}  // namespace ks::ui
