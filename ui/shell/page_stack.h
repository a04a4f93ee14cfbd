#pragma once

#include <QScrollArea>
#include <QStackedWidget>

namespace ks::ui {

/// Pages of which one is shown, with scroll bars if the window is too small for it. A hidden page keeps the
/// layout, such as a drawer at the side of the picture, of the size at which it was last shown; it is laid
/// out again when it is shown.
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
            page->setVisible(page == shown);  // a page checks whether it is hidden
        }
    }
    /// What scrolls needs no minimum space.
    QSize minimumSizeHint() const override { return {320, 240}; }
};

}  // namespace ks::ui
