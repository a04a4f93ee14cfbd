#include "ui/image/frame_slider.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QStyle>
#include <QTimer>
#include <QToolButton>

namespace ks::ui {
namespace {

constexpr int frameInterval = 100;  ///< milliseconds between frames while playing
constexpr int pageStep = 10;

}  // namespace

FrameSlider::FrameSlider(QWidget* parent)
    : QWidget(parent),
      slider_(new QSlider(Qt::Horizontal, this)),
      number_(new QSpinBox(this)),
      timer_(new QTimer(this)) {
    const auto button = [this](QStyle::StandardPixmap icon, const QString& name) {
        auto* tool = new QToolButton(this);
        tool->setIcon(style()->standardIcon(icon));
        tool->setAutoRaise(true);
        tool->setAutoRepeat(true);
        tool->setFocusPolicy(Qt::TabFocus);
        tool->setAccessibleName(name);
        tool->setToolTip(name);
        return tool;
    };
    first_ = button(QStyle::SP_MediaSkipBackward, tr("First frame"));
    previous_ = button(QStyle::SP_MediaSeekBackward, tr("Previous frame"));
    next_ = button(QStyle::SP_MediaSeekForward, tr("Next frame"));
    last_ = button(QStyle::SP_MediaSkipForward, tr("Last frame"));
    play_ = button(QStyle::SP_MediaPlay, tr("Play"));
    play_->setAutoRepeat(false);
    play_->setCheckable(true);
    slider_->setAccessibleName(tr("Frame"));
    slider_->setPageStep(pageStep);
    number_->setAccessibleName(tr("Frame number"));
    number_->setToolTip(tr("Frame, counted from 1"));
    number_->setKeyboardTracking(false);
    number_->setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    for (QWidget* widget : {static_cast<QWidget*>(first_), static_cast<QWidget*>(previous_)})
        row->addWidget(widget);
    row->addWidget(slider_, 1);
    for (QWidget* widget : {static_cast<QWidget*>(next_), static_cast<QWidget*>(last_)})
        row->addWidget(widget);
    row->addSpacing(4);
    row->addWidget(number_);
    row->addWidget(play_);

    timer_->setInterval(frameInterval);
    connect(first_, &QToolButton::clicked, this, [this] { setFrame(0); });
    connect(previous_, &QToolButton::clicked, this, [this] { setFrame(frame_ - 1); });
    connect(next_, &QToolButton::clicked, this, [this] { setFrame(frame_ + 1); });
    connect(last_, &QToolButton::clicked, this, [this] { setFrame(count_ - 1); });
    connect(play_, &QToolButton::toggled, this, &FrameSlider::setPlaying);
    connect(slider_, &QSlider::valueChanged, this, &FrameSlider::setFrame);
    connect(number_, &QSpinBox::valueChanged, this, [this](int shown) { setFrame(shown - 1); });
    connect(timer_, &QTimer::timeout, this, [this] { setFrame((frame_ + 1) % std::max(count_, 1)); });
    setFrameCount(0);
}

void FrameSlider::setFrameCount(int count) {
    count_ = std::max(count, 0);
    {
        const QSignalBlocker a(slider_), b(number_);
        slider_->setRange(0, std::max(count_ - 1, 0));
        number_->setRange(std::min(count_, 1), count_);
        number_->setSuffix(tr(" / %1").arg(count_));
    }
    setEnabled(count_ > 0);
    if (count_ < 2) setPlaying(false);
    // The buttons depend on the count too, so the frame is set anew; only a change is told.
    const int before = frame_, after = std::clamp(before, 0, std::max(count_ - 1, 0));
    frame_ = -1;
    const bool wasBlocked = blockSignals(after == before || signalsBlocked());
    setFrame(after);
    blockSignals(wasBlocked);
}

bool FrameSlider::playing() const {
    return timer_->isActive();
}

void FrameSlider::setFrame(int frame) {
    frame = std::clamp(frame, 0, std::max(count_ - 1, 0));
    if (frame == frame_) return;
    frame_ = frame;
    const QSignalBlocker a(slider_), b(number_);
    slider_->setValue(frame);
    number_->setValue(std::min(frame + 1, count_));
    first_->setEnabled(frame > 0);
    previous_->setEnabled(frame > 0);
    next_->setEnabled(frame + 1 < count_);
    last_->setEnabled(frame + 1 < count_);
    play_->setEnabled(count_ > 1);
    emit frameChanged(frame);
}

void FrameSlider::setPlaying(bool playing) {
    playing = playing && count_ > 1;
    const QSignalBlocker quiet(play_);
    play_->setChecked(playing);
    play_->setIcon(style()->standardIcon(playing ? QStyle::SP_MediaPause : QStyle::SP_MediaPlay));
    if (playing)
        timer_->start();
    else
        timer_->stop();
}

void FrameSlider::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            return setFrame(frame_ - 1);
        case Qt::Key_Right:
            return setFrame(frame_ + 1);
        case Qt::Key_PageUp:
            return setFrame(frame_ - pageStep);
        case Qt::Key_PageDown:
            return setFrame(frame_ + pageStep);
        case Qt::Key_Home:
            return setFrame(0);
        case Qt::Key_End:
            return setFrame(count_ - 1);
        case Qt::Key_Space:
            return setPlaying(!playing());
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace ks::ui
