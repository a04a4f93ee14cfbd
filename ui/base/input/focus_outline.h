#pragma once

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QWidget>

namespace ks::ui {

/// Shows that a widget without a frame, or a part of it, has the keyboard focus: a line around it. A child of
/// that widget, over its contents.
class FocusOutline : public QWidget {
  public:
    explicit FocusOutline(QWidget* around) : QWidget(around) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setFocusPolicy(Qt::NoFocus);
        hide();
        around->installEventFilter(this);
        connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, const QWidget* now) {
            setVisible(now && (now == parentWidget() || parentWidget()->isAncestorOf(now)));
            cover();
        });
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Resize) cover();
        return false;
    }

  private:
    void cover() {
        setGeometry(parentWidget()->rect());
        raise();
    }
};

}  // namespace ks::ui
