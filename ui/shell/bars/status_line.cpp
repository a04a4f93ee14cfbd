#include "ui/shell/bars/status_line.h"

#include <QLabel>
#include <QStatusBar>
#include <QStyleOptionProgressBar>
#include <QStylePainter>
#include <QTimerEvent>
#include <QToolButton>
#include <algorithm>

#include "ui/base/elided_label.h"
#include "ui/runs/queue_panel.h"
#include "ui/runs/run_queue.h"
#include "ui/shell/bars/notice_bar.h"

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

StatusLine::StatusLine(RunQueue& queue, QStatusBar& bar)
    : QObject(&bar),
      queue_(queue),
      bar_(bar),
      cursor_(new QLabel),
      mark_(new QLabel),
      stage_(new QLabel),
      hint_(new ElidedLabel),
      progress_(new BusyBar) {
    const int line = bar.fontMetrics().height();
    const auto describe = [](QWidget* part, const QString& name, const QString& what) {
        part->setAccessibleName(name);
        part->setWhatsThis(what);
    };
    describe(cursor_, tr("Position of the cursor"),
             tr("Values under the cursor in the picture or plot, with units"));
    cursor_->setMinimumWidth(
        bar.fontMetrics().horizontalAdvance(QStringLiteral("x 1200  y 1200  I 65535  q 0.01234 1/A")));
    describe(hint_, tr("Hint for the tool"), tr("How to use the current tool"));
    hint_->setForegroundRole(QPalette::PlaceholderText);
    // The drawer, which shows the same mark, may be folded, or wider than the window.
    describe(mark_, tr("Whether the result matches the current inputs"),
             tr("The current inputs, parameters, variant or device differ from those of the result"));
    describe(stage_, tr("Stage of the job"), tr("Current activity, and the remaining time if it is known"));
    describe(progress_, tr("Progress"),
             tr("Progress of the job. A moving block means that the duration is unknown"));
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(160);
    progress_->setMaximumHeight(line);
    QToolButton* const button = makeQueueButton(queue);
    // The same height with and without bar and button: nothing above moves when a run begins or has to wait.
    button->setMaximumHeight(line + 4);
    bar.setFixedHeight(line + 8);
    bar.addWidget(cursor_);
    bar.addWidget(hint_, 1);
    for (QWidget* one : {static_cast<QWidget*>(mark_), static_cast<QWidget*>(stage_),
                         static_cast<QWidget*>(progress_), static_cast<QWidget*>(button)})
        bar.addPermanentWidget(one);
    for (QWidget* one : {static_cast<QWidget*>(mark_), static_cast<QWidget*>(progress_)}) one->hide();
    connect(&queue, &RunQueue::busyChanged, this, &StatusLine::showBusy);
    connect(&queue, &RunQueue::progress, this, &StatusLine::showProgress);
}

// "2 waiting" while runs are queued; a click lists them.
QToolButton* StatusLine::makeQueueButton(RunQueue& queue) {
    auto* button = new QToolButton;
    queuePanel_ = new QueuePanel(queue, button);
    button->setAutoRaise(true);
    button->setAccessibleName(tr("Queue of runs"));
    button->setToolTip(tr("Runs waiting in the queue: click to list or cancel them"));
    button->hide();
    connect(button, &QToolButton::clicked, this, [this, button] {
        const QPoint corner = button->mapToGlobal(QPoint(button->width(), 0));
        queuePanel_->move(corner - QPoint(queuePanel_->width(), queuePanel_->height()));
        queuePanel_->show();
    });
    connect(&queue, &RunQueue::changed, button, [button, &queue] {
        const int count = queue.waiting();
        button->setText(tr("%1 waiting").arg(count));
        button->setVisible(count > 0);
    });
    return button;
}

void StatusLine::setNotices(NoticeBar& notices) {
    bar_.insertWidget(2, &notices, 1);
    const auto show = [this, &notices](bool any) {
        notices.setVisible(any);
        hint_->setVisible(!any && bar_.currentMessage().isEmpty());
        // The bar hides and shows its parts around a message, but only those whose state nobody has set.
        if (!any && !hint_->isVisibleTo(&bar_)) hint_->setAttribute(Qt::WA_WState_ExplicitShowHide, false);
    };
    show(!notices.ids().isEmpty());
    connect(&notices, &NoticeBar::presented, this, show);
}

QWidget& StatusLine::hint() {
    return *hint_;
}

void StatusLine::setCursor(const QString& text) {
    cursor_->setText(text);
}

void StatusLine::setHint(const QString& text) {
    hint_->setWhole(text);
}

void StatusLine::setMark(const QString& shorter, const QString& whole) {
    mark_->setText(shorter);
    mark_->setToolTip(whole);
    mark_->setVisible(!shorter.isEmpty());
}

void StatusLine::setJobs(int running) {
    jobs_ = running;
    if (queue_.busy()) return;
    progress_->setRange(0, running > 0 ? 0 : 1000);
    progress_->setVisible(running > 0);
}

void StatusLine::showBusy(bool busy, const QString& what) {
    progress_->setRange(0, busy ? 0 : 1000);
    progress_->setVisible(busy || jobs_ > 0);
    stage_->setText(what);
    timeLeft_ = {};
    told_ = what;
}

void StatusLine::showProgress(double fraction, const QString& stage) {
    // An early stage, such as building kernels, shows as busy: its duration is unknown.
    progress_->setRange(0, fraction > 0 ? 1000 : 0);
    progress_->setValue(static_cast<int>(1000 * fraction));
    // After the kernels are built the run itself continues.
    stage_->setText(stage == QStringLiteral("run") ? told_ : timeLeft_.text(fraction, stage));
}

}  // namespace ks::ui
