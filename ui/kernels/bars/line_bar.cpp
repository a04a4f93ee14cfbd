#include "ui/kernels/bars/line_bar.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "ui/base/layouts.h"
#include "ui/kernels/code_view.h"

namespace ks::ui {
namespace {

constexpr int lineFieldWidth = 120;

}  // namespace

LineBar::LineBar(CodeView& view, QWidget* parent)
    : QWidget(parent),
      view_(view),
      field_(named(new QLineEdit, tr("Number of the line"), tr("Enter: go to the line; Esc: close"))),
      action_(new QAction(tr("&Go to line"), &view_)) {
    auto* label = new QLabel(tr("Line"));
    label->setBuddy(field_);
    field_->setMaximumWidth(lineFieldWidth);
    field_->installEventFilter(this);
    setLayout(inColumns({label, field_, Cell::space()}, {}, {8, 4, 8, 4}));
    action_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
    action_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action_, &QAction::triggered, this, &LineBar::begin);
    view_.addAction(action_);
    hide();
}

void LineBar::begin() {
    field_->setText(QString::number(view_.textCursor().blockNumber() + 1));
    field_->setPlaceholderText(tr("1 to %1").arg(view_.blockCount()));
    show();
    field_->setFocus();
    field_->selectAll();
}

void LineBar::end() {
    hide();
    view_.setFocus();
}

/// A number beyond the text means its last line.
void LineBar::go() {
    bool isNumber = false;
    const int line = field_->text().trimmed().toInt(&isNumber);
    if (!isNumber) return field_->selectAll();
    view_.goToLine(std::clamp(line, 1, view_.blockCount()) - 1);
    end();
}

bool LineBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (enter || key == Qt::Key_Escape) {
            event->accept();
            if (event->type() == QEvent::ShortcutOverride) return true;
            if (enter)
                go();
            else
                end();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace ks::ui
