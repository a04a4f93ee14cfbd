#include "ui/shell/help/tour.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "ui/base/layouts.h"

namespace ks::ui {
namespace {

constexpr int cardWidth = 340;
constexpr int away = 14;  ///< from the highlighted part

/// Passes all events through to what lies below.
class TourFrame : public QWidget {
  public:
    explicit TourFrame(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 3));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 6, 6);
    }
};

/// Next to `part` if there is space in `room`, otherwise in its centre.
QRect besides(const QRect& part, const QSize& size, const QRect& room) {
    const QPoint middle = part.center() - QPoint(size.width() / 2, size.height() / 2);
    const QPoint places[] = {{middle.x(), part.bottom() + away},
                             {part.right() + away, middle.y()},
                             {part.left() - away - size.width(), middle.y()},
                             {middle.x(), part.top() - away - size.height()}};
    const auto within = [&](QPoint at) {
        return QPoint(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - size.width())),
                      std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - size.height())));
    };
    for (const QPoint& place : places) {
        const QRect card(within(place), size);
        if (!card.intersects(part)) return card;
    }
    return {within(middle), size};
}

}  // namespace

Tour::Tour(QWidget& window, std::vector<TourStep> steps, std::function<QWidget*()> picture)
    : QFrame(&window),
      window_(window),
      steps_(std::move(steps)),
      picture_(std::move(picture)),
      frame_(new TourFrame(&window)),
      title_(new QLabel),
      text_(new QLabel),
      count_(new QLabel),
      back_(new QPushButton(tr("&Back"))),
      next_(new QPushButton(tr("&Next"))),
      skip_(new QPushButton(tr("&Skip"))) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Tour of the window"));
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    text_->setWordWrap(true);
    count_->setForegroundRole(QPalette::PlaceholderText);
    back_->setToolTip(tr("Previous step"));
    next_->setToolTip(tr("Next step"));
    skip_->setToolTip(tr("End the tour (Esc); Help > Tour shows it again"));
    next_->setDefault(true);
    for (QPushButton* one : {skip_, back_, next_}) one->setAutoDefault(true);
    setLayout(inRows({title_, text_, inColumns({{count_, 1}, skip_, back_, next_})}, 8, {16, 14, 16, 12}));
    setFixedWidth(cardWidth);
    connect(next_, &QPushButton::clicked, this, &Tour::next);
    connect(back_, &QPushButton::clicked, this, &Tour::back);
    connect(skip_, &QPushButton::clicked, this, &Tour::end);
    qApp->installEventFilter(this);
    show(0);
    frame_->show();
    QFrame::show();
    raise();
    next_->setFocus();
}

Tour::~Tour() {
    delete frame_;
}

void Tour::next() {
    if (step_ + 1 >= steps_.size()) return end();
    show(step_ + 1);
}

void Tour::back() {
    if (step_ > 0) show(step_ - 1);
}

void Tour::end() {
    qApp->removeEventFilter(this);
    // Qt would give the focus to the next field of the window, which arrow keys would then change.
    if (const QWidget* const now = window_.focusWidget(); now && isAncestorOf(now)) {
        QWidget* const picture = picture_();
        (picture ? picture : &window_)->setFocus(Qt::OtherFocusReason);
    }
    if (frame_) frame_->hide();
    hide();
    deleteLater();
}

void Tour::show(std::size_t step) {
    step_ = step;
    const bool last = step + 1 == steps_.size();
    count_->setText(tr("%1 of %2").arg(step + 1).arg(steps_.size()));
    back_->setEnabled(step > 0);
    next_->setText(last ? tr("&Done") : tr("&Next"));
    skip_->setVisible(!last);
    arrange();
}

// Also when another page is shown, of which the words may be.
void Tour::arrange() {
    const TourWords words = steps_.at(step_).words();
    title_->setText(words.title);
    text_->setText(words.text);
    const QRect room = window_.rect().adjusted(8, 8, -8, -8);
    const QRect part = steps_.at(step_).place().intersected(window_.rect());
    layout()->activate();
    const QSize size(
        cardWidth, layout()->hasHeightForWidth() ? layout()->heightForWidth(cardWidth) : sizeHint().height());
    if (frame_) {
        frame_->setVisible(!part.isEmpty());
        frame_->setGeometry(part.adjusted(-4, -4, 4, 4));
        frame_->raise();
    }
    setGeometry(besides(part.isEmpty() ? QRect(room.center(), QSize(1, 1)) : part, size, room));
    raise();
}

// Esc belongs to the tour while it is shown, wherever the focus is; at other times it is the window's Cancel.
bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &window_ && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        QMetaObject::invokeMethod(this, &Tour::arrange, Qt::QueuedConnection);
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (!widget || widget->window() != &window_ || key->key() != Qt::Key_Escape ||
        key->modifiers() != Qt::NoModifier)
        return false;
    event->accept();
    if (event->type() == QEvent::KeyPress) end();
    return true;
}

void Tour::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
}

}  // namespace ks::ui
