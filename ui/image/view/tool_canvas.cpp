#include "ui/image/view/tool_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <utility>

namespace ks::ui {

void ToolCanvas::setDefaultTool(ImageTool* tool) {
    const bool wasInUse = toolInUse();
    default_ = tool;
    if (!wasInUse) setTool(tool);
}

void ToolCanvas::escape(QKeyEvent& event) {
    if (!toolInUse() || tool_->keyPress(event)) return;
    setTool(nullptr);
}

void ToolCanvas::setTool(ImageTool* tool) {
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

void ToolCanvas::cancelTool() {
    if (tool_) tool_->cancel();
    toolPressed_ = false;
}

bool ToolCanvas::hasToolAt(const QPointF& widget) const {
    return tool_ && hasPicture() && !spaceHeld() && viewport_.area().contains(widget);
}

ToolEvent ToolCanvas::toolEvent(const QMouseEvent& event) const {
    const QPointF at = event.position();
    return {toImage(at), at, zoom(), event.button(), event.buttons(), event.modifiers()};
}

void ToolCanvas::updateCursor() {
    if (!panning() && mouse() && hasToolAt(*mouse())) return setCursor(tool_->cursor());
    PannedCanvas::updateCursor();
}

bool ToolCanvas::event(QEvent* event) {
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

bool ToolCanvas::takesPress(const QMouseEvent& event) {
    // Other buttons pressed during a stroke do not end it.
    if (toolPressed_ && event.button() != Qt::MiddleButton) return true;
    if (event.button() == Qt::LeftButton && !panning() && hasToolAt(event.position()))
        toolPressed_ = toolTookLast_ = tool_->press(toolEvent(event));
    return toolPressed_ && event.button() == Qt::LeftButton;
}

bool ToolCanvas::takesRelease(const QMouseEvent& event) {
    if (!toolPressed_ || event.button() != Qt::LeftButton) return false;
    toolPressed_ = false;
    if (tool_) tool_->release(toolEvent(event));
    return true;
}

void ToolCanvas::mouseMoveEvent(QMouseEvent* event) {
    PannedCanvas::mouseMoveEvent(event);
    if (tool_ && hasPicture() && !panning() && (toolPressed_ || event->buttons() == Qt::NoButton))
        tool_->move(toolEvent(*event));
    updateCursor();
}

void ToolCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && hasToolAt(event->position())) {
        if (tool_->doubleClick(toolEvent(*event))) return;
        if (toolTookLast_) return mousePressEvent(event);
    }
    PannedCanvas::mouseDoubleClickEvent(event);
}

void ToolCanvas::keyPressEvent(QKeyEvent* event) {
    if (tool_ && hasPicture()) {
        if (event->key() == Qt::Key_Escape && toolInUse()) return escape(*event);
        if (tool_->keyPress(*event)) return;
        if (event->key() == Qt::Key_Escape) {
            toolPressed_ = false;
            return tool_->cancel();
        }
    }
    PannedCanvas::keyPressEvent(event);
}

}  // namespace ks::ui
