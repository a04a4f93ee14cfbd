#include "ui/shell/error_bar.h"

#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QIcon>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <utility>

#include "ui/base/layouts.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr int mostErrorLines = 8;
constexpr int partsGap = 8;

/// Texts from files may have a NUL, which is not visible and at which other programs end a text.
QString withoutNul(QString text) {
    return text.replace(QChar(u'\0'), QStringLiteral("\\x00"));
}

}  // namespace

ErrorBar::ErrorBar(QWidget* parent)
    : QFrame(parent),
      icon_(new QLabel(this)),
      text_(new QLabel(this)),
      more_(new QToolButton(this)),
      copy_(new QToolButton(this)),
      close_(new QToolButton(this)),
      details_(new QPlainTextEdit(this)),
      page_(parent) {
    setObjectName(QStringLiteral("errorBar"));
    setAccessibleName(tr("Errors and warnings"));
    setFrameShape(QFrame::NoFrame);
    setAutoFillBackground(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    text_->setWordWrap(true);
    more_->setText(tr("Details"));
    more_->setCheckable(true);
    more_->setAccessibleName(tr("Show details of the error"));
    copy_->setText(tr("Copy"));
    copy_->setAccessibleName(tr("Copy the error"));
    close_->setIcon(QIcon(QStringLiteral(":/icons/close.svg")));
    close_->setAccessibleName(tr("Dismiss the error"));
    close_->setToolTip(tr("Dismiss"));
    for (QToolButton* button : {more_, copy_, close_}) {
        button->setAutoRaise(true);
        button->setMaximumHeight(fontMetrics().height() + 6);
    }
    details_->setReadOnly(true);
    details_->setLineWrapMode(QPlainTextEdit::NoWrap);
    details_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    details_->setAccessibleName(tr("Details of the error"));
    details_->setMaximumHeight(180);

    auto* line = inColumns({icon_, {text_, 1}, more_, copy_, close_}, partsGap);
    setLayout(inRows({line, details_}, 4, {8, 1, 8, 1}));

    connect(more_, &QToolButton::toggled, details_, &QWidget::setVisible);
    connect(copy_, &QToolButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(details().isEmpty() ? sentence_ : sentence_ + '\n' + details());
    });
    connect(close_, &QToolButton::clicked, this, &ErrorBar::dismiss);
    details_->hide();
    hide();
    if (parent) parent->installEventFilter(this);
}

void ErrorBar::setPlaces(QWidget& page, QWidget& row) {
    page_ = &page;
    row_ = &row;
    for (QWidget* one : {&page, &row}) one->installEventFilter(this);
}

// Empty if the sentence needs more.
QRect ErrorBar::freeRow() const {
    if (!row_ || !row_->isVisible() || more_->isChecked()) return {};
    int room = row_->width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    for (const QWidget* one : {static_cast<const QWidget*>(icon_), static_cast<const QWidget*>(more_),
                               static_cast<const QWidget*>(copy_), static_cast<const QWidget*>(close_)})
        if (!one->isHidden()) room -= one->sizeHint().width() + partsGap;
    if (fontMetrics().horizontalAdvance(sentence_) > room) return {};
    return {row_->mapTo(parentWidget(), QPoint()), row_->size()};
}

void ErrorBar::place() {
    if (!page_ || !parentWidget()) return;
    if (const QRect row = freeRow(); row.isValid()) return setGeometry(row);
    const QRect page(page_ == parentWidget() ? QPoint() : page_->mapTo(parentWidget(), QPoint()),
                     page_->size());
    const int height = std::min(layout()->totalHeightForWidth(page.width()), page.height());
    setGeometry(page.left(), page.bottom() + 1 - height, page.width(), height);
}

bool ErrorBar::eventFilter(QObject* object, QEvent* event) {
    const bool moves = event->type() == QEvent::Resize || event->type() == QEvent::Move ||
                       event->type() == QEvent::Show || event->type() == QEvent::Hide;
    if (moves && isVisibleTo(parentWidget())) place();
    return QFrame::eventFilter(object, event);
}

