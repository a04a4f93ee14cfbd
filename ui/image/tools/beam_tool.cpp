#include "ui/image/tools/beam_tool.h"

#include <QKeyEvent>

namespace ks::ui {

bool BeamTool::press(const ToolEvent& event) {
    if (event.button != Qt::LeftButton) return false;
    held_ = true;
    before_ = at_;
    at_ = event.image;
    emit moved(at_, false);
    return true;
}

bool BeamTool::move(const ToolEvent& event) {
    if (!held_) return false;
    at_ = event.image;
    emit moved(at_, false);
    return true;
}

bool BeamTool::release(const ToolEvent& event) {
    if (!held_) return false;
    held_ = false;
    at_ = event.image;
    emit moved(at_, true);
    return true;
}

bool BeamTool::keyPress(QKeyEvent& event) {
    const double step = event.modifiers() & Qt::ShiftModifier ? 1 : 0.1;
    switch (event.key()) {
        case Qt::Key_Left:
            at_ -= QPointF(step, 0);
            break;
        case Qt::Key_Right:
            at_ += QPointF(step, 0);
            break;
        case Qt::Key_Up:
            at_ -= QPointF(0, step);
            break;
        case Qt::Key_Down:
            at_ += QPointF(0, step);
            break;
        case Qt::Key_Escape:
            if (!held_) return false;
            cancel();
            return true;
        default:
            return false;
    }
    emit moved(at_, true);
    return true;
}

void BeamTool::cancel() {
    if (held_) {
        held_ = false;
        at_ = before_;
        emit moved(at_, true);
        return;
    }
    emit ended();
}

}  // namespace ks::ui
