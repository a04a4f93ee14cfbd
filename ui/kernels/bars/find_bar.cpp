#include "ui/kernels/bars/find_bar.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextCursor>
#include <QToolButton>

#include "ui/base/layouts.h"
#include "ui/kernels/code_view.h"

namespace ks::ui {

ReplaceRow::ReplaceRow(CodeView& view, QWidget* parent)
    : QWidget(parent),
      view_(view),
      field_(named(new QLineEdit, tr("Replacement text"),
                   tr("Enter: replace this match and go to the next; Esc: close"))) {
    field_->setPlaceholderText(tr("Replace with"));
    auto* one = new QPushButton(tr("Replace"));
    one->setToolTip(tr("Replace this match and go to the next"));
    auto* all = new QPushButton(tr("Replace all"));
    all->setToolTip(tr("Replace all matches; undo reverts them in one step"));
    setLayout(inColumns({{field_, 1}, one, all}));
    connect(one, &QPushButton::clicked, this, &ReplaceRow::replace);
    connect(all, &QPushButton::clicked, this, &ReplaceRow::replaceAll);
}

void ReplaceRow::setSearched(const QString& text, QTextDocument::FindFlags flags) {
    searched_ = text;
    flags_ = flags;
}

bool ReplaceRow::isSelected() const {
    const auto sensitive =
        flags_.testFlag(QTextDocument::FindCaseSensitively) ? Qt::CaseSensitive : Qt::CaseInsensitive;
    return !searched_.isEmpty() && view_.textCursor().selectedText().compare(searched_, sensitive) == 0;
}

void ReplaceRow::replace() {
    if (searched_.isEmpty()) return;
    if (isSelected()) {
        view_.textCursor().insertText(field_->text());
        emit replaced(1);
    }
    if (view_.find(searched_, flags_)) return;
    view_.moveCursor(QTextCursor::Start);
    view_.find(searched_, flags_);
}

void ReplaceRow::replaceAll() {
    if (searched_.isEmpty()) return;
    int places = 0;
    QTextCursor step(view_.document());
    step.beginEditBlock();
    for (QTextCursor at = view_.document()->find(searched_, 0, flags_); !at.isNull();
         at = view_.document()->find(searched_, at, flags_)) {
        at.insertText(field_->text());
        ++places;
    }
    step.endEditBlock();
    emit replaced(places);
}

FindBar::FindBar(CodeView& view, QWidget* parent)
    : QWidget(parent),
      view_(view),
      field_(named(new QLineEdit, tr("Find in the text"),
                   tr("Enter: next match; Shift+Enter: previous match; Esc: close"))),
      found_(named(new QLabel, tr("Matches"))),
      matchCase_(new QToolButton) {
    setLayout(inRows({makeSearch()}, 4, {8, 4, 8, 4}));
    connect(field_, &QLineEdit::textChanged, this, &FindBar::search);
    findAction_ = addShortcut(tr("&Find"), QKeySequence::Find, &FindBar::begin);
    hide();
    if (view_.isReadOnly()) return;
    replace_ = new ReplaceRow(view_);
    replace_->field().installEventFilter(this);
    replace_->hide();
    layout()->addWidget(replace_);
    connect(replace_, &ReplaceRow::replaced, this, [this](int places) {
        view_.setSearched(field_->text(), flags());
        found_->setText(places == 1 ? tr("1 replaced") : tr("%1 replaced").arg(places));
    });
    replaceAction_ =
        addShortcut(tr("&Replace"), QKeySequence(Qt::CTRL | Qt::Key_H), &FindBar::beginReplacing);
}

QLayout* FindBar::makeSearch() {
    field_->setPlaceholderText(tr("Find (Ctrl+F)"));
    field_->setClearButtonEnabled(true);
    field_->installEventFilter(this);
    const auto set = [](QToolButton* button, const QString& text, const QString& tip) {
        button->setText(text);
        button->setAutoRaise(true);
        return named(button, tip, tip);
    };
    const auto button = [&](const QString& text, const QString& tip, void (FindBar::*act)()) {
        QToolButton* const made = set(new QToolButton, text, tip);
        connect(made, &QToolButton::clicked, this, act);
        return made;
    };
    set(matchCase_, QStringLiteral("Aa"), tr("Match case"));
    matchCase_->setCheckable(true);
    connect(matchCase_, &QToolButton::toggled, this, &FindBar::search);
    return inColumns({{field_, 1},
                      matchCase_,
                      found_,
                      button(QStringLiteral("\u2191"), tr("Previous match"), &FindBar::previous),
                      button(QStringLiteral("\u2193"), tr("Next match"), &FindBar::next),
                      button(QStringLiteral("\u2715"), tr("Close the search"), &FindBar::end)});
}

QAction* FindBar::addShortcut(const QString& text, const QKeySequence& key, void (FindBar::*act)()) {
    auto* made = new QAction(text, &view_);
    made->setShortcut(key);
    made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(made, &QAction::triggered, this, act);
    view_.addAction(made);
    return made;
}

QTextDocument::FindFlags FindBar::flags() const {
    return matchCase_->isChecked() ? QTextDocument::FindCaseSensitively : QTextDocument::FindFlags();
}

void FindBar::begin() {
    const QString selected = view_.textCursor().selectedText();
    show();
    if (!selected.isEmpty() && !selected.contains(QChar::ParagraphSeparator)) field_->setText(selected);
    field_->setFocus();
    field_->selectAll();
    search();
}

void FindBar::beginReplacing() {
    replace_->show();
    begin();
}

void FindBar::end() {
    hide();
    if (replace_) replace_->hide();
    view_.setSearched({});
    view_.setFocus();
}

void FindBar::search() {
    const QString text = field_->text();
    const int count = view_.setSearched(text, flags());
    if (replace_) replace_->setSearched(text, flags());
    showCount(count);
    const auto sensitive = matchCase_->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive;
    if (count == 0 || view_.textCursor().selectedText().compare(text, sensitive) == 0) return;
    // The first match from the cursor on.
    QTextCursor from = view_.textCursor();
    from.setPosition(from.selectionStart());
    view_.setTextCursor(from);
    step(false);
}

void FindBar::showCount(int count) {
    found_->setText(field_->text().isEmpty() ? QString()
                    : count == 0             ? tr("not found")
                    : count == 1             ? tr("1 match")
                                             : tr("%1 matches").arg(count));
}

void FindBar::step(bool back) {
    const QString text = field_->text();
    if (text.isEmpty()) return;
    const auto all = flags() | (back ? QTextDocument::FindBackward : QTextDocument::FindFlags());
    if (view_.find(text, all)) return;
    QTextCursor edge(view_.document());
    if (back) edge.movePosition(QTextCursor::End);
    view_.setTextCursor(edge);
    view_.find(text, all);
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
            else if (watched == field_)
                step(key->modifiers().testFlag(Qt::ShiftModifier));
            else
                replace_->replace();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace ks::ui
