#include "ui/shell/bars/busy_bar.h"

#include <QStyleOptionProgressBar>
#include <QStylePainter>
#include <QTimerEvent>
#include <algorithm>

namespace ks::ui {
namespace {

constexpr int stepMs = 40, steps = 40;  ///< in one direction: 1.6 s
constexpr int shareOfBlock = 4;         ///< of the width: a quarter

}  // namespace

BusyBar::BusyBar(QWidget* parent) : QProgressBar(parent) {}

QRect BusyBar::block() const {
    const QRect room = rect().adjusted(2, 2, -2, -2);
    const int width = std::max(room.width() / shareOfBlock, 4);
    const int there = step_ % (2 * steps), along = there < steps ? there : 2 * steps - there;
    return {room.left() + (room.width() - width) * along / steps, room.top(), width, room.height()};
}

void BusyBar::paintEvent(QPaintEvent* event) {
    if (!busy()) return QProgressBar::paintEvent(event);
    QStyleOptionProgressBar option;
    initStyleOption(&option);
    QStylePainter painter(this);
    painter.drawControl(QStyle::CE_ProgressBarGroove, option);
    painter.fillRect(block(), option.palette.color(QPalette::Highlight));
}

void BusyBar::timerEvent(QTimerEvent* event) {
    if (event->timerId() != timer_.timerId()) return QProgressBar::timerEvent(event);
    if (!busy()) return;
    ++step_;
    update();
}

void BusyBar::showEvent(QShowEvent* event) {
    QProgressBar::showEvent(event);
    step_ = 0;
    timer_.start(stepMs, this);
}

void BusyBar::hideEvent(QHideEvent* event) {
    QProgressBar::hideEvent(event);
    timer_.stop();
}

}  // namespace ks::ui
