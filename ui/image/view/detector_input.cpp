#include <algorithm>
#include <cmath>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include "ui/image/view/detector_view.h"

namespace ks::ui {

void DetectorView::makeActions() {
    const auto add = [this](const QString& text, const QKeySequence& keys) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        addAction(action);
        return action;
    };
    connect(add(tr("&Copy picture"), QKeySequence::Copy), &QAction::triggered, this,
            &DetectorView::copyPicture);
    connect(add(tr("&Whole image"), {}), &QAction::triggered, this, &DetectorView::fit);
    scaleBarAction_ = add(tr("&Scale bar"), {});
    scaleBarAction_->setCheckable(true);
    scaleBarAction_->setChecked(scaleBarVisible_);
    connect(scaleBarAction_, &QAction::toggled, this, &DetectorView::setScaleBarVisible);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void DetectorView::copyPicture() const {
    if (frame()) QGuiApplication::clipboard()->setImage(picture());
}

void DetectorView::setDefaultTool(ImageTool* tool) {
    const bool wasInUse = toolInUse();
    default_ = tool;
    if (!wasInUse) setTool(tool);
}

void DetectorView::escape(QKeyEvent& event) {
    if (!toolInUse() || tool_->keyPress(event)) return;
    setTool(nullptr);
}

void DetectorView::setTool(ImageTool* tool) {
    if (!tool) tool = default_;
    if (tool == tool_) return;
    // Unset before it is cancelled: receivers of its end may request the view's tool.
    if (const QPointer<ImageTool> before = std::exchange(tool_, nullptr)) {
        before->disconnect(this);
        before->cancel();
    }
    tool_ = tool;
    toolPressed_ = false;
    if (tool_) {
        connect(tool_, &ImageTool::changed, this, [this] {
            updateCursor();
            update();
        });
        connect(tool_, &QObject::destroyed, this, [this] {
            toolPressed_ = false;
            updateCursor();
            update();
            emit toolChanged();
        });
    }
    updateCursor();
    update();
    emit toolChanged();
}

ToolEvent DetectorView::toolEvent(const QMouseEvent& event) const {
    const QPointF at = event.position();
    return {toImage(at), at, zoom(), event.button(), event.buttons(), event.modifiers()};
}

void DetectorView::updateCursor() {
    if (panning_) return setCursor(Qt::ClosedHandCursor);
    if (spaceHeld_) return setCursor(Qt::OpenHandCursor);
    if (pointer_ && overBar(*pointer_)) return setCursor(Qt::PointingHandCursor);
    if (tool_ && frame() && pointer_ && viewport_.area().contains(*pointer_))
        return setCursor(tool_->cursor());
    unsetCursor();
}

bool DetectorView::event(QEvent* event) {
    // Keys that the window uses as shortcuts (Esc, Delete, Return) go to the tool while the image
    // has the focus.
    if (event->type() == QEvent::ShortcutOverride && tool_) {
        const auto* key = static_cast<QKeyEvent*>(event);
        // The default tool cannot be left.
        if (key->key() == Qt::Key_Escape && key->modifiers() == Qt::NoModifier &&
            (toolInUse() || toolPressed_))
            event->accept();
        for (const int own :
             {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Backspace, Qt::Key_Delete, Qt::Key_Space}) {
            if (key->key() == own && key->modifiers() == Qt::NoModifier) event->accept();
        }
    }
    return QWidget::event(event);
}

void DetectorView::mousePressEvent(QMouseEvent* event) {
    pointer_ = event->position();
    // Other buttons pressed during a stroke do not end it.
    if (toolPressed_ && event->button() != Qt::MiddleButton) return;
    if (event->button() == Qt::LeftButton && tool_ && frame() && !spaceHeld_ && !panning_ &&
        viewport_.area().contains(event->position())) {
        toolPressed_ = toolTookLast_ = tool_->press(toolEvent(*event));
        if (toolPressed_) return;
    }
    onBar_ = event->button() == Qt::LeftButton && overBar(event->position());
    if (onBar_) return;
    pressed_ = dragged_ = event->position();
    panning_ = false;
}

bool DetectorView::overBar(const QPointF& widget) const {
    return frame() && rect().contains(widget.toPoint()) && widget.x() > viewport_.area().right();
}

void DetectorView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    const bool middle = event->buttons() & Qt::MiddleButton;
    if (dragged_ && frame() && (middle || (event->buttons() & Qt::LeftButton && !toolPressed_))) {
        if ((event->position() - *pressed_).manhattanLength() >= QApplication::startDragDistance())
            panning_ = true;
        if (panning_) {
            viewport_.panBy(event->position() - *dragged_);
            dragged_ = event->position();
            viewMoved();
        }
    }
    hoverAt(event->position());
    if (tool_ && frame() && !panning_ && (toolPressed_ || event->buttons() == Qt::NoButton))
        tool_->move(toolEvent(*event));
    updateCursor();
}

