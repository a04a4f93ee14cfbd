#include "ui/shell/bars/notice_bar.h"

#include <QApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QMenu>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/palette.h"

namespace ks::ui {

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("noticeBar"));
    setAccessibleName(tr("Notices"));
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(1);
    hide();
}

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

}  // namespace

void NoticeBar::put(const Notice& notice) {
    const auto same = std::ranges::find(rows_, notice.id, [](const Row& row) { return row.notice.id; });
    QWidget* const made = makeRow(notice);
    if (same == rows_.end()) {
        layout_->addWidget(made);
        rows_.push_back({notice, made});
    } else {
        delete layout_->replaceWidget(same->widget, made);
        same->widget->hide();
        same->widget->deleteLater();  // its button may be the sender
        *same = {notice, made};
    }
    show();
}

QWidget* NoticeBar::makeRow(const Notice& notice) {
    auto* row = new QFrame;
    row->setAutoFillBackground(true);
    QPalette colours = qApp->palette();
    const bool dark = isDark(colours);
    colours.setColor(QPalette::Window,
                     mixed(QColor(0x1e88e5), colours.color(QPalette::Window), dark ? 0.3 : 0.14));
    row->setPalette(colours);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(8, 3, 8, 3);
    line->setSpacing(8);
    auto* text = new QLabel(notice.text);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setAccessibleName(notice.text);
    line->addWidget(text, 1);
    for (const Notice::Action& action : notice.actions) {
        auto* button = new QToolButton;
        button->setText(action.text);
        button->setAccessibleName(action.text);
        button->setToolTip(action.tip);
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
    gone->widget->hide();
    gone->widget->deleteLater();
    rows_.erase(gone);
    if (rows_.empty()) hide();
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
