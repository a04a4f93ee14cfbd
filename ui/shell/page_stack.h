#pragma once

#include <QScrollArea>
#include <QStackedWidget>

namespace ks::ui {

/// Pages of which one is shown, and scrolls where the window is too small for it. A hidden page keeps the
/// places of its parts, such as a drawer beside the picture, from the size that it was last shown in; it
/// finds new ones when it is shown again.
class PageStack : public QStackedWidget {
  public:
    using QStackedWidget::QStackedWidget;

    void addPage(QWidget* page) {
        auto* scroll = new QScrollArea;
        scroll->setWidget(page);
        scroll->setWidgetResizable(true);
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setFocusPolicy(Qt::NoFocus);
        scroll->viewport()->setAutoFillBackground(false);
        page->setAutoFillBackground(false);
        addWidget(scroll);
        page->hide();
    }
    void showPage(QWidget* shown) {
        for (int i = 0; i < count(); ++i) {
            auto* scroll = static_cast<QScrollArea*>(widget(i));
            if (scroll->widget() == shown) setCurrentWidget(scroll);
        }
        for (int i = 0; i < count(); ++i) {
            QWidget* const page = static_cast<QScrollArea*>(widget(i))->widget();
            page->setVisible(page == shown);  // a page asks itself whether it is hidden
        }
    }
    /// What scrolls needs no room.
    QSize minimumSizeHint() const override { return {320, 240}; }
};

}  // namespace ks::ui