void DetectorView::mouseReleaseEvent(QMouseEvent* event) {
    pointer_ = event->position();
    if (toolPressed_ && event->button() == Qt::LeftButton) {
        toolPressed_ = false;
        if (tool_) tool_->release(toolEvent(*event));
    } else if (std::exchange(onBar_, false)) {
        if (overBar(event->position())) emit colourBarClicked();
    } else if (pressed_) {
        if (!panning_ && frame())
            emit clicked(toImage(event->position()), event->button(), event->modifiers());
        pressed_.reset();
        dragged_.reset();
        panning_ = false;
    }
    updateCursor();
}

void DetectorView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return mousePressEvent(event);
    if (tool_ && frame() && !spaceHeld_ && viewport_.area().contains(event->position())) {
        if (tool_->doubleClick(toolEvent(*event))) return;
        if (toolTookLast_) return mousePressEvent(event);
    }
    if (!overBar(event->position())) fit();
}

void DetectorView::wheelEvent(QWheelEvent* event) {
    const double steps = event->angleDelta().y() / 120.0;
    if (steps == 0) return event->ignore();
    zoomBy(std::pow(1.25, steps), event->position());
    hoverAt(event->position());
    event->accept();
}

void DetectorView::keyPressEvent(QKeyEvent* event) {
    if (tool_ && frame()) {
        if (event->key() == Qt::Key_Escape && toolInUse()) return escape(*event);
        if (tool_->keyPress(*event)) return;
        if (event->key() == Qt::Key_Escape) {
            toolPressed_ = false;
            return tool_->cancel();
        }
    }
    const QPointF centre = viewport_.area().center();
    const double step = std::min(viewport_.area().width(), viewport_.area().height()) / 8;
    const auto pan = [this](double x, double y) {
        viewport_.panBy({x, y});
        viewMoved();
    };
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoomBy(1.25, centre);
        case Qt::Key_Minus:
            return zoomBy(1 / 1.25, centre);
        case Qt::Key_Left:
            return pan(step, 0);
        case Qt::Key_Right:
            return pan(-step, 0);
        case Qt::Key_Up:
            return pan(0, step);
        case Qt::Key_Down:
            return pan(0, -step);
        case Qt::Key_Home:
            return fit();
        case Qt::Key_Space:
            spaceHeld_ = true;
            return updateCursor();
        default:
            QWidget::keyPressEvent(event);
    }
}

void DetectorView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space || !spaceHeld_) return QWidget::keyReleaseEvent(event);
    if (event->isAutoRepeat()) return;
    spaceHeld_ = false;
    updateCursor();
}

void DetectorView::focusOutEvent(QFocusEvent* event) {
    spaceHeld_ = false;
    updateCursor();
    QWidget::focusOutEvent(event);
}

void DetectorView::leaveEvent(QEvent*) {
    cursor_.reset();
    pointer_.reset();
    update();
    emit hoverLeft();
}

void DetectorView::hoverAt(const QPointF& widget) {
    const bool wasInside = cursor_.has_value();
    cursor_.reset();
    const QPointF at = toImage(widget);
    const auto column = static_cast<int>(std::floor(at.x())), row = static_cast<int>(std::floor(at.y()));
    const QString text = viewport_.area().contains(widget) ? valueText(column, row) : QString();
    if (!text.isEmpty()) {
        cursor_ = widget;
        emit hovered(column, row, text);
    } else if (wasInside) {
        emit hoverLeft();
    }
    update();
}

}  // namespace ks::ui
