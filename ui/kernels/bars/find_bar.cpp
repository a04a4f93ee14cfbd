#include "ui/kernels/find_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTextBlock>
#include <QToolButton>

#include "ui/kernels/code_view.h"

namespace ks::ui {

FindBar::FindBar(CodeView& view, QWidget* parent)
    : QWidget(parent), view_(view), field_(new QLineEdit), found_(new QLabel) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    field_->setPlaceholderText(tr("Find (Ctrl+F)"));
    field_->setAccessibleName(tr("Find in the text"));
    field_->setToolTip(tr("Enter: next place; Shift+Enter: the one before; Esc: close"));
    field_->setClearButtonEnabled(true);
    field_->installEventFilter(this);
    found_->setAccessibleName(tr("Places found"));
    const auto button = [&](const QString& text, const QString& tip, void (FindBar::*act)()) {
        auto* made = new QToolButton;
        made->setText(text);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, act);
        return made;
    };
    row->addWidget(field_, 1);
    row->addWidget(found_);
    row->addWidget(button(QStringLiteral("\u2191"), tr("Place before"), &FindBar::previous));
    row->addWidget(button(QStringLiteral("\u2193"), tr("Next place"), &FindBar::next));
    row->addWidget(button(QStringLiteral("\u2715"), tr("Close the search"), &FindBar::end));
    connect(field_, &QLineEdit::textChanged, this, &FindBar::search);
    auto* find = new QAction(tr("Find"), &view_);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, &FindBar::begin);
    view_.addAction(find);
    hide();
}

void FindBar::begin() {
    const QString selected = view_.textCursor().selectedText();
    show();
    if (!selected.isEmpty() && !selected.contains(QChar::ParagraphSeparator)) field_->setText(selected);
    field_->setFocus();
    field_->selectAll();
    search();
}

void FindBar::end() {
    hide();
    view_.setSearched({});
    view_.setFocus();
}

void FindBar::search() {
    const QString text = field_->text();
    const int count = view_.setSearched(text);
    found_->setText(text.isEmpty() ? QString()
                    : count == 0   ? tr("not found")
                    : count == 1   ? tr("1 place")
                                   : tr("%1 places").arg(count));
    if (count == 0 || view_.textCursor().selectedText().compare(text, Qt::CaseInsensitive) == 0) return;
    // The first place from the cursor on.
    QTextCursor from = view_.textCursor();
    from.setPosition(from.selectionStart());
    view_.setTextCursor(from);
    step(false);
}

void FindBar::step(bool back) {
    const QString text = field_->text();
    if (text.isEmpty()) return;
    const auto flags = back ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (view_.find(text, flags)) return;
    QTextCursor edge(view_.document());
    if (back) edge.movePosition(QTextCursor::End);
    view_.setTextCursor(edge);
    view_.find(text, flags);
}

void FindBar::next() {
    step(false);
}

void FindBar::previous() {
    step(true);
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter || key->key() == Qt::Key_Escape) {
            event->accept();
            if (event->type() == QEvent::ShortcutOverride) return true;
            if (!enter)
                end();
            else
                step(key->modifiers().testFlag(Qt::ShiftModifier));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace ks::ui
