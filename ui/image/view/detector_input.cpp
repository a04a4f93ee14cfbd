#include <cmath>
#include <utility>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>

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
    if (!panning() && !spaceHeld() && mouse()) {
        if (overBar(*mouse())) return setCursor(Qt::PointingHandCursor);
        if (tool_ && frame() && viewport_.area().contains(*mouse())) return setCursor(tool_->cursor());
    }
    PannedCanvas::updateCursor();
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
    return PannedCanvas::event(event);
}

bool DetectorView::takesPress(const QMouseEvent& event) {
    // Other buttons pressed during a stroke do not end it.
    if (toolPressed_ && event.button() != Qt::MiddleButton) return true;
    if (event.button() == Qt::LeftButton && tool_ && frame() && !spaceHeld() && !panning() &&
        viewport_.area().contains(event.position())) {
        toolPressed_ = toolTookLast_ = tool_->press(toolEvent(event));
        if (toolPressed_) return true;
    }
    onBar_ = event.button() == Qt::LeftButton && overBar(event.position());
    return onBar_;
}

bool DetectorView::overBar(const QPointF& widget) const {
    return frame() && rect().contains(widget.toPoint()) && widget.x() > viewport_.area().right();
}

void DetectorView::mouseMoveEvent(QMouseEvent* event) {
    PannedCanvas::mouseMoveEvent(event);
    if (tool_ && frame() && !panning() && (toolPressed_ || event->buttons() == Qt::NoButton))
        tool_->move(toolEvent(*event));
    updateCursor();
}

bool DetectorView::takesRelease(const QMouseEvent& event) {
    if (toolPressed_ && event.button() == Qt::LeftButton) {
        toolPressed_ = false;
        if (tool_) tool_->release(toolEvent(event));
        return true;
    }
    if (!std::exchange(onBar_, false)) return false;
    if (overBar(event.position())) emit colourBarClicked();
    return true;
}

void DetectorView::clickedAt(const QMouseEvent& event) {
    emit clicked(toImage(event.position()), event.button(), event.modifiers());
}

void DetectorView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        if (tool_ && frame() && !spaceHeld() && viewport_.area().contains(event->position())) {
            if (tool_->doubleClick(toolEvent(*event))) return;
            if (toolTookLast_) return mousePressEvent(event);
        }
        if (overBar(event->position())) return;
    }
    PannedCanvas::mouseDoubleClickEvent(event);
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
    PannedCanvas::keyPressEvent(event);
}

void DetectorView::hoverEnded() {
    cursor_.reset();
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
