#include "ui/kernels/bars/replace_row.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTextCursor>

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

}  // namespace ks::ui
