#include "ui/shell/bars/notice_bar.h"

#include <QApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QIcon>
#include <QMenu>
#include <QStackedWidget>
#include <QStringList>
#include <QToolButton>
#include <algorithm>
#include <iterator>

#include "ui/base/elided_label.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"

namespace ks::ui {
namespace {

void fillNoticeMenu(QMenu& menu, const std::vector<Notice::Action>& actions) {
    for (const Notice::Action& action : actions) {
        // File names may contain one.
        const QString text = QString(action.text).replace(QLatin1Char('&'), QStringLiteral("&&"));
        if (action.menu.empty())
            menu.addAction(text, &menu, action.act);
        else
            fillNoticeMenu(*menu.addMenu(text), action.menu);
    }
}

QPalette noticeColours() {
    QPalette colours = qApp->palette();
    const bool dark = isDark(colours);
    colours.setColor(QPalette::Window,
                     mixed(QColor(0x1e88e5), colours.color(QPalette::Window), dark ? 0.3 : 0.14));
    return colours;
}

}  // namespace

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent), stack_(new QStackedWidget), others_(new QToolButton) {
    setObjectName(QStringLiteral("noticeBar"));
    setAccessibleName(tr("Notices"));
    setWhatsThis(
        tr("What happened to open files, sessions or kernels, until it no longer applies or is closed"));
    stack_->addWidget(new QWidget);
    others_->setAutoRaise(true);
    others_->setObjectName(QStringLiteral("otherNotices"));
    others_->setAccessibleName(tr("Show the next notice"));
    others_->setToolTip(tr("There are several notices: show the next one"));
    others_->setWhatsThis(others_->toolTip());
    others_->hide();
    connect(others_, &QToolButton::clicked, this, &NoticeBar::showNext);
    setLayout(inColumns({others_, {stack_, 1}}, 0));
    setAutoFillBackground(true);                              // a message of the status bar may be below it
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // buttons named after files widen no window
    setLineHeight();
    new Restyled(this, Restyled::By::paletteOrFont, [this] {
        setLineHeight();
        for (const Row& row : rows_) row.widget->setPalette(noticeColours());
    });
}

// As high as the status bar.
void NoticeBar::setLineHeight() {
    setFixedHeight(fontMetrics().height() + 8);
}

void NoticeBar::present(const QString& id) {
    const auto at = std::ranges::find(rows_, id, [](const Row& row) { return row.notice.id; });
    shown_ = at == rows_.end() ? QString() : id;
    stack_->setCurrentWidget(at == rows_.end() ? stack_->widget(0) : at->widget);
    const std::ptrdiff_t count = std::ssize(rows_);
    others_->setVisible(count > 1);
    if (count > 1) others_->setText(tr("%1 of %2").arg(rows_.end() - at).arg(count));
    emit presented(count > 0);
}

QString NoticeBar::shown() const {
    return shown_;
}

void NoticeBar::showNext() {
    const auto at = std::ranges::find(rows_, shown_, [](const Row& row) { return row.notice.id; });
    if (at == rows_.end()) return;
    present((at == rows_.begin() ? rows_.back() : *std::prev(at)).notice.id);
}

void NoticeBar::put(const Notice& notice) {
    const auto same = std::ranges::find(rows_, notice.id, [](const Row& row) { return row.notice.id; });
    QWidget* const made = makeRow(notice);
    stack_->addWidget(made);
    const QString shown = same == rows_.end() ? notice.id : shown_;
    if (same == rows_.end()) {
        rows_.push_back({notice, made});
    } else {
        stack_->removeWidget(same->widget);
        same->widget->hide();
        same->widget->deleteLater();  // its button may be the sender
        *same = {notice, made};
    }
    present(shown);
}

QWidget* NoticeBar::makeRow(const Notice& notice) {
    auto* row = new QFrame;
    row->setAutoFillBackground(true);
    row->setPalette(noticeColours());
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(8, 1, 8, 1);
    line->setSpacing(8);
    auto* text = new ElidedLabel;
    text->setWhole(notice.text);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setAccessibleName(notice.text);
    line->addWidget(text, 1);
    const int most = fontMetrics().height() + 6;
    for (const Notice::Action& action : notice.actions) {
        auto* button = new QToolButton;
        button->setText(action.text);
        button->setAccessibleName(action.text);
        button->setToolTip(action.tip);
        button->setMaximumHeight(most);
        if (action.menu.empty()) {
            connect(button, &QToolButton::clicked, this, [act = action.act] { act(); });
        } else {
            auto* menu = new QMenu(button);
            fillNoticeMenu(*menu, action.menu);
            button->setMenu(menu);
            button->setPopupMode(QToolButton::InstantPopup);
        }
        line->addWidget(button);
    }
    if (notice.closed) {
        auto* close = new QToolButton;
        close->setIcon(QIcon(QStringLiteral(":/icons/close.svg")));
        close->setAutoRaise(true);
        close->setAccessibleName(tr("Close the notice"));
        close->setToolTip(tr("Close"));
        close->setMaximumHeight(most);
        connect(close, &QToolButton::clicked, this, [this, id = notice.id, closed = notice.closed] {
            remove(id);
            closed();
        });
        line->addWidget(close);
    }
    return row;
}

void NoticeBar::remove(const QString& id) {
    const auto gone = std::ranges::find(rows_, id, [](const Row& row) { return row.notice.id; });
    if (gone == rows_.end()) return;
    stack_->removeWidget(gone->widget);
    gone->widget->hide();
    gone->widget->deleteLater();
    rows_.erase(gone);
    present(shown_ == id && !rows_.empty() ? rows_.back().notice.id : shown_);
}

QString NoticeBar::text(const QString& id) const {
    const auto found = std::ranges::find(rows_, id, [](const Row& row) { return row.notice.id; });
    return found == rows_.end() ? QString() : found->notice.text;
}

QStringList NoticeBar::ids() const {
    QStringList all;
    for (const Row& row : rows_) all << row.notice.id;
    return all;
}

bool NoticeBar::act(const QString& id, const QString& text) {
    const auto found = std::ranges::find(rows_, id, [](const Row& row) { return row.notice.id; });
    if (found == rows_.end()) return false;
    for (QToolButton* button : found->widget->findChildren<QToolButton*>())
        if (button->text() == text) {
            button->click();
            return true;
        }
    return false;
}

bool NoticeBar::actInMenu(const QString& id, const QStringList& path) {
    const auto found = std::ranges::find(rows_, id, [](const Row& row) { return row.notice.id; });
    if (found == rows_.end()) return false;
    const auto buttons = found->widget->findChildren<QToolButton*>();
    const auto button = std::ranges::find_if(buttons, [](const QToolButton* one) { return one->menu(); });
    const QMenu* menu = button == buttons.end() ? nullptr : (*button)->menu();
    for (const QString& text : path) {
        if (!menu) return false;
        const auto actions = menu->actions();
        const auto entry = std::ranges::find(actions, text, &QAction::text);
        if (entry == actions.end()) return false;
        menu = (*entry)->menu();
        if (!menu) (*entry)->trigger();
    }
    return true;
}

}  // namespace ks::ui
