#include "ui/image/view/floating_card.h"

#include <algorithm>

#include <QEvent>
#include <QPainter>

#include "ui/base/palette.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {

FloatingCard::FloatingCard(Qt::Corner corner, QWidget* parent) : QFrame(parent), corner_(corner) {
    setCursor(Qt::ArrowCursor);
    setFocusPolicy(Qt::NoFocus);
}

void FloatingCard::floatOver(DetectorView* view) {
    const bool wasHidden = isHidden();
    if (view_) {
        view_->removeEventFilter(this);
        view_->disconnect(this);
    }
    view_ = view;
    setParent(view);
    setVisible(!wasHidden);
    view->installEventFilter(this);
    connect(view, &DetectorView::viewChanged, this, &FloatingCard::arrange);
    connect(view, &DetectorView::colourScaleChanged, this, &FloatingCard::arrange);
    arrange();
    raise();
}

DetectorView* FloatingCard::view() const {
    return view_;
}

void FloatingCard::arrange() {
    if (!view_) return;
    const QSize size = sizeHint();
    const QRect room = view_->imageArea().toRect().adjusted(distance, distance, -distance, -distance);
    const bool right = corner_ == Qt::TopRightCorner || corner_ == Qt::BottomRightCorner;
    const bool bottom = corner_ == Qt::BottomLeftCorner || corner_ == Qt::BottomRightCorner;
    // If there is too little room, the left and upper edges stay visible.
    const int x = right ? std::max(room.right() + 1 - size.width(), 0) : room.left();
    const int y = bottom ? std::max(room.bottom() + 1 - size.height(), 0) : room.top();
    setGeometry(QRect(QPoint(x, y), size));
}

bool FloatingCard::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseMove:
        case QEvent::MouseButtonRelease:
        case QEvent::MouseButtonDblClick:
        case QEvent::Wheel:
        case QEvent::ContextMenu:
            event->accept();
            return true;
        default:
            break;
    }
    const bool done = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) arrange();
    return done;
}

bool FloatingCard::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::Resize) arrange();
    return QFrame::eventFilter(watched, event);
}

void FloatingCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ground = palette().color(QPalette::Window), text = palette().color(QPalette::WindowText);
    painter.setPen(QPen(mixed(text, ground, 0.35), 1));
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

}  // namespace ks::ui
