#include "ui/image/tools/beam_tool.h"

#include <QHash>
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
    static const QHash<int, QPointF> ways{
        {Qt::Key_Left, {-1, 0}}, {Qt::Key_Right, {1, 0}}, {Qt::Key_Up, {0, -1}}, {Qt::Key_Down, {0, 1}}};
    if (const auto way = ways.find(event.key()); way != ways.end()) {
        at_ += *way * (event.modifiers() & Qt::ShiftModifier ? 1 : 0.1);
        emit moved(at_, true);
        return true;
    }
    if (event.key() != Qt::Key_Escape || !held_) return false;
    cancel();
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
