#include "ui/image/panel/frame_slider.h"

#include <algorithm>

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include "ui/base/count_text.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/base/restyled.h"

namespace ks::ui {
namespace {

constexpr int frameInterval = 100;  ///< milliseconds between frames while playing
constexpr int pageStep = 10;

enum class Glyph { first, previous, next, last, play, pause };

/// Drawn in the text colour: the desktop's icons are black even in a dark window.
QIcon icon(Glyph glyph, const QPalette& palette) {
    const bool back = glyph == Glyph::first || glyph == Glyph::previous;
    const bool end = glyph == Glyph::first || glyph == Glyph::last;
    const int triangles = glyph == Glyph::pause                              ? 0
                          : glyph == Glyph::previous || glyph == Glyph::next ? 2
                                                                             : 1;
    QIcon icon;
    for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Disabled}) {
        QPixmap pixmap(32, 32);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        if (back) painter.setTransform(QTransform(-1, 0, 0, 1, 32, 0));
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.color(mode == QIcon::Normal ? QPalette::Active : QPalette::Disabled,
                                       QPalette::ButtonText));
        const double wide = triangles == 2 ? 10 : 15, left = 16 - triangles * wide / 2 - (end ? 2 : 0);
        for (int i = 0; i < triangles; ++i) {
            const double x = left + i * wide;
            painter.drawPolygon(QPolygonF({{x, 7}, {x + wide, 16}, {x, 25}}));
        }
        if (end) painter.drawRect(QRectF(left + wide, 7, 3, 18));
        for (int i = 0; glyph == Glyph::pause && i < 2; ++i) painter.drawRect(QRectF(9 + 9 * i, 7, 5, 18));
        icon.addPixmap(pixmap, mode);
    }
    return icon;
}

}  // namespace

FrameSlider::FrameSlider(QWidget* parent, const QString& noun)
    : QWidget(parent),
      noun_(noun),
      slider_(new QSlider(Qt::Horizontal, this)),
      number_(new WholeBox(this)),
      timer_(new QTimer(this)) {
    const auto button = [this](const QString& name) {
        auto* tool = new QToolButton(this);
        tool->setAutoRaise(true);
        tool->setAutoRepeat(true);
        tool->setFocusPolicy(Qt::TabFocus);
        return named(tool, name, name);
    };
    first_ = button(tr("First %1").arg(noun));
    previous_ = button(tr("Previous %1").arg(noun));
    next_ = button(tr("Next %1").arg(noun));
    last_ = button(tr("Last %1").arg(noun));
    play_ = button(tr("Play"));
    play_->setAutoRepeat(false);
    play_->setCheckable(true);
    const QString title = capitalised(noun);
    setAccessibleName(title);
    named(slider_, title, tr("Displayed %1").arg(title));
    setWhatsThis(
        tr("Left and Right change the %1, Home and End go to the first and the last, Space plays").arg(noun));
    slider_->setPageStep(pageStep);
    slider_->setMinimumWidth(48);
    number_->setAccessibleName(tr("%1 number").arg(title));
    number_->setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    auto* row = inColumns({first_, previous_, {slider_, 1}, next_, last_}, 4);
    row->addSpacing(4);
    row->addWidget(number_);
    row->addWidget(play_);
    setLayout(row);
    timer_->setInterval(frameInterval);
    connect(first_, &QToolButton::clicked, this, [this] { setFrame(0); });
    connect(previous_, &QToolButton::clicked, this, [this] { setFrame(frame_ - 1); });
    connect(next_, &QToolButton::clicked, this, [this] { setFrame(frame_ + 1); });
    connect(last_, &QToolButton::clicked, this, [this] { setFrame(count_ - 1); });
    connect(play_, &QToolButton::toggled, this, &FrameSlider::setPlaying);
    connect(slider_, &QSlider::valueChanged, this, &FrameSlider::setFrame);
    connect(number_, &QSpinBox::valueChanged, this, &FrameSlider::setFrame);
    connect(timer_, &QTimer::timeout, this, [this] { setFrame((frame_ + 1) % std::max(count_, 1)); });
    drawIcons();
    setFrameCount(0);
    new Restyled(this, Restyled::By::palette, [this] { drawIcons(); });
}

void FrameSlider::drawIcons() {
    first_->setIcon(icon(Glyph::first, palette()));
    previous_->setIcon(icon(Glyph::previous, palette()));
    next_->setIcon(icon(Glyph::next, palette()));
    last_->setIcon(icon(Glyph::last, palette()));
    play_->setIcon(icon(playing() ? Glyph::pause : Glyph::play, palette()));
}

QSize FrameSlider::minimumSizeHint() const {
    const int width = slider_->minimumWidth() + number_->sizeHint().width() + 4 + play_->sizeHint().width();
    return {width + 4 * layout()->spacing(), layout()->minimumSize().height()};
}

void FrameSlider::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showButtons();
}

// The arrows of the number box also step, so the buttons are hidden before the number is cut off.
void FrameSlider::showButtons() {
    const int spare = width() - minimumSizeHint().width();
    const int pair = 2 * (first_->sizeHint().width() + layout()->spacing());
    for (QWidget* step : {previous_, next_}) step->setVisible(spare >= pair);
    // Hidden before the slider becomes too short to be useful.
    for (QWidget* end : {first_, last_}) end->setVisible(spare >= 2 * pair + slider_->minimumWidth());
}

void FrameSlider::setFrameCount(int count) {
    count_ = std::max(count, 0);
    {
        const QSignalBlocker a(slider_), b(number_);
        slider_->setRange(0, std::max(count_ - 1, 0));
        // Counted as in parameters, files, tables and plots. The suffix is the number of the last one.
        const int last = std::max(count_ - 1, 0);
        number_->setRange(0, last);
        number_->setSuffix(count_ > 0 ? tr(" / %1").arg(last) : QString());
        number_->setMinimumWidth(number_->sizeHint().width());
        const QString title = capitalised(noun_);
        number_->setToolTip(count_ > 0 ? tr("%1, counted from 0; the last is %2").arg(title).arg(last)
                                       : tr("%1, counted from 0").arg(title));
    }
    updateGeometry();
    showButtons();
    setEnabled(count_ > 0);
    if (count_ < 2) setPlaying(false);
    // The buttons also depend on the count, so the frame is set again; a signal is emitted only
    // if it changes.
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
    number_->setValue(frame);
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
