#pragma once

#include <QStackedWidget>

namespace ks::ui {

/// Pages of which one is shown, and that one alone says how small the window may be. A hidden page keeps the
/// places of its parts, such as a drawer beside the picture, from the size that it was last shown in; it
/// finds new ones when it is shown again.
class PageStack : public QStackedWidget {
  public:
    explicit PageStack(QWidget* parent = nullptr) : QStackedWidget(parent) {
        connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry);
    }
    QSize minimumSizeHint() const override {
        return currentWidget() ? currentWidget()->minimumSizeHint() : QStackedWidget::minimumSizeHint();
    }
};

}  // namespace ks::ui