QString ErrorBar::details() const {
    return details_->toPlainText();
}

void ErrorBar::showError(const Error& error, Of of) {
    of_ = of;
    present(true, QString::fromUtf8(error.what()), QString::fromStdString(error.details()),
            QString::fromStdString(error.where()));
}

void ErrorBar::showWarning(const QString& sentence, const QString& details, Of of) {
    if (isError()) {
        waiting_ = Warning{sentence, details, of};
        return;
    }
    of_ = of;
    present(false, sentence, details);
}

void ErrorBar::changeWarning(const QString& sentence, const QString& details, Of of) {
    if (sentence.isEmpty()) return withdraw(of);
    if (waiting_ && waiting_->of == of) waiting_ = Warning{sentence, details, of};
    if (of_ == of && !isError_ && isVisibleTo(parentWidget())) present(false, sentence, details);
}

void ErrorBar::present(bool error, const QString& sentence, const QString& details, const QString& origin) {
    isError_ = error;
    seen_ = isActiveWindow();
    sentence_ = withoutNul(sentence);
    origin_ = origin;
    const bool dark = isDark(qApp->palette());
    const QColor accent = error ? QColor(dark ? 0xff8a80 : 0xb71c1c) : QColor(dark ? 0xffd180 : 0x7a4f00);
    const QColor fill = mixed(error ? QColor(0xe53935) : QColor(0xffa000),
                              qApp->palette().color(QPalette::Window), dark ? 0.25 : 0.18);
    QPalette colours = qApp->palette();
    colours.setColor(QPalette::Window, fill);
    colours.setColor(QPalette::WindowText, accent);
    colours.setColor(QPalette::ButtonText, accent);
    setPalette(colours);
    icon_->setPixmap(
        QIcon(error ? QStringLiteral(":/icons/error.svg") : QStringLiteral(":/icons/warning.svg"))
            .pixmap(16, 16));
    details_->setPlainText(withoutNul(details));
    more_->setChecked(false);
    more_->setVisible(!details.isEmpty());
    text_->setToolTip(sentence_);
    text_->setAccessibleName(sentence_);
    show();
    raise();
    place();
    breakLines();
}

void ErrorBar::leave(Of of) {
    if (of_ == of) dismiss();
}

void ErrorBar::withdraw(Of of) {
    if (waiting_ && waiting_->of == of) waiting_.reset();
    leave(of);
}

void ErrorBar::leave(const Error& error) {
    if (isError_ && sentence_ == QString::fromUtf8(error.what())) dismiss();
}

void ErrorBar::leavePage() {
    if (!seen_) return;
    leave(Of::trial);
    leave(Of::preview);
    leave(Of::run);
}

bool ErrorBar::event(QEvent* event) {
    if (event->type() == QEvent::WindowActivate) seen_ = true;
    const bool done = QFrame::event(event);
    // Details have appeared or disappeared.
    if (event->type() == QEvent::LayoutRequest) place();
    return done;
}

void ErrorBar::breakLines() {
    layout()->activate();
    const int room = std::max(text_->width(), 80);
    const auto shortened = [&](const QString& text, int lines) {
        return text_->fontMetrics().elidedText(text, Qt::ElideMiddle, lines * room);
    };
    QString text = sentence_;
    if (!origin_.isEmpty() && text.startsWith(origin_))
        text = shortened(origin_, 1) + text.mid(origin_.size());
    text = shortened(text, mostErrorLines);
    if (text == text_->text()) return;
    text_->setText(text);
    place();
}

void ErrorBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    breakLines();
}

void ErrorBar::dismiss() {
    isError_ = false;
    sentence_.clear();
    hide();
    if (const auto next = std::exchange(waiting_, std::nullopt))
        showWarning(next->sentence, next->details, next->of);
}

}  // namespace ks::ui
